package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Bash writes the completion of bash. It does not need bash-completion, and works with
// bash 3.2 of macOS.
func Bash(w io.Writer, app *kong.Application) error {
	script := &strings.Builder{}
	list := commands(app)
	name := app.Name
	fmt.Fprintf(script, bashHead, name)
	fmt.Fprintf(script, "    if ((COMP_CWORD == 1)); then\n        _%s_words --help %s\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", name, strings.Join(names(list), " "))
	for _, c := range list {
		fmt.Fprintf(script, "    %s)\n", c.name)
		c.bash(script, name)
		fmt.Fprint(script, "        ;;\n")
	}
	fmt.Fprintf(script, "    esac\n}\ncomplete -F _%[1]s %[1]s\n", name)
	_, err := io.WriteString(w, script.String())
	return err
}

// bashHead begins the script. Bash splits --flag=value into three words.
const bashHead = `# bash completion of %[1]s, made by: %[1]s completion bash
_%[1]s_words() { COMPREPLY=($(compgen -W "$*" -- "$cur")); }
_%[1]s_paths() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$1" -- "$cur"))
}
_%[1]s() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
`

// bash writes the completion of one command: values of flags, flags, the argument.
func (c command) bash(script *strings.Builder, name string) {
	fmt.Fprint(script, "        case $prev in\n")
	var flags []string
	for _, o := range c.options {
		flags = append(flags, o.name)
		if !o.isSwitch {
			fmt.Fprintf(script, "        %s) %sreturn ;;\n", o.name, o.value.bash(name))
		}
	}
	fmt.Fprint(script, "        esac\n        case $cur in\n")
	fmt.Fprintf(script, "        -*) _%s_words %s ;;\n", name, strings.Join(flags, " "))
	if len(c.args) > 0 {
		if action := c.args[0].bash(name); action != "" {
			fmt.Fprintf(script, "        *) %s;;\n", action)
		}
	}
	fmt.Fprint(script, "        esac\n")
}

// bash returns the command that completes a value, "" if there is none.
func (v value) bash(name string) string {
	switch {
	case len(v.choices) > 0:
		return fmt.Sprintf("_%s_words %s; ", name, strings.Join(v.choices, " "))
	case v.paths == folders:
		return fmt.Sprintf("_%s_paths -d; ", name)
	case v.paths == files:
		return fmt.Sprintf("_%s_paths -f; ", name)
	}
	return ""
}

func names(list []command) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.name)
	}
	return all
}
