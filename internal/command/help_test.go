package command

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
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
