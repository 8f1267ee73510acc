package command_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line string
		code int
		want string
	}{
		{"--help", 0, "Run the service."},
		{"version", 0, "frontdesk 1.0.0 "},
		{"", 2, "frontdesk <command> --help"},
		{"sevre", 2, `did you mean "serve"?` + "\nhelp:  frontdesk --help\n"},
		{"serve --port 1", 2, "--port\nusage: frontdesk serve [flags]\nhelp:  frontdesk serve --help\n"},
		{"ask --jsno x", 2, `did you mean "--json"?`},
		{"completion tcsh", 2, `"fish"`},
		{"init", 2, "<dir>"},
		{"contact --name Ada", 2, "--business"},
		{"contact --name --json", 2, `: --name needs a value; perhaps try --name="--json"?`},
		{"conform x --only", 2, ": --only needs a value\n"},
		{"conform x --timeout 0s", 2, "--timeout must be"},
		{"health --url http://127.0.0.1:1", 3, "http://127.0.0.1:1"},
		{"check", 0, "ok"},
		{"check nowhere", 1, "frontdesk init nowhere"},
		{"check --base-url desk", 1, "FRONTDESK_BASE_URL"},
		{"serve --addr 127.0.0.1:0 --retention z --log-level loud", 1,
			"FRONTDESK_RETENTION: \"z\" is not a time such as 5s, 12h or 90d\nFRONTDESK_LOG_LEVEL: "},
		{"serve --addr nowhere:0:0", 1, "FRONTDESK_ADDR"},
		{"serve --addr 127.0.0.1:0 --data " + t.TempDir() + " --admin-addr nowhere:0:0", 1, "FRONTDESK_ADMIN_ADDR"},
		{"listing --base-url https://desk.example", 0, "https://desk.example/mcp"},
		{"listing --domain desk.example", 0, "https://desk.example/mcp"},
		{"listing", 1, "FRONTDESK_BASE_URL"},
		{"serve --addr 127.0.0.1:0 --content nowhere --data " + t.TempDir(), 1, "FRONTDESK_CONTENT"},
		{"serve --addr 127.0.0.1:0 --data go.mod", 1, "FRONTDESK_DATA"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			t.Parallel()
			run(t, tt.code, tt.line, tt.want)
		})
	}
}

// As in the README: write the sample, break it, mend it.
func TestMakeItYourOwn(t *testing.T) {
	t.Parallel()
	dir := sampleFolder(t)
	run(t, 0, "check "+dir)
	run(t, 1, "init "+dir, "faq.yaml")
	for _, command := range []string{"init", "check"} {
		_, _, empty := harness.Command(t, command, "")
		expect.Holds(t, command, empty, "is empty")
	}

	path := filepath.Join(dir, "faq.yaml")
	faq := read(t, path)
	broken := strings.Replace(faq, "answer:", "anwser:", 1)
	write(t, path, broken)
	run(t, 1, "check "+dir, "faq.yaml:"+strconv.Itoa(1+strings.Count(broken[:strings.Index(broken, "anwser:")], "\n")), "anwser")

	write(t, path, strings.Replace(faq, "  - id: refunds\n", `  - id: returns
    question: How do I send something back?
    alternates: [Do you offer any refunds?, Can I get all my money back?]
    answer: Over 500 customers got back 777 EUR.
  - id: refunds
`, 1))
	expect.OK(t, os.Remove(filepath.Join(dir, "golden.yaml")))
	_, stderr := run(t, 0, "check "+dir)
	expect.Holds(t, "check of doubtful content", stderr, `entries "refunds" and "returns" overlap`, "a number of customers", "says 777 EUR")

	write(t, path, faq)
	write(t, filepath.Join(dir, "golden.yaml"), "answered:\n  - {q: What is the capital of Australia?, id: cost}\n")
	run(t, 1, "check "+dir, "golden.yaml:2")
	run(t, 1, "serve --addr 127.0.0.1:0 --content "+dir+" --data "+t.TempDir(), "golden.yaml:2")
}

// A second start on its port names the setting of the address.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	dir := sampleFolder(t)
	d := harness.Start(t, func(s *config.Settings) { s.Content = dir })
	d.Announce()
	expect.Holds(t, "the log", d.Log.String(), "content of "+dir)
	expect.Lacks(t, "the log", d.Log.String(), "sample content")
	run(t, 1, "serve --addr "+d.Addr().String(), "FRONTDESK_ADDR")
}

// The log names the setting for agent frameworks once, where the default is in force.
func TestFirstStartOfAPublicService(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for _, tt := range []struct {
		name, base, errors, data string
		want                     bool
	}{
		{"the first start", "https://desk.example", contract.ToolErrorsContract, data, true},
		{"the second", "https://desk.example", contract.ToolErrorsContract, data, false},
		{"set", "https://desk.example", contract.ToolErrorsResults, t.TempDir(), false},
		{"on this machine", "", contract.ToolErrorsContract, t.TempDir(), false},
	} {
		d := harness.Start(t, func(s *config.Settings) {
			s.BaseURL.Text, s.MCPToolErrors, s.Data = tt.base, tt.errors, tt.data
		})
		d.Announce()
		expect.Same(t, tt.name, tt.want, strings.Contains(d.Log.String(), config.AboutMCPToolErrors))
	}
}

// A misspelt variable is reported even if, and because, it makes a start fail.
func TestMisspelt(t *testing.T) {
	t.Setenv("FRONTDESK_SMTP_ULR", "smtp://mail.example.org")
	for _, line := range []string{"check --base-url desk nowhere", "serve --base-url desk --addr 127.0.0.1:0"} {
		run(t, 1, line, "FRONTDESK_SMTP_ULR is not a setting: did you mean FRONTDESK_SMTP_URL?", "FRONTDESK_BASE_URL: ")
	}
}

func TestFmt(t *testing.T) {
	t.Parallel()
	dir := sampleFolder(t)
	out, _ := run(t, 0, "fmt "+dir)
	expect.Same(t, "of the sample", "", out)
	file := filepath.Join(dir, "faq.yaml")
	before := read(t, file)
	loose := strings.ReplaceAll(before, "    question: ", "    question:   ")
	write(t, file, loose)
	catalog := filepath.Join(dir, "catalog.yaml")
	kept := read(t, catalog)
	write(t, catalog, "business: [\n")
	run(t, 1, "fmt "+dir, "catalog.yaml:2: ")
	expect.Same(t, "beside a file that cannot be read", loose, read(t, file))
	write(t, catalog, kept)
	run(t, 0, "fmt "+dir, file+"\n")
	expect.Same(t, "faq.yaml", before, read(t, file))
	run(t, 1, "fmt "+filepath.Join(dir, "nowhere"), "no such file")
}
