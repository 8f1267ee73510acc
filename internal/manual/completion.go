package manual

import (
	"cmp"
	"embed"
	"io"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

//go:embed *.tmpl
var templates embed.FS

// command is a subcommand as a shell completes it.
type command struct {
	Name, Help  string
	Flags, Args []value
}

// value is a flag or an argument.
type value struct {
	Name, Help string
	IsSwitch   bool   // a flag that takes no value
	Shown      string // as the help shows the value, such as HOST:PORT
	Choices    []string
	Paths      string // DIR or FILE if the value is a path
}

// Completes reports whether a shell can complete the value.
func (v value) Completes() bool { return len(v.Choices) > 0 || v.Paths != "" }

// choicesTag holds the values of a flag that kong does not check, separated by commas.
const choicesTag = "choices"

// newValue reads the possible values from kong's enum, from choicesTag, or from the
// placeholder: DIR or FILE.
func newValue(v *kong.Value, shown string) value {
	made := value{Name: v.Name, Help: v.Help, IsSwitch: v.IsBool(), Shown: strings.ToUpper(shown)}
	if choices := cmp.Or(v.Enum, v.Tag.Get(choicesTag)); choices != "" {
		made.Choices = strings.Split(choices, ",")
		return made
	}
	for _, kind := range []string{"FILE", "DIR"} {
		if strings.Contains(made.Shown, kind) {
			made.Paths = kind
		}
	}
	return made
}

// Completion writes the completion of bash, zsh or fish. That of bash does not need
// bash-completion, and works with bash 3.2 of macOS. That of zsh is a file _NAME on the
// fpath, or sourced. Flags that the help hides, because it lists them elsewhere, are
// completed too.
func Completion(w io.Writer, app *kong.Application, shell string) error {
	var commands []command
	for _, node := range app.Leaves(true) {
		one := command{Name: node.Name, Help: node.Help}
		for _, level := range node.AllFlags(false) {
			for _, flag := range level {
				one.Flags = append(one.Flags, newValue(flag.Value, flag.FormatPlaceHolder()))
			}
		}
		for _, argument := range node.Positional {
			one.Args = append(one.Args, newValue(argument, cmp.Or(argument.Tag.PlaceHolder, argument.Name)))
		}
		commands = append(commands, one)
	}
	return execute(w, shell+".tmpl", template.FuncMap{
		"join":   strings.Join,
		"quoted": func(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" },
		"fish":   func(word string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'" },
		"zsh":    strings.NewReplacer(`\`, `\\`, ":", `\:`, "[", `\[`, "]", `\]`).Replace,
	}, struct {
		Name     string
		Commands []command
	}{app.Name, commands})
}

// execute writes a template of this package. It may execute those that it defines.
func execute(w io.Writer, name string, functions template.FuncMap, data any) error {
	made := template.New(name).Funcs(functions)
	made.Funcs(template.FuncMap{"execute": func(name string, data any) (string, error) {
		var text strings.Builder
		err := made.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}})
	if _, err := made.ParseFS(templates, name); err != nil {
		return err
	}
	return made.Execute(w, data)
}
