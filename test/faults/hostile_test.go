package faults

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/programs"
)

// addressSpace is how many KiB the commands of TestHostileInput may map: much more than
// they need, and much less than unbounded reading took.
const addressSpace = 4 << 20

// TestHostileInput gives the commands files and servers that are broken on purpose: each
// is refused in bounded time and memory, and says why.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	limit := fmt.Sprintf(`ulimit -v %d && exec "$@"`, addressSpace)
	s := setup{command: []string{programs.Find(t, "sh", "a shell"), "-c", limit, "sh"}, environ: []string{"GOMEMLIMIT=off"}}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command(programs.Find(t, "mkfifo", "coreutils"), pipe).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, row := range []struct {
		name, want string
		args       []string
	}{
		{"a pipe as a backup", "is no backup", []string{"restore", "--data", t.TempDir(), pipe}},
		{"conform of an endless body", "larger than 4 MiB", []string{"conform", endless(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{", `"a":[{},{}],`)}},
		{"conform of endless answers", "malformed HTTP response", []string{"conform", endless(t, "", "HTTP/1.1 100 Continue\r\n\r\n")}},
		{"conform of an endless head", "unexpected EOF", []string{"conform", endless(t, "HTTP/1.1 200 OK\r\n", "A: b\r\n")}},
	} {
		out, err := s.tried(t, row.args...)
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 || !strings.Contains(out, row.want) {
			t.Errorf("%s: %v, want exit code 1 and %q in\n%.2000s", row.name, err, row.want, out)
		}
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
