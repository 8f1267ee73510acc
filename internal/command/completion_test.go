package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/programs"
)

// sampleApp has one of everything that a command line can have.
func sampleApp(t *testing.T) *kong.Application {
	t.Helper()
	var grammar struct {
		Serve struct {
			Addr  string   `env:"DESK_ADDR" default:":8080" placeholder:"HOST:PORT" help:"Where to listen: any [host]."`
			Level string   `default:"info" placeholder:"LEVEL" choices:"debug,info,warn" help:"How much it's telling. Default: little."`
			Data  string   `placeholder:"DIR" help:"Folder."`
			Key   string   `placeholder:"PEM|FILE" help:"Key."`
			Pages []string `placeholder:"PAGE" help:"Pages."`
			Quiet bool     `help:"Say nothing."`
			Old   string   `hidden:"" help:"Listed elsewhere."`
		} `cmd:"" group:"Service:" help:"Run it."`
		Init struct {
			Dir string `arg:"" help:"Folder to write to."`
		} `cmd:"" group:"Service:" help:"Begin: here."`
		Read struct {
			File  string `arg:"" help:"File to read."`
			Shape string `enum:"json,text" default:"text" help:"Shape."`
		} `cmd:"" group:"Reading:" help:"Read it."`
		Secret struct{} `cmd:"" hidden:"" help:"Nobody's."`
	}
	parser := expect.Value(kong.New(&grammar, kong.Name("desk"), kong.Description("A desk.")))(t)
	return parser.Model
}

func script(t *testing.T, shell string) []byte {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, (&completionCmd{shell}).Run(&kong.Context{Kong: &kong.Kong{Model: sampleApp(t)}}, Streams{Out: &out}))
	return out.Bytes()
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for file, text := range map[string][]byte{
		"desk.bash": script(t, "bash"), "_desk": script(t, "zsh"), "desk.fish": script(t, "fish"),
	} {
		golden.Check(t, filepath.Join("internal", "command", "testdata", file), text)
	}
}

// completions are command lines and what is offered for their last word, in a folder with "a file", "b.txt" and "pages
// here".
var completions = map[string]string{
	"se":              "serve",
	"":                "init, read, serve",
	"serve --le":      "--level",
	"serve --ol":      "--old", // the help hides it
	"serve --level d": "debug",
	"read --shape ":   "json, text",
	"serve --addr ":   "",
	"serve --data p":  "pages here",
	"serve --key a":   "a file",
	"init ":           "pages here",
	"read b":          "b.txt",
	"read --lev":      "", // a flag of another command
}

// Zsh completes only on a terminal, so it only parses the script.
func TestCompletions(t *testing.T) {
	t.Parallel()
	bash := programs.Find(t, "bash", "apt-get install bash")
	fish := programs.Find(t, "fish", "apt-get install fish")
	zsh := programs.Find(t, "zsh", "apt-get install zsh")
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"a file": nil, "b.txt": nil,
		".bash": script(t, "bash"), ".zsh": script(t, "zsh"), ".fish": script(t, "fish"),
	} {
		expect.Write(t, filepath.Join(dir, name), text)
	}
	expect.OK(t, os.Mkdir(filepath.Join(dir, "pages here"), 0o700))
	for words, offered := range completions {
		want := slices.DeleteFunc(strings.Split(offered, ", "), func(one string) bool { return one == "" })
		t.Run("bash: "+words, func(t *testing.T) {
			t.Parallel()
			line := `source .bash; COMP_WORDS=(desk "$@"); COMP_CWORD=$#; _desk; printf '%s\n' "${COMPREPLY[@]}"`
			wantOffered(t, want, shell(t, dir, bash, append([]string{"--norc", "-c", line, "bash"}, strings.Split(words, " ")...)...))
		})
		t.Run("fish: "+words, func(t *testing.T) {
			t.Parallel()
			wantOffered(t, want, shell(t, dir, fish, "--no-config", "-c", "source .fish; complete -C 'desk "+words+"'"))
		})
	}
	t.Run("bash: behind an equals sign", func(t *testing.T) {
		t.Parallel()
		line := `source .bash; COMP_WORDS=(desk serve --level = w); COMP_CWORD=4; _desk; printf '%s\n' "${COMPREPLY[@]}"`
		wantOffered(t, []string{"warn"}, shell(t, dir, bash, "--norc", "-c", line))
	})
	t.Run("zsh reads it", func(t *testing.T) {
		t.Parallel()
		wantOffered(t, []string{"_desk"}, shell(t, dir, zsh, "-f", "-c", `autoload -U compinit; compinit -D; source .zsh; print $_comps[desk]`))
	})
}

func shell(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// wantOffered ignores the order, the descriptions of fish behind a tab, and --help.
func wantOffered(t *testing.T, want []string, out string) {
	t.Helper()
	got := []string{}
	for line := range strings.Lines(out) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		word = strings.TrimSuffix(strings.ReplaceAll(word, `\ `, " "), "/")
		if word != "" && word != "--help" {
			got = append(got, word)
		}
	}
	slices.Sort(got)
	expect.Same(t, "offered", want, got)
}
