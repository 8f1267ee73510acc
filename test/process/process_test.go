package process_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// A main of one's own, built as a module beside the clone, has its layer, its route and its mailer.
func TestOwnMain(t *testing.T) {
	t.Parallel()
	expect.SkipInRace(t, "it builds a program")
	dir := t.TempDir()
	clone := expect.Value(os.Getwd())(t) // the root of the module
	source := expect.File(t, "desk/testdata/ownmain/main.go")
	sums := expect.File(t, "go.sum")
	_, rest, _ := strings.Cut(expect.File(t, "go.mod"), "\n")
	rest = "module example.org/ownmain\n" + rest + "\nrequire frontdesk v0.0.0\nreplace frontdesk => " + clone + "\n"
	for name, text := range map[string]string{"main.go": source, "go.sum": sums, "go.mod": rest} {
		expect.Write(t, filepath.Join(dir, name), text)
	}
	program := filepath.Join(dir, "ownmain")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod "+os.Getenv("GOFLAGS"), "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, url, log := harness.StartProgram(t, program, "FRONTDESK_MAIL_TO=owner@desk.example",
		"FRONTDESK_MAIL_FROM=desk@desk.example")
	post := func(path, mediaType, body string, status int) string {
		t.Helper()
		answer := expect.Value(http.Post(url+path, mediaType, strings.NewReader(body)))(t)
		defer answer.Body.Close()
		text := expect.Value(io.ReadAll(answer.Body))(t)
		if answer.StatusCode != status || answer.Header.Get("X-Own") != "1" {
			t.Errorf("POST %s: status %d, want %d; %v: %s", path, answer.StatusCode, status, answer.Header, text)
		}
		return string(bytes.TrimSpace(text))
	}
	expect.Same(t, "own route", "Hello", post("/v1/echo", "application/x-www-form-urlencoded", "message=Hello", 200))
	expect.Holds(t, "an error of the own route", post("/v1/echo", "application/x-www-form-urlencoded", "message=", 400),
		`"detail":"message is required."`)
	info := contract.Forbidden.Info()
	expect.Holds(t, "a refusal of the own layer", post("/v1/closed", "application/json", "{}", 403),
		`"detail":"Only for staff.","code":"forbidden","hint":"`+info.Hint+`"`)
	if strings.Contains(info.Hint, "rigin") || !strings.Contains(info.Condition, "such as one with a browser Origin") {
		t.Errorf("%s %s: sounds like a refusal of the origin", info.Condition, info.Hint)
	}
	post(contract.PathContact, "application/json", harness.ContactBody(""), 200)
	log.Wait(t, "mail to owner@desk.example: ", 1)
}

// A service that cannot detect other senders of the data folder logs that and runs.
func TestWithoutTheLock(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) {
		expect.OK(t, os.Mkdir(filepath.Join(s.Dir(), "senders.lock"), 0o700))
	})
	expect.Holds(t, "the log", d.Log.String(), "senders.lock", "retried after one minute")
	got := d.Send(t, harness.NewClient(t), "POST", "/v1/contact", harness.ContactBody(""), harness.JSONType)
	harness.WantStatus(t, got, 200)
}
