package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Fish writes the completion of fish.
func Fish(w io.Writer, app *kong.Application) error {
	script := &strings.Builder{}
	name := app.Name
	fmt.Fprintf(script, fishHead, name)
	for _, c := range commands(app) {
		fmt.Fprintf(script, "complete -c %[1]s -n '__%[1]s_command_is' -a %[2]s -d %[3]s\n", name, c.name, fishQuoted(c.help))
		of := fmt.Sprintf("complete -c %[1]s -n '__%[1]s_command_is %[2]s'", name, c.name)
		for _, o := range c.options {
			fmt.Fprintf(script, "%s -l %s%s -d %s\n", of, strings.TrimPrefix(o.name, "--"), o.fish(), fishQuoted(o.help))
		}
		for _, arg := range c.args {
			if action := arg.fish(); action != "" {
				fmt.Fprintf(script, "%s%s\n", of, action)
			}
		}
	}
	_, err := io.WriteString(w, script.String())
	return err
}

// fishHead begins the script. The command is the second word, because a question may
// contain the name of another command.
const fishHead = `# fish completion of %[1]s, made by: %[1]s completion fish
function __%[1]s_command_is
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
complete -c %[1]s -f
complete -c %[1]s -n '__%[1]s_command_is' -l help -d 'Show help.'
`

// fish returns the completion of a flag's value; a switch has none.
func (o option) fish() string {
	if o.isSwitch {
		return ""
	}
	if o.value.paths == files {
		return " -r" + o.value.fish()
	}
	return " -x" + o.value.fish()
}

// fish returns the completion of a value, "" if there is none.
func (v value) fish() string {
	switch {
	case len(v.choices) > 0:
		return " -a " + fishQuoted(strings.Join(v.choices, " "))
	case v.paths == folders:
		return " -a '(__fish_complete_directories)'"
	case v.paths == files:
		return " -F"
	}
	return ""
}

// fishQuoted quotes a word for fish.
func fishQuoted(word string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'"
}
