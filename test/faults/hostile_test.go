package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
)

// addressSpace is how many KiB the commands of TestHostileInput may map: much more than
// they need, and much less than unbounded reading took.
const addressSpace = 4 << 20

// bounded runs a command of the program in a bounded address space, and returns what it
// printed and its exit code.
func (s setup) bounded(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	limit := fmt.Sprintf(`ulimit -v %d && exec "$@"`, addressSpace)
	cmd := exec.CommandContext(ctx, programs.Find(t, "sh", "a shell"), append([]string{"-c", limit, "sh", program(t)}, args...)...)
	cmd.Env = append(s.cmd(t).Env, "GOMEMLIMIT=off")
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil || cmd.ProcessState == nil {
		t.Fatalf("%v does not end (%v):\n%.2000s", args, err, text)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// TestHostileInput gives the commands files and servers that are broken on purpose: each
// is refused in bounded time and memory, and says why.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	folder, s := t.TempDir(), setup{dir: t.TempDir()}
	file := func(name, text string) string {
		write(t, folder, name, text)
		return filepath.Join(folder, name)
	}
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: s.dir}))(t)
	expect.OK(t, store.Close())
	pipe := filepath.Join(folder, "pipe")
	if out, err := exec.Command(programs.Find(t, "mkfifo", "coreutils"), pipe).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	exported := string(s.run(t, "export"))
	cut := exported[:strings.LastIndex(strings.TrimRight(exported, "\n"), "\n")+1]
	for _, row := range []struct {
		name, want string
		args       []string
	}{
		{"import of nested details", "nested more than", []string{"import", file("faq.html", strings.Repeat(strings.Repeat("<details><summary>Q?</summary>A", 200)+strings.Repeat("</details>", 200), 600))}},
		{"an export that is cut at a line's end", "is cut off", []string{"import-records", file("records.jsonl", cut)}},
		{"a pipe as a backup", "is no backup", []string{"restore", "--data", t.TempDir(), pipe}},
		{"conform of an endless body", "larger than 4 MiB", []string{"conform", endless(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{", `"a":[{},{}],`)}},
		{"conform of endless answers", "answers on one connection", []string{"conform", endless(t, "", "HTTP/1.1 100 Continue\r\n\r\n")}},
		{"conform of an endless head", "head of the answer is longer than", []string{"conform", endless(t, "HTTP/1.1 200 OK\r\n", "A: b\r\n")}},
	} {
		began := time.Now()
		out, code := s.bounded(t, row.args...)
		if code != 1 || !strings.Contains(out, row.want) {
			t.Errorf("%s: exit code %d, want 1 and %q in\n%.2000s", row.name, code, row.want, out)
		}
		t.Logf("%s: %v", row.name, time.Since(began))
	}
}

// endless starts a service whose every answer but that of its health begins with a text
// and repeats another until the client leaves, and returns its address.
func endless(t *testing.T, begin, repeat string) string {
	t.Helper()
	block := []byte(strings.Repeat(repeat, 1<<16/len(repeat)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == contract.PathHealth {
			fmt.Fprint(w, `{"status":"ok"}`)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		for _, err = conn.Write([]byte(begin)); err == nil; {
			_, err = conn.Write(block)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
