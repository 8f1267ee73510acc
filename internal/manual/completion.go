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

// value is a flag or an argument.
type value struct {
	*kong.Value
	Shown   string // as the help shows the value, such as HOST:PORT
	Choices []string
	Paths   string // DIR or FILE if the value is a path
}

// Completes reports whether a shell can complete the value.
func (v value) Completes() bool { return len(v.Choices) > 0 || v.Paths != "" }

// choicesTag holds the values of a flag that kong does not check, separated by commas.
const choicesTag = "choices"

// newValue reads the possible values from kong's enum, from choicesTag, or from the
// placeholder: DIR or FILE.
func newValue(v *kong.Value, shown string) value {
	made := value{Value: v, Shown: strings.ToUpper(shown)}
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
	return execute(w, shell+".tmpl", template.FuncMap{
		"flags":  flags,
		"args":   args,
		"join":   strings.Join,
		"quoted": func(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" },
		"fish":   func(word string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'" },
		"zsh":    strings.NewReplacer(`\`, `\\`, ":", `\:`, "[", `\[`, "]", `\]`).Replace,
	}, app)
}

// flags are the flags of a command.
func flags(command *kong.Node) (values []value) {
	for _, level := range command.AllFlags(false) {
		for _, flag := range level {
			values = append(values, newValue(flag.Value, flag.FormatPlaceHolder()))
		}
	}
	return values
}

// args are the arguments of a command.
func args(command *kong.Node) (values []value) {
	for _, argument := range command.Positional {
		values = append(values, newValue(argument, cmp.Or(argument.Tag.PlaceHolder, argument.Name)))
	}
	return values
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
