package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Page holds the parts of a man page that are not in the command line's model.
type Page struct {
	Date    string // of the release, as 2006-01-02; empty when unknown
	Version string
	// Sections follow the commands, in their order.
	Sections []Section
}

// Section is a section of a man page: its heading, and pairs of a term and what it
// means.
type Section struct {
	Heading string
	Terms   [][2]string
}

// Man writes the man page of a program, section 1: its commands by their groups,
// each with its flags but those that its help hides.
func Man(w io.Writer, app *kong.Application, page Page) error {
	r := &roff{}
	// Programs parse the date and do not understand \-.
	r.raw(fmt.Sprintf(`.TH %s 1 "%s" "%s" "User Commands"`, strings.ToUpper(app.Name), page.Date, escaped(app.Name+" "+page.Version)))
	r.raw(".nh") // no hyphenation: a hyphenated name cannot be copied
	r.raw(".ad l")
	r.macro("SH", "NAME")
	r.raw(escaped(app.Name) + ` \- ` + escaped(strings.TrimSuffix(app.Help, ".")))
	r.macro("SH", "SYNOPSIS")
	r.bold(app.Name)
	r.raw(`\fIcommand\fR [\fIflags\fR]`)
	if app.Detail != "" {
		r.macro("SH", "DESCRIPTION")
		r.detail(app.Detail)
	}
	heading := ""
	for _, node := range app.Leaves(true) {
		if title := groupOf(node); title != heading {
			heading = title
			r.macro("SH", strings.ToUpper(title))
		}
		r.command(app.Name, node)
	}
	for _, section := range page.Sections {
		r.macro("SH", section.Heading)
		for _, term := range section.Terms {
			r.term(term[0], term[1])
		}
	}
	_, err := io.WriteString(w, r.String())
	return err
}

func groupOf(node *kong.Node) string {
	if group := node.ClosestGroup(); group != nil {
		return strings.TrimSuffix(group.Title, ":")
	}
	return "Commands"
}

// command writes one command.
func (r *roff) command(program string, node *kong.Node) {
	r.macro("SS", program+" "+node.Summary())
	r.text(node.Help)
	if node.Detail != "" {
		r.macro("PP")
		r.detail(node.Detail)
	}
	for _, arg := range node.Positional {
		if text := HelpText(arg); text != "" {
			r.term(arg.Summary(), text)
		}
	}
	group := ""
	for _, flag := range node.Flags {
		if flag.Hidden {
			continue
		}
		if flag.Group != nil && flag.Group.Title != group {
			group = flag.Group.Title
			r.macro("PP")
			r.bold(group)
		}
		name := "--" + flag.Name
		if !flag.IsBool() {
			name += "=" + flag.FormatPlaceHolder()
		}
		r.term(name, HelpText(flag.Value))
	}
}
