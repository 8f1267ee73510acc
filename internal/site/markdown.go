package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"frontdesk/content"
	"frontdesk/contract"
)

// dialect reads the Markdown of the pages: with tables, and headings that carry their own ids
// ({#errors-not_found}), because made-up ones would lose the underscore. Raw HTML is dropped,
// and javascript: links are emptied.
func dialect(options ...renderer.Option) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAttribute()),
		goldmark.WithRendererOptions(options...),
	)
}

var dialectParser = dialect().Parser()

// imagePriority is higher than that of goldmark's own renderer.
const imagePriority = 100

// imageRenderer writes images with their dimensions, so that nothing moves when they
// load, and with smaller variants for phones.
type imageRenderer map[string]*picture

// RegisterFuncs implements renderer.NodeRenderer.
func (r imageRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindImage, r.render)
}

// proseWidth is how wide an image is in the text of a page.
const proseWidth = "(min-width: 46rem) 44rem, 100vw"

func (r imageRenderer) render(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image := node.(*ast.Image) // of this kind
	shown, ok := r[content.ImageName(string(image.Destination))]
	if !ok { // only in the service's own texts: content refuses unknown images
		return ast.WalkSkipChildren, nil
	}
	fmt.Fprintf(w, `<img src="%s" width="%d" height="%d" loading="lazy" decoding="async" alt="%s"`,
		shown.Path, shown.Width, shown.Height, template.HTMLEscapeString(wordsOf(image, source)))
	if shown.SrcSet != "" {
		fmt.Fprintf(w, ` srcset="%s" sizes="%s"`, shown.SrcSet, proseWidth)
	}
	_, _ = w.WriteString(">")
	return ast.WalkSkipChildren, nil
}

// wordsOf returns the text of a node without its marks and without the pictures in it.
func wordsOf(node ast.Node, source []byte) string {
	var words strings.Builder
	_ = ast.Walk(node, func(part ast.Node, entering bool) (ast.WalkStatus, error) {
		switch part := part.(type) {
		case *ast.Image:
			if part != node {
				return ast.WalkSkipChildren, nil
			}
		case *ast.AutoLink:
			if entering {
				words.Write(part.Label(source))
			}
		case *ast.Text:
			if entering {
				words.Write(util.UnescapePunctuations(part.Segment.Value(source)))
			} else if part.SoftLineBreak() || part.HardLineBreak() {
				words.WriteByte(' ')
			}
		default:
			if part.Type() == ast.TypeBlock {
				words.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(strings.Join(strings.Fields(words.String()), " "))
}

func parse(markdown string) (document ast.Node, source []byte) {
	source = []byte(markdown)
	return dialectParser.Parse(text.NewReader(source)), source
}

// toHTML renders Markdown. A wide table scrolls on a small screen, by keyboard too.
// Replacing <table> is safe: goldmark has escaped the text of the page.
func (e *edition) toHTML(markdown string) template.HTML {
	var out bytes.Buffer
	images := renderer.WithNodeRenderers(util.Prioritized(imageRenderer(e.site.assets.pictures), imagePriority))
	document, source := parse(markdown)
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := node.(*ast.Link); ok && entering {
			link.Destination = []byte(e.address("", string(link.Destination)))
		}
		return ast.WalkContinue, nil
	})
	if err := dialect(images).Renderer().Render(&out, source, document); err != nil {
		panic(err) // goldmark writes to memory
	}
	scrolling := strings.NewReplacer(
		"<table>", `<div class="scroll" tabindex="0" role="group" aria-label="`+template.HTMLEscapeString(e.t("frame.table"))+
			`"><table>`,
		"</table>", "</table></div>")
	return template.HTML(scrolling.Replace(out.String())) // goldmark drops raw HTML
}

// imageLine matches a line that has only images.
var imageLine = regexp.MustCompile(`^(!\[[^\]]*\]\([^)]*\)\s*)+$`)

// splitTitle separates the first-level heading, as plain text, from a text that begins with
// one, or with images and then one.
func splitTitle(markdown, otherwise string) (title, rest string) {
	markdown = strings.TrimLeft(markdown, "\r\n")
	line, rest, _ := strings.Cut(markdown, "\n")
	if strings.HasPrefix(line, "# ") {
		document, source := parse(markdown) // the addresses of its links may be below
		if title := wordsOf(document.FirstChild(), source); title != "" {
			return title, strings.TrimLeft(rest, "\r\n")
		}
		return otherwise, markdown // it is only a picture
	}
	if imageLine.MatchString(line) && strings.HasPrefix(strings.TrimLeft(rest, "\r\n"), "# ") {
		title, rest = splitTitle(rest, otherwise)
		return title, line + "\n\n" + rest
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

// markdown is the Markdown form of a page: its title, a link to the index for agents, and the text.
func (e *edition) markdown(title, text string) []byte {
	index := e.mark("The index of this site for agents: [llms.txt]("+e.site.Base+contract.PathLLMS+")", true)
	return []byte("# " + title + "\n\n> " + e.Name + ". " + index + "\n\n" + text)
}

// linked returns a text with absolute links. It is not for approved answers: their links must not change.
func (e *edition) linked(text string) string { return strings.TrimRight(e.absolute(text), "\n") + "\n" }

// destination matches where a Markdown link leads: after "](" or in a definition.
var destination = regexp.MustCompile(`(\]\(<?|^ {0,3}\[[^\]]+\]:\s*<?)([^\s)>]+)`)

// absolute makes the links of a Markdown text absolute, outside fenced code.
func (e *edition) absolute(markdown string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if !fenced {
			line = destination.ReplaceAllStringFunc(line, e.resolveLink)
		}
		out.WriteString(line)
	}
	return out.String()
}

func (e *edition) resolveLink(match string) string {
	parts := destination.FindStringSubmatch(match)
	return parts[1] + e.address(e.site.Base, parts[2])
}

// isOutside matches links that do not lead to another page of the site.
var isOutside = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*:|//|#|$)`)

// address returns where a link of a page leads. The home page of a further language is not in the folder of its pages.
func (e *edition) address(base, to string) string {
	if isOutside.MatchString(to) {
		return to
	}
	if image, ok := e.site.assets.pictures[content.ImageName(to)]; ok {
		return base + image.Path
	}
	if !strings.HasPrefix(to, "/") {
		to = e.path("/" + strings.TrimPrefix(to, "./"))
	}
	return base + to
}

// resolve makes an address of the site absolute.
func (e *edition) resolve(address string) string {
	if strings.HasPrefix(address, "/") {
		return e.site.Base + address
	}
	return address
}

// descriptionLength is about how much of a description a search engine shows, in
// characters.
const descriptionLength = 160

// firstWords returns the first text of a page that is no heading, for the page's
// description, shortened between words.
func firstWords(markdown string) string {
	document, source := parse(markdown)
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		all := wordsOf(block, source)
		if block.Kind() == ast.KindHeading || all == "" {
			continue
		}
		characters := []rune(all)
		if len(characters) <= descriptionLength {
			return all
		}
		end := strings.LastIndex(string(characters[:descriptionLength+1]), " ")
		if end < 0 { // as in Japanese
			end = len(string(characters[:descriptionLength]))
		}
		return all[:end] + " …"
	}
	return ""
}
