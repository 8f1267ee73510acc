package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"frontdesk/config"
	"frontdesk/mailer/mailtest"
	"frontdesk/records"
)

// asMain makes the test binary behave as frontdesk, for tests that need a process.
const asMain = "FRONTDESK_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		os.Unsetenv(asMain)
		main()
		return
	}
	os.Exit(m.Run())
}

// command runs a command line as main does.
func command(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, streams{strings.NewReader(""), &stdout, &stderr})
	return code, stdout.String(), stderr.String()
}

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
		{"nobody there", []string{"health", "--url", "http://127.0.0.1:1"}, 3, "", "http://127.0.0.1:1"},
		{"check the sample", []string{"check"}, 0, "ok", ""},
		{"check a folder that is not there", []string{"check", "nowhere"}, 1, "", "frontdesk init nowhere"},
		{"check settings", []string{"check", "--base-url", "desk"}, 1, "", "FRONTDESK_BASE_URL"},
		{"serve with a bad setting", []string{"serve", "--addr", "127.0.0.1:0", "--log-level", "loud"}, 1, "", "FRONTDESK_LOG_LEVEL"},
		{"serve with a bad Redis", []string{"serve", "--addr", "127.0.0.1:0", "--redis-url", "cache:6379"}, 1, "", "FRONTDESK_REDIS_URL"},
		{"serve on a bad address", []string{"serve", "--addr", "nowhere:0:0"}, 1, "", "FRONTDESK_ADDR"},
		{"serve with a bad admin address", []string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--admin-addr", "nowhere:0:0"}, 1, "", "FRONTDESK_ADMIN_ADDR"},
		{"serve for the public without mail", []string{"serve", "--addr", "127.0.0.1:0", "--base-url", "https://desk.example"}, 1, "", "FRONTDESK_SMTP_URL"},
		{"serve without content", []string{"serve", "--addr", "127.0.0.1:0", "--content", "nowhere"}, 1, "", "FRONTDESK_CONTENT"},
		{"serve with a file for a folder", []string{"serve", "--addr", "127.0.0.1:0", "--data", "main_test.go"}, 1, "", "FRONTDESK_DATA"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, out, err := command(t, tt.args...)
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
	code, out, _ := command(t, "init", dir)
	if code != 0 || !strings.Contains(out, "frontdesk serve --content "+dir) {
		t.Fatalf("init: exit %d: %s", code, out)
	}
	if code, _, err := command(t, "check", dir); code != 0 {
		t.Fatalf("check of the sample: exit %d: %s", code, err)
	}
	if code, _, err := command(t, "init", dir); code != 1 || !strings.Contains(err, "faq.yaml") {
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
	code, _, stderr := command(t, "check", dir)
	if want := "faq.yaml:" + strconv.Itoa(line); code != 1 || !strings.Contains(stderr, want) || !strings.Contains(stderr, "anwser") {
		t.Errorf("check of a typo: exit %d: %s, want %s", code, stderr, want)
	}

	doubtful := strings.Replace(string(faq), "  - id: refunds\n", `  - id: returns
    question: How do I send something back?
    alternates: [Do you offer any refunds?]
    answer: Over 500 customers got back 77 EUR.
  - id: refunds
`, 1)
	if err := errors.Join(os.WriteFile(path, []byte(doubtful), 0o600), os.Remove(filepath.Join(dir, "golden.yaml"))); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = command(t, "check", dir)
	for _, want := range []string{`the entries "returns" and "refunds" compete`, "a number of customers", "says 77 EUR"} {
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
	code, _, stderr = command(t, "check", dir)
	if code != 1 || !strings.Contains(stderr, "golden.yaml:2") {
		t.Errorf("check of a golden question that fails: exit %d: %s", code, stderr)
	}
	if code, _, stderr := command(t, "serve", "--addr", "127.0.0.1:0", "--content", dir, "--data", t.TempDir()); code != 1 || !strings.Contains(stderr, "golden.yaml:2") {
		t.Errorf("serve with it: exit %d: %s", code, stderr)
	}
}

// TestPilotRequestArrives sends a request with the client command, reads the mail
// that arrives and finds the request in the owner's list.
func TestPilotRequestArrives(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	fields := []string{"contact", "--url", d.url, "--name", "Zoë Ωμέγα", "--business", "Bäckerei Müller", "--email", "zoe@example.com",
		"--message", "First line\n.\nMAIL FROM:<evil@example.net>", "--phone", "+1 555 0100"}

	code, preview, stderr := command(t, append(fields, "--dry-run", "--json")...)
	if code != 0 {
		t.Fatalf("dry run: exit %d: %s", code, stderr)
	}
	var shown struct {
		WouldSend struct{ Subject, Text string } `json:"would_send"`
	}
	if err := json.Unmarshal([]byte(preview), &shown); err != nil {
		t.Fatal(err)
	}
	if len(d.mail.Messages()) != 0 {
		t.Fatal("a dry run sends mail")
	}

	code, out, stderr := command(t, fields...)
	if code != 0 || !strings.Contains(out, "inq_") {
		t.Fatalf("contact: exit %d: %s%s", code, out, stderr)
	}
	mails := d.mail.Wait(1)
	if len(mails) != 1 {
		t.Fatalf("%d mails arrived, want 1", len(mails))
	}
	header, text := mails[0].Read(t)
	if text+"\n" != shown.WouldSend.Text && text != shown.WouldSend.Text {
		t.Errorf("the mail reads\n%q\nand was previewed as\n%q", text, shown.WouldSend.Text)
	}
	if mails[0].Subject(t) != shown.WouldSend.Subject || header.Get("Reply-To") != "<zoe@example.com>" ||
		!strings.Contains(header.Get("To"), "owner@desk.example") || header.Get("Message-Id") == "" || header.Get("Date") == "" {
		t.Errorf("headers = %v, subject %q", header, mails[0].Subject(t))
	}

	code, out, stderr = command(t, "inquiries", "--json", "--data", d.settings.Dir())
	var inquiries []records.Inquiry
	if err := json.Unmarshal([]byte(out), &inquiries); code != 0 || err != nil {
		t.Fatalf("inquiries: exit %d: %v: %s", code, err, stderr)
	}
	if len(inquiries) != 1 || inquiries[0].State != records.Sent || inquiries[0].Business != "Bäckerei Müller" {
		t.Errorf("inquiries = %+v", inquiries)
	}
	if "<"+inquiries[0].MessageID+">" != header.Get("Message-Id") {
		t.Errorf("Message-ID %s, recorded %s", header.Get("Message-Id"), inquiries[0].MessageID)
	}
	if _, out, _ := command(t, "inquiries", "--data", d.settings.Dir()); !strings.Contains(out, "sent") || !strings.Contains(out, "zoe@example.com") {
		t.Errorf("the list reads:\n%s", out)
	}
	for _, secret := range []string{"Zoë", "Bäckerei", "zoe@", "First line", "555"} {
		if strings.Contains(d.log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, d.log)
		}
	}
}

// TestFailedRequestIsKept shows a 502 and what the owner finds afterwards.
func TestFailedRequestIsKept(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	d.mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse, Code: 550})
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusBadGateway)
	inquiries, err := d.store.Inquiries(t.Context(), records.Filter{State: records.Failed})
	if err != nil || len(inquiries) != 1 || !strings.Contains(inquiries[0].Detail, "550") {
		t.Errorf("failed inquiries = %+v, %v; want one with the server's reply", inquiries, err)
	}
}

