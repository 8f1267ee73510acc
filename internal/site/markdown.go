package site

import (
	"bytes"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"frontdesk/contract"
)

// goldmarkPages turns Markdown into HTML: tables, and headings that carry their own
// ids ({#errors-not_found}), because made-up ones would lose the underscore. Raw
// HTML is dropped, and javascript: links are emptied.
var goldmarkPages = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAttribute()),
)

// scrolling lets a wide table scroll on a small screen, by keyboard too. The text of
// a page cannot hold the tags: goldmark has escaped it.
var scrolling = strings.NewReplacer("<table>", `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`,
	"</table>", "</table></div>")

// toHTML renders Markdown.
func toHTML(markdown string) template.HTML {
	var out bytes.Buffer
	if err := goldmarkPages.Convert([]byte(markdown), &out); err != nil {
		panic(err) // goldmark writes to memory and reads any text
	}
	return template.HTML(scrolling.Replace(out.String())) //nolint:gosec // goldmark drops raw HTML
}

// splitTitle takes the first-level heading off a text that begins with one.
func splitTitle(markdown, otherwise string) (title, rest string) {
	markdown = strings.TrimLeft(markdown, "\r\n")
	line, rest, _ := strings.Cut(markdown, "\n")
	if heading, ok := strings.CutPrefix(line, "# "); ok {
		return strings.TrimSpace(heading), strings.TrimLeft(rest, "\r\n")
	}
	return otherwise, markdown
}

// splitLead cuts a text before its first second-level heading.
func splitLead(markdown string) (lead, rest string) {
	if i := strings.Index("\n"+markdown, "\n## "); i >= 0 {
		return markdown[:i], markdown[i:]
	}
	return markdown, ""
}

// markdown is the Markdown form of a page: its title, the way to the index for
// agents, and the text with absolute links.
func (s *Site) markdown(title, text string) []byte {
	return []byte("# " + title + "\n\n" + s.pointer() + strings.TrimRight(s.absolute(text), "\n") + "\n")
}

// pointer tells an agent that has met one page where the index of all is. It stands
// near the top of every page.
func (s *Site) pointer() string {
	return "> " + s.Content.Business.Name + ". The index of this site for agents: [llms.txt](" + s.Base + contract.PathLLMS + ")\n\n"
}

// destination is where a Markdown link leads: after "](" or in a definition.
var destination = regexp.MustCompile(`(\]\(<?|^ {0,3}\[[^\]]+\]:\s*<?)([^\s)>]+)`)

// absolute makes the links of a Markdown text absolute, outside fenced code.
func (s *Site) absolute(markdown string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if !fenced {
			line = destination.ReplaceAllStringFunc(line, s.resolveLink)
		}
		out.WriteString(line)
	}
	return out.String()
}

var hasScheme = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*:|//|#)`)

func (s *Site) resolveLink(match string) string {
	parts := destination.FindStringSubmatch(match)
	opening, to := parts[1], parts[2]
	if hasScheme.MatchString(to) {
		return match
	}
	return opening + s.Base + "/" + strings.TrimLeft(strings.TrimPrefix(to, "./"), "/")
}

// resolve makes an address of the site absolute.
func (s *Site) resolve(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.Base + address
	}
	return address
}

// descriptionLength is about what a search engine shows of a page's description.
const descriptionLength = 160

var (
	marks    = strings.NewReplacer("**", "", "`", "")
	linkText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// firstWords is the first paragraph of a text, shortened between words, for a
// page's description.
func firstWords(markdown string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(markdown), "\n\n")
	words := ""
	for word := range strings.FieldsSeq(marks.Replace(linkText.ReplaceAllString(paragraph, "$1"))) {
		if len(words)+len(word) > descriptionLength {
			return words + " …"
		}
		words = strings.TrimSpace(words + " " + word)
	}
	return words
}
