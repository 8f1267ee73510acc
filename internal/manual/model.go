package manual

import (
	"cmp"
	"strings"

	"github.com/alecthomas/kong"
)

// command is a subcommand as a shell completes it.
type command struct {
	name, help string
	options    []option
	args       []value
}

// option is a flag. A switch takes no value.
type option struct {
	name     string // with its dashes
	help     string
	isSwitch bool
	value    value
}

// value is the value of a flag, or an argument.
type value struct {
	shown   string // as the help shows it, such as HOST:PORT
	choices []string
	paths   paths
}

// paths is the kind of path that a value may be.
type paths int

const (
	noPaths paths = iota
	folders
	files
)

// commands returns the subcommands of a program, in the order of its help. Flags that the
// help hides, because it lists them elsewhere, are completed too.
func commands(app *kong.Application) []command {
	var list []command
	for _, node := range app.Leaves(true) {
		one := command{name: node.Name, help: node.Help}
		for _, level := range node.AllFlags(false) {
			for _, flag := range level {
				one.options = append(one.options, newOption(flag))
			}
		}
		for _, positional := range node.Positional {
			one.args = append(one.args, newValue(positional, cmp.Or(positional.Tag.PlaceHolder, positional.Name)))
		}
		list = append(list, one)
	}
	return list
}

func newOption(flag *kong.Flag) option {
	return option{
		name:     "--" + flag.Name,
		help:     flag.Help,
		isSwitch: flag.IsBool(),
		value:    newValue(flag.Value, flag.FormatPlaceHolder()),
	}
}

// choicesTag holds the values of a flag that kong does not check, separated by commas.
const choicesTag = "choices"

// newValue reads the possible values from kong's enum, from choicesTag, or from the
// placeholder: DIR or FILE.
func newValue(v *kong.Value, shown string) value {
	made := value{shown: strings.ToUpper(shown)}
	switch choices := cmp.Or(v.Enum, v.Tag.Get(choicesTag)); {
	case choices != "":
		made.choices = strings.Split(choices, ",")
	case strings.Contains(made.shown, "DIR"):
		made.paths = folders
	case strings.Contains(made.shown, "FILE"):
		made.paths = files
	}
	return made
}
