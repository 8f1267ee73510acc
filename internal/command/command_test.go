package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

func TestCommandLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		args     []string
		code     int
		out, err string // a part of each
	}{
		{"help", []string{"--help"}, 0, "Run the service.", ""},
		{"help of serve", []string{"serve", "--help"}, 0, "$FRONTDESK_SMTP_URL", ""},
		{"version", []string{"version"}, 0, "frontdesk ", ""},
		{"version as JSON", []string{"version", "--json"}, 0, `"commit": `, ""},
		{"no command", nil, 2, "", "frontdesk <command> --help"},
		{"unknown command", []string{"sevre"}, 2, "", `did you mean "serve"?` + "\nhelp:  frontdesk --help\n"},
		{"unknown flag", []string{"serve", "--port", "1"}, 2, "", "--port\nusage: frontdesk serve [flags]\nhelp:  frontdesk serve --help\n"},
		{"flag that is nearly one", []string{"ask", "--jsno", "x"}, 2, "", `did you mean "--json"?`},
		{"unknown shell", []string{"completion", "tcsh"}, 2, "", `"fish"`},
		{"missing argument", []string{"init"}, 2, "", "<dir>"},
		{"missing flags", []string{"contact", "--name", "Ada"}, 2, "", "--business"},
		{"no service there", []string{"health", "--url", "http://127.0.0.1:1"}, 3, "", "http://127.0.0.1:1"},
		{"check the sample", []string{"check"}, 0, "ok", ""},
		{"check a folder that is not there", []string{"check", "nowhere"}, 1, "", "frontdesk init nowhere"},
		{"check settings", []string{"check", "--base-url", "desk"}, 1, "", "FRONTDESK_BASE_URL"},
		{"check with an obsolete setting", []string{"check", "--answered-rows", "5"}, 0, "ok", "warning: FRONTDESK_ANSWERED_ROWS is not a setting any more"},
		{"serve with two faults", []string{"serve", "--addr", "127.0.0.1:0", "--retention", "z", "--log-level", "loud"}, 1, "",
			"FRONTDESK_RETENTION: \"z\" is not a time such as 5s, 12h or 90d\nFRONTDESK_LOG_LEVEL: "},
		{"serve with a bad setting", []string{"serve", "--addr", "127.0.0.1:0", "--log-level", "loud"}, 1, "", "FRONTDESK_LOG_LEVEL"},
		{"serve with a bad Redis", []string{"serve", "--addr", "127.0.0.1:0", "--redis-url", "cache:6379"}, 1, "", "FRONTDESK_REDIS_URL"},
		{"serve on a bad address", []string{"serve", "--addr", "nowhere:0:0"}, 1, "", "FRONTDESK_ADDR"},
		{"serve with a bad admin address", []string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--admin-addr", "nowhere:0:0"}, 1, "", "FRONTDESK_ADMIN_ADDR"},
		{"serve for the public without mail", []string{"serve", "--addr", "127.0.0.1:0", "--base-url", "https://desk.example"}, 1, "", "FRONTDESK_SMTP_URL"},
		{"serve without content", []string{"serve", "--addr", "127.0.0.1:0", "--content", "nowhere"}, 1, "", "FRONTDESK_CONTENT"},
		{"serve with a file for a folder", []string{"serve", "--addr", "127.0.0.1:0", "--data", "go.mod"}, 1, "", "FRONTDESK_DATA"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, out, err := harness.Command(t, tt.args...)
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(err, tt.err) {
				t.Errorf("exit %d, want %d\nout: %s\nwant %q\nerr: %s\nwant %q", code, tt.code, out, tt.out, err, tt.err)
			}
		})
	}
}

// TestMakeItYourOwn follows the README: write the sample, break it, mend it.
func TestMakeItYourOwn(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mydesk")
	code, out, _ := harness.Command(t, "init", dir)
	if code != 0 || !strings.Contains(out, "frontdesk serve --content "+dir) {
		t.Fatalf("init: exit %d: %s", code, out)
	}
	if code, _, err := harness.Command(t, "check", dir); code != 0 {
		t.Fatalf("check of the sample: exit %d: %s", code, err)
	}
	if code, _, err := harness.Command(t, "init", dir); code != 1 || !strings.Contains(err, "faq.yaml") {
		t.Errorf("init again: exit %d: %s, want a refusal that names the files", code, err)
	}

	path := filepath.Join(dir, "faq.yaml")
	faq, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(faq), "answer:", "anwser:", 1)
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(broken[:strings.Index(broken, "anwser:")], "\n")
	code, _, stderr := harness.Command(t, "check", dir)
	if want := "faq.yaml:" + strconv.Itoa(line); code != 1 || !strings.Contains(stderr, want) || !strings.Contains(stderr, "anwser") {
		t.Errorf("check of a typo: exit %d: %s, want %s", code, stderr, want)
	}

	doubtful := strings.Replace(string(faq), "  - id: refunds\n", `  - id: returns
    question: How do I send something back?
    alternates: [Do you offer any refunds?]
    answer: Over 500 customers got back 777 EUR.
  - id: refunds
`, 1)
	if err := errors.Join(os.WriteFile(path, []byte(doubtful), 0o600), os.Remove(filepath.Join(dir, "golden.yaml"))); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = harness.Command(t, "check", dir)
	for _, want := range []string{`entries "returns" and "refunds" overlap`, "a number of customers", "says 777 EUR"} {
		if code != 0 || !strings.Contains(stderr, want) {
			t.Errorf("check of doubtful content: exit %d, want a warning of %q:\n%s", code, want, stderr)
		}
	}

	golden := "answered:\n  - {q: What is the capital of Australia?, id: cost}\n"
	if err := os.WriteFile(path, faq, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "golden.yaml"), []byte(golden), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = harness.Command(t, "check", dir)
	if code != 1 || !strings.Contains(stderr, "golden.yaml:2") {
		t.Errorf("check of a golden question that fails: exit %d: %s", code, stderr)
	}
	if code, _, stderr := harness.Command(t, "serve", "--addr", "127.0.0.1:0", "--content", dir, "--data", t.TempDir()); code != 1 || !strings.Contains(stderr, "golden.yaml:2") {
		t.Errorf("serve with it: exit %d: %s", code, stderr)
	}
}

// TestStartNamesTheFolder: the sample in a folder of its own is not called embedded.
func TestStartNamesTheFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mydesk")
	if code, _, stderr := harness.Command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	d := harness.Start(t, func(s *config.Settings) { s.Content, s.AnsweredRows = dir, "5" })
	d.Announce()
	if log := d.Log.String(); !strings.Contains(log, "content of "+dir) || strings.Contains(log, "sample content") {
		t.Errorf("the start does not name the folder: %s", log)
	}
	if log := d.Log.String(); !strings.Contains(log, `"level":"warn","message":"FRONTDESK_ANSWERED_ROWS is not a setting any more`) {
		t.Errorf("the start does not warn of an obsolete setting: %s", log)
	}
}

// TestListenTwice shows that a start on a taken port names the setting.
func TestListenTwice(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	code, _, stderr := harness.Command(t, "serve", "--addr", d.Addr().String())
	if code != 1 || !strings.Contains(stderr, "FRONTDESK_ADDR") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
