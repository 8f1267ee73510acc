package command

import (
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

// manCmd writes the man page.
type manCmd struct{}

// Run writes it.
func (manCmd) Run(parsed *kong.Context, std Streams) error {
	this := thisBuild()
	return manual.Man(std.Out, parsed.Model, manPage(this.Version, this.day()))
}

// manPage is the man page beside the commands.
func manPage(version, date string) manual.Page {
	return manual.Page{
		Date:    date,
		Version: version,
		Sections: []manual.Section{
			{Heading: "EXIT STATUS", Terms: [][2]string{
				{"0", "Done."},
				{"1", "The service refused, the thing was not found, or a check failed."},
				{"2", "Wrong usage."},
				{"3", "The service could not be reached."},
			}},
			{Heading: "FILES", Terms: [][2]string{
				{"catalog.yaml, faq.yaml, golden.yaml, pages/*.md", "The content folder, as frontdesk init writes it."},
				{"data/frontdesk.db, data/signing-key.pem, data/mail", "Records, signing key, and mail while no mail server is set."},
			}},
			{Heading: "EXAMPLES", Terms: [][2]string{
				{"frontdesk serve", "Run the service with the sample content on http://localhost:8080."},
				{"frontdesk init mydesk", "Write the sample content into a folder, to make it your own."},
				{"frontdesk check mydesk && frontdesk serve --content mydesk", "Check it and serve it."},
				{`frontdesk ask "What does it cost?"`, "Ask a running service."},
			}},
		},
	}
}
