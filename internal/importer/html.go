package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML finds FAQPage JSON-LD (https://schema.org/FAQPage), then what the page shows.
func readHTML(text []byte) (entries []Entry, unread []string, err error) {
	page, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	for node := range page.Descendants() {
		kind := strings.ToLower(attribute(node, "type"))
		if node.DataAtom == atom.Script && strings.Contains(kind, "ld+json") && node.FirstChild != nil {
			var document any
			// Many blocks have line breaks inside texts. A broken block is skipped: others may be good.
			text := strings.Join(strings.Fields(node.FirstChild.Data), " ")
			if json.Unmarshal([]byte(text), &document) == nil {
				entries = append(entries, questionsOf(document)...)
			}
		}
	}
	shown, unread := readTitles(page, len(entries) > 0)
	return append(entries, shown...), unread, nil
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// questionType matches a Question of schema.org, by its name or address.
var questionType = regexp.MustCompile(`\bQuestion\b`)

// questionsOf finds every question in JSON-LD, however deep. An FAQPage may hold its questions or only their names.
func questionsOf(document any) (entries []Entry) {
	switch value := document.(type) {
	case []any:
		for _, one := range value {
			entries = append(entries, questionsOf(one)...)
		}
	case map[string]any:
		if questionType.MatchString(fmt.Sprint(value["@type"])) {
			return []Entry{{plain(textOf(value["name"])), plain(textOf(value["acceptedAnswer"]))}}
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			entries = append(entries, questionsOf(value[key])...)
		}
	}
	return entries
}

// textOf returns a text, that of an answer, or one with its language: {"@value": "…", "@language": "de"}.
func textOf(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		if len(value) > 0 {
			return textOf(value[0])
		}
	case map[string]any:
		return textOf(cmp.Or(value["text"], value["@value"]))
	}
	return ""
}

// markup matches what JSON-LD has of HTML. In other text, <name> means itself.
var markup = regexp.MustCompile(`(?i)</(a|b|i|em|strong|span|p|div|h\d|[uod]l|li|table)>|<(br|p|li)\b`)

// plain returns text without markup, because JSON-LD may hold HTML, even escaped.
func plain(text string) string {
	if !markup.MatchString(text) {
		text = strings.TrimSpace(html.UnescapeString(text)) // plain text keeps its line breaks
	}
	if page, err := html.Parse(strings.NewReader(text)); err == nil && markup.MatchString(text) {
		var out builder
		out.add(page)
		return out.String()
	}
	return text
}

// builder turns HTML into plain text: an empty line separates paragraphs, a dash begins
// a list item.
type builder struct {
	strings.Builder
	due     string // a space or line breaks, written before the next character
	item    bool   // what is written next starts a list item, on the line of its dash
	isTitle bool   // text of buttons is written, addresses and hidden signs are not
}

func (b *builder) add(node *html.Node) {
	switch {
	case node.Type == html.TextNode:
		b.write(node.Data)
	case b.isTitle && attribute(node, "aria-hidden") == "true", !b.isTitle && node.DataAtom == atom.Button:
		return
	}
	lines := "" // around the element
	switch node.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Form, atom.Nav, atom.Footer:
		return
	case atom.P, atom.Ul, atom.Ol, atom.Dl, atom.Blockquote, atom.Table, atom.Pre, atom.Figure, atom.Details, atom.Summary,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		lines = "\n\n"
	case atom.Div, atom.Section, atom.Article, atom.Header, atom.Aside, atom.Address, atom.Tr, atom.Dt, atom.Dd:
		lines = "\n"
	case atom.Td, atom.Th:
		b.write(" ")
	case atom.Br:
		b.apart("\n")
	case atom.Li:
		b.apart("\n")
		b.write("-")
		b.due, b.item = " ", true
	}
	b.apart(lines)
	for child := range node.ChildNodes() {
		b.add(child)
	}
	address := attribute(node, "href")
	isWeb := strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
	if node.DataAtom == atom.A && isWeb && !b.isTitle { // the text may depend on where it leads
		b.write(" (" + address + ")")
	}
	b.item = b.item && node.DataAtom != atom.Li
	b.apart(lines)
}

// apart puts line breaks before what follows.
func (b *builder) apart(lines string) {
	if lines != "" && !b.item && (b.due == " " || len(lines) > len(b.due)) {
		b.due = lines
	}
}

// write writes text with its white space folded.
func (b *builder) write(text string) {
	for _, r := range text {
		if unicode.IsSpace(r) {
			b.due = cmp.Or(b.due, " ")
			continue
		}
		if b.Len() > 0 {
			b.WriteString(b.due)
		}
		b.due, b.item = "", false
		b.WriteRune(r)
	}
}