// TestMailKeptAsFiles starts as a newcomer does, without any setting for mail.
func TestMailKeptAsFiles(t *testing.T) {
	t.Parallel()
	d := startDesk(t, withoutMail)
	wantStatus(t, d.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	files, err := filepath.Glob(filepath.Join(d.settings.Dir(), "mail", "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("mails kept: %v, %v; want one", files, err)
	}
	mail, err := os.ReadFile(files[0])
	if err != nil || !bytes.Contains(mail, []byte("Reply-To: <ada@example.com>")) {
		t.Errorf("the kept mail: %v\n%s", err, mail)
	}
	d.announce()
	if log := d.log.String(); !strings.Contains(log, "sample content") || !strings.Contains(log, "no mail server") {
		t.Errorf("the start does not say what is missing: %s", log)
	}
}

// TestStartNamesTheFolder: the sample in a folder of its own is not called embedded.
func TestStartNamesTheFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mydesk")
	if code, _, stderr := command(t, "init", dir); code != 0 {
		t.Fatal(stderr)
	}
	d := startDesk(t, func(s *config.Settings) { s.Content = dir })
	d.announce()
	if log := d.log.String(); !strings.Contains(log, "content of "+dir) || strings.Contains(log, "sample content") {
		t.Errorf("the start does not name the folder: %s", log)
	}
}

// TestHeaderNamesOnTheWire reads the bytes of an answer: the names are spelled as
// the contract spells them.
func TestHeaderNamesOnTheWire(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	got := rawAnswer(t, d, "POST /v1/ask HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 22\r\n\r\n"+question("Who is it for?"))
	for _, line := range []string{"\r\nService-API-Version: 1\r\n", "\r\nRateLimit-Policy: \"ask\";q=5;w=60\r\n", "\r\nRateLimit: \"ask\";r=4\r\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("the answer lacks %q:\n%s", line, got)
		}
	}
}

// TestHeaderBytes meets the cap of request headers, which net/http keeps some 4 KiB
// above what it is told.
func TestHeaderBytes(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	for size, status := range map[int]string{27 << 10: "200", 33 << 10: "431"} {
		got := rawAnswer(t, d, "GET /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Fill: "+strings.Repeat("a", size)+"\r\n\r\n")
		if !strings.HasPrefix(got, "HTTP/1.1 "+status) {
			t.Errorf("%d bytes of headers: %.60q, want %s", size, got, status)
		}
	}
}

// TestLocalOrigins lets pages under the other names of this machine in, while the
// base address is the default one.
func TestLocalOrigins(t *testing.T) {
	t.Parallel()
	d := startDesk(t, func(s *config.Settings) { s.BaseURL = "" })
	port := strconv.Itoa(d.listener.Addr().(*net.TCPAddr).Port)
	for origin, status := range map[string]int{
		"http://localhost:" + port: 200, "http://127.0.0.1:" + port: 200, "http://[::1]:" + port: 200,
		"http://127.0.0.1:1": 403, "https://localhost:" + port: 403, "http://127.0.0.2:" + port: 403,
	} {
		wantStatus(t, d.send(t, newClient(t), http.MethodGet, "/v1/catalog", "", "Origin: "+origin), status)
	}
}

// TestListenTwice shows that a start on a taken port names the setting.
func TestListenTwice(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	var stderr bytes.Buffer
	code := run(context.Background(), []string{"serve", "--addr", d.listener.Addr().String()}, streams{nil, &stderr, &stderr})
	if code != 1 || !strings.Contains(stderr.String(), "FRONTDESK_ADDR") {
		t.Errorf("exit %d: %s", code, &stderr)
	}
}
