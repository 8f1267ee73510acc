package command

import (
	"cmp"
	_ "embed" // the scripts
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// scripts are the completions of bash (3.2 of macOS too), zsh and fish. A shell starts no
// program to complete a word, and a package can ship them.
//
//go:embed completion.tmpl
var scripts string

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish"`
}

func (c *completionCmd) Run(parsed *kong.Context, std Streams) error {
	zsh := strings.NewReplacer(`\`, `\\`, ":", `\:`, "[", `\[`, "]", `\]`, "'", `'\''`)
	functions := template.FuncMap{"values": values, "action": action, "quoted": quoted, "zsh": zsh.Replace}
	script := template.Must(template.New("").Funcs(functions).Parse(scripts))
	return script.ExecuteTemplate(std.Out, c.Shell, parsed.Model)
}

// value is a flag or an argument. Shown is its value in the help, such as HOST:PORT.
type value struct {
	*kong.Value
	Shown string
}

// values are the flags of a command, those that its help does not list too, and its arguments.
func values(command *kong.Node) (all []value) {
	for _, level := range command.AllFlags(false) {
		for _, flag := range level {
			all = append(all, value{flag.Value, strings.ToUpper(flag.FormatPlaceHolder())})
		}
	}
	for _, argument := range command.Positional {
		all = append(all, value{argument, strings.ToUpper(cmp.Or(argument.Tag.PlaceHolder, argument.Name))})
	}
	return all
}

// actions complete one of several words (@), a folder, a file and nothing.
var actions = map[string][4]string{
	"bash": {"-W @", "-d", "-f", ""},
	"zsh":  {"(@)", "_files -/", "_files", " "},
	"fish": {"-x -a '@'", "-x -a '(__fish_complete_directories)'", "-r -F", "-x"},
}

// action completes a value in a shell.
func action(shell string, v value) string {
	words := cmp.Or(v.Enum, v.Tag.Get("choices"))
	switch {
	case words != "":
		return strings.Replace(actions[shell][0], "@", strings.ReplaceAll(words, ",", " "), 1)
	case strings.Contains(v.Shown, "DIR"):
		return actions[shell][1]
	case strings.Contains(v.Shown, "FILE"):
		return actions[shell][2]
	}
	return actions[shell][3]
}

// quoted quotes a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
