package command

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"frontdesk/internal/client"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/records"
)

func runLine(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), args, Streams{strings.NewReader(""), &stdout, &stderr}, Own{})
	return code, stdout.String(), stderr.String()
}

func subcommands(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, node := range newParser(t.Context(), Streams{}, Own{}).Model.Leaves(true) {
		names = append(names, node.Name)
	}
	return names
}

func TestHelpTexts(t *testing.T) {
	t.Parallel()
	for _, name := range append(subcommands(t), "frontdesk") {
		args := []string{name, "--help"}
		if name == "frontdesk" {
			args = args[1:]
		}
		code, out, stderr := runLine(t, args...)
		if code != 0 || stderr != "" || !strings.Contains(out, "\n    frontdesk ") && !strings.Contains(out, "<(frontdesk ") {
			t.Errorf("%s: exit %d: %s\nwant an example in\n%s", name, code, stderr, out)
		}
		golden.Check(t, filepath.Join("testdata", "help", name+".txt"), []byte(out))
	}
}

func TestHelpIsComplete(t *testing.T) {
	t.Parallel()
	left := config.ParseHelp(flagsText)
	wants := func(text string, names ...string) {
		if text == "" {
			t.Errorf("flags.txt lacks %q", names[0])
		}
		for _, name := range names {
			delete(left, name)
		}
	}
	for _, node := range newParser(t.Context(), Streams{}, Own{}).Model.Leaves(false) {
		wants(node.Help, node.Name)
		for _, argument := range node.Positional {
			wants(argument.Help, node.Name+" "+argument.Name)
		}
		for _, flag := range node.Flags {
			wants(flag.Help, node.Name+" --"+flag.Name, "--"+flag.Name)
		}
	}
	expect.Same(t, "texts of nothing", map[string]string{}, left)
}

func TestBuild(t *testing.T) {
	t.Parallel()
	of := func(modified, at string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}, {Key: "vcs.modified", Value: modified},
			{Key: "vcs.time", Value: at}}}
	}
	for want, info := range map[string]*debug.BuildInfo{ // without what the machine adds
		"frontdesk 1.0.0": {}, // outside of git
		"frontdesk 1.0.0 commit 0123456789ab 2026-11-21T12:00:00Z": of("false", "2026-11-21T12:00:00Z"),
		"frontdesk 1.0.0 commit 0123456789ab with changes":         of("true", ""),
	} {
		line, _, _ := strings.Cut(describeBuild(info), " "+runtime.Version()+" ")
		expect.Same(t, "the build", want, line)
	}
	line, _, _ := strings.Cut(describeBuild(nil), " "+runtime.Version()+" ")
	expect.Same(t, "without build info", "frontdesk 1.0.0", line)
}

// Only serve and restore make the data folder.
func TestMistypedDataFolder(t *testing.T) {
	t.Parallel()
	export := filepath.Join(t.TempDir(), "records.jsonl")
	expect.Write(t, export, "")
	arguments := map[string]string{
		"backup": filepath.Join(t.TempDir(), "backup.tar.gz"), "erase": "ada@example.org", "import-records": export,
		"inquiries": "--resend 1 --smtp-url file:", "notify": "--test --smtp-url file:", "questions": "dismiss 1", "undo": "1",
	}
	for _, node := range newParser(t.Context(), Streams{}, Own{}).Model.Leaves(true) {
		if !slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == "data" }) ||
			slices.Contains([]string{"serve", "restore"}, node.Name) {
			continue
		}
		t.Run(node.Name, func(t *testing.T) {
			t.Parallel()
			mistyped := filepath.Join(t.TempDir(), "dta")
			args := append(strings.Fields(node.Name+" "+arguments[node.Name]), "--data", mistyped)
			code, _, stderr := runLine(t, args...)
			if code == 2 {
				t.Errorf("the test does not fit the command: %s", stderr)
			}
			if _, err := os.Stat(mistyped); err == nil {
				t.Errorf("%v made the data folder", args)
			}
		})
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for _, formula := range []string{
		"=1+1", "+49 1", "-2", "@SUM(A1)", "|cmd", "%0", " =1", "\ufeff=1", "\u00a0=1", "＝1", "\tx", `=HYPERLINK("x`,
	} {
		expect.Same(t, "a formula", "'"+formula, harmless(formula))
	}
	for given, wanted := range map[string]string{
		"a;=1": "a;'=1", "a;;\u00a0+1;b": "a;;'\u00a0+1;b", `a;"=1"`: `a;"'=1"`, "a\t@SUM(A1)": "a\t'@SUM(A1)", "a\r\n=1": "a\r\n'=1",
		"\t=1": "'\t'=1", "\r\n =1": "'\r\n' =1",
	} {
		expect.Same(t, "a formula after a separator", wanted, harmless(given))
	}
	for _, text := range []string{"", "Ada", "a=1", "'=1", `"=1`, "a; b", "a,=1"} {
		expect.Same(t, "a text", text, harmless(text))
	}
}

// Whatever a stranger writes is one cell, and not a formula.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"=1", "a,b", "\"", "\r\n=1", "ü\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		expect.OK(t, printCSV(&out, []records.Inquiry{{ID: "inq_1", Name: text, Message: text}}))
		expect.Same(t, "the file begins with", byteOrderMark, string(out.Next(len(byteOrderMark))))
		rows := expect.Value(csv.NewReader(&out).ReadAll())(t)
		if len(rows) != 2 || len(rows[1]) != len(csvHead) {
			t.Fatalf("%q reads as %q", text, rows)
		}
		if cell := strings.TrimLeft(rows[1][3], " \t\r\n"); cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
			t.Fatalf("%q begins a formula", cell)
		}
	})
}

// A result that cannot be written is an error.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	closed := expect.Value(os.CreateTemp(t.TempDir(), ""))(t)
	expect.OK(t, closed.Close())
	for _, line := range []string{"init " + t.TempDir(), "check --encoder off", "eval --encoder off --explain cost"} {
		code := Run(t.Context(), strings.Fields(line), Streams{Out: closed, Err: io.Discard}, Own{})
		expect.Same(t, "exit code of "+line, client.ExitRefused, code)
	}
}

// A sign-in link is printed to a person, and never into a log or a pipe.
func TestTerminal(t *testing.T) {
	t.Parallel()
	var buffer bytes.Buffer
	read, write, err := os.Pipe()
	expect.OK(t, err)
	defer read.Close()  // nothing was written
	defer write.Close() // likewise
	file := expect.Value(os.CreateTemp(t.TempDir(), "log"))(t)
	defer file.Close() // likewise
	for name, std := range map[string]Streams{
		"buffers": {Out: &buffer, Err: &buffer},
		"a pipe":  {Out: write, Err: write},
		"a file":  {Out: file, Err: file},
	} {
		expect.Same(t, name+": a link is printed", false, terminal(std) != nil)
	}
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: no terminal can be opened here: %v", err)
	}
	defer person.Close() // likewise
	if out := terminal(Streams{Out: file, Err: person}); out != person {
		t.Error("a link is not printed on a terminal")
	}
}
