package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Zsh writes the completion of zsh: a file _NAME on the fpath, or sourced.
func Zsh(w io.Writer, app *kong.Application) error {
	script := &strings.Builder{}
	list := commands(app)
	fmt.Fprintf(script, zshHead, app.Name)
	for _, c := range list {
		fmt.Fprintf(script, "            %s\n", quoted(zshEscaped(c.name)+":"+c.help))
	}
	fmt.Fprint(script, "        )\n        _describe command commands\n        return\n    fi\n    case $words[1] in\n")
	for _, c := range list {
		fmt.Fprintf(script, "    %s)\n        _arguments", c.name)
		for _, spec := range c.zsh() {
			fmt.Fprintf(script, " \\\n            %s", quoted(spec))
		}
		fmt.Fprint(script, "\n        ;;\n")
	}
	fmt.Fprintf(script, zshTail, app.Name)
	_, err := io.WriteString(w, script.String())
	return err
}

const zshHead = `#compdef %[1]s
# zsh completion of %[1]s, made by: %[1]s completion zsh
_%[1]s() {
    local curcontext=$curcontext state line
    typeset -A opt_args
    _arguments -C '(- *)--help[Show help.]' '1: :->command' '*:: :->arguments'
    if [[ $state == command ]]; then
        local -a commands=(
`

// zshTail makes the file work both on the fpath, where zsh calls the function at once,
// and when it is sourced.
const zshTail = `    esac
}
if [[ $funcstack[1] == _%[1]s ]]; then
    _%[1]s "$@"
else
    compdef _%[1]s %[1]s
fi
`

// zsh returns the arguments of _arguments for a command.
func (c command) zsh() []string {
	var specs []string
	for _, o := range c.options {
		spec := o.name
		if !o.isSwitch {
			spec += "="
		}
		spec += "[" + zshEscaped(o.help) + "]"
		if !o.isSwitch {
			spec += o.value.zsh()
		}
		specs = append(specs, spec)
	}
	for _, arg := range c.args {
		specs = append(specs, "*"+arg.zsh())
	}
	return specs
}

// zsh returns the message and the action of a value.
func (v value) zsh() string {
	action := " "
	switch {
	case len(v.choices) > 0:
		action = "(" + strings.Join(v.choices, " ") + ")"
	case v.paths == folders:
		action = "_files -/"
	case v.paths == files:
		action = "_files"
	}
	return ":" + zshEscaped(v.shown) + ":" + action
}

// zshEscaped escapes a text for a spec of _arguments or _describe.
func zshEscaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, ":", `\:`, "[", `\[`, "]", `\]`).Replace(text)
}

// quoted quotes a word for bash and zsh.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
