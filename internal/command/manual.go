package command

import (
	_ "embed" // sections.man

	"github.com/alecthomas/kong"

	"frontdesk/internal/manual"
)

// completionCmd writes what lets a shell complete command lines.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run writes the script.
func (c *completionCmd) Run(parsed *kong.Context, std Streams) error {
	return manual.Completion(std.Out, parsed.Model, c.Shell)
}

// manSections come after the commands on the man page.
//
//go:embed sections.man
var manSections string

// manCmd writes the man page.
type manCmd struct{}

// Run writes it.
func (manCmd) Run(parsed *kong.Context, std Streams) error {
	this := thisBuild()
	return manual.Man(std.Out, parsed.Model, this.Version, this.day(), manSections)
}
