package site

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// developers is the developer page: every endpoint, limit and bound, commands that
// work when pasted, and the errors under the anchors errors-<code>, to which the type of
// a problem links.
func (e *edition) developers(now time.Time) Page {
	s := e.site
	title, intro := splitTitle(e.intros[nameDevelopers].Markdown, "For developers and agents")
	text := execute(e.text, "developers.md", data{
		"Intro": intro, "Base": s.Base, "MCPName": slug(s.Content.Name),
		"MCP": s.Catalog.Links.MCP, "WorkspaceMCP": s.Catalog.Links.Workspace(), "Service": s.Catalog.ServiceIDs()[0],
		"Ask":     quoted(contract.Question{Q: cmp.Or(s.Content.FAQ.LiveQuestion(now), "What do you offer?")}),
		"Contact": quoted(samplePilot), "Codes": contract.Codes(),
	})
	return e.page(view{
		Path: contract.PathDevelopers, Title: title, Lang: content.English, Now: now,
		Description: "The public API and the MCP servers of " + e.Name + ": endpoints, limits, errors and examples.",
		Template:    "developers", Shown: data{"Text": text, "Sections": sections(text)},
	}, e.linked(text))
}

var sectionHeading = regexp.MustCompile(`(?m)^## (.+) \{(#[a-z]+)\}$`)

// sections returns the second-level headings of a text that have an id.
func sections(markdown string) []link {
	var found []link
	for _, heading := range sectionHeading.FindAllStringSubmatch(markdown, -1) {
		found = append(found, link{Path: heading[2], Text: heading[1]})
	}
	return found
}

// samplePilot is a valid request; the page shows it as a dry run.
var samplePilot = contract.PilotRequest{
	Name: "Ada Lovelace", Business: "Corner Bakery", Email: "ada@example.com",
	Message: "We would like to try one service.", DryRun: true,
}

// quoted is a JSON body as an argument of a POSIX shell.
func quoted(body any) string {
	return "'" + strings.ReplaceAll(strings.TrimSpace(string(payload.JSON(body))), "'", `'\''`) + "'"
}

// slug makes a name that MCP clients accept: letters, digits and hyphens.
func slug(name string) string {
	return cmp.Or(strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-"), contract.Product)
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)
