// Package manual generates the reference of a command line from its kong model: the
// --help texts, the man page, and the completions of bash, zsh and fish.
//
// Completions are whole scripts: a shell completes without starting the program,
// and a package can ship them as files.
package manual

import (
	"strings"

	"github.com/alecthomas/kong"
)

// HelpText is the --help text of a flag or an argument: its description, its default
// and its variable. It is a kong.HelpValueFormatter.
func HelpText(v *kong.Value) string {
	text := withDefault(v)
	if len(v.Tag.Envs) == 0 {
		return text
	}
	return strings.TrimSuffix(text, ".") + " ($" + strings.Join(v.Tag.Envs, ", $") + ")."
}

// withDefault adds the default, unless the text already gives it.
func withDefault(v *kong.Value) string {
	if !v.HasDefault || v.Default == "" || v.IsBool() || strings.Contains(v.Help, "Default:") {
		return v.Help
	}
	return v.Help + " Default: " + v.Default + "."
}
