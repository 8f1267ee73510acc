package importer

import (
	"bytes"
	"encoding/json"
	"mime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML finds FAQPage JSON-LD (https://schema.org/FAQPage), then details elements.
func readHTML(text []byte) ([]Entry, error) {
	page, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var linked, details []Entry
	var read func(node *html.Node, depth int)
	read = func(node *html.Node, depth int) {
		kind, _, _ := mime.ParseMediaType(attribute(node, "type")) // "" for an invalid type
		switch {
		case node.DataAtom == atom.Script && kind == "application/ld+json" && node.FirstChild != nil:
			var document any
			// Many blocks have line breaks inside texts. A broken block is skipped: others may be good.
			text := strings.NewReplacer("\r", " ", "\n", " ", "\t", " ").Replace(node.FirstChild.Data)
			if json.Unmarshal([]byte(text), &document) == nil {
				linked = append(linked, questionsOf(document)...)
			}
		case node.DataAtom == atom.Details:
			if depth++; depth <= maxNested {
				details = append(details, detailsEntry(node))
			}
		}
		for child := range node.ChildNodes() {
			read(child, depth)
		}
	}
	read(page, 0)
	return append(linked, details...), nil
}

// maxNested is how deep details elements are read inside each other. The text of each is
// also part of those around it.
const maxNested = 10

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// questionsOf finds the questions of every FAQPage in JSON-LD, however deep.
func questionsOf(document any) (entries []Entry) {
	switch value := document.(type) {
	case []any:
		for _, one := range value {
			entries = append(entries, questionsOf(one)...)
		}
	case map[string]any:
		if hasType(value, "FAQPage") {
			return questionList(value["mainEntity"])
		}
		for _, key := range []string{"@graph", "mainEntity", "hasPart", "subjectOf", "mainEntityOfPage"} {
			entries = append(entries, questionsOf(value[key])...)
		}
	}
	return entries
}

func questionList(value any) (entries []Entry) {
	for _, one := range listOf(value) {
		if question, _ := one.(map[string]any); hasType(question, "Question") {
			entries = append(entries, Entry{plain(textOf(question["name"])), plain(answerOf(question["acceptedAnswer"]))})
		}
	}
	return entries
}

func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

func hasType(object map[string]any, want string) bool {
	return slices.ContainsFunc(listOf(object["@type"]), func(one any) bool {
		return slices.Contains([]any{want, "schema:" + want, "http://schema.org/" + want, "https://schema.org/" + want}, one)
	})
}

func answerOf(value any) string {
	if list := listOf(value); len(list) > 0 {
		value = list[0]
	}
	if answer, ok := value.(map[string]any); ok {
		return textOf(answer["text"])
	}
	return textOf(value)
}

func textOf(value any) string {
	if object, ok := value.(map[string]any); ok { // {"@value": "…", "@language": "de"}
		value = object["@value"]
	}
	text, _ := value.(string)
	return text
}

// plain returns text without markup, because JSON-LD may hold HTML, even escaped.
func plain(text string) string {
	if !strings.Contains(text, "<") {
		text = strings.TrimSpace(html.UnescapeString(text))
		if !strings.HasPrefix(text, "<") || !strings.HasSuffix(text, ">") || !strings.Contains(text, "</") {
			return text // plain text, which keeps its line breaks
		}
	}
	nodes, err := html.ParseFragment(strings.NewReader(text),
		&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return text
	}
	var out builder
	for _, node := range nodes {
		out.add(node)
	}
	return out.String()
}

// detailsEntry reads a details element: its summary is the question, the rest the answer.
func detailsEntry(details *html.Node) Entry {
	var question, answer builder
	for node := range details.ChildNodes() {
		if node.DataAtom == atom.Summary {
			question.add(node)
			continue
		}
		answer.add(node)
	}
	return Entry{question.String(), answer.String()}
}

// builder turns HTML into plain text: an empty line separates paragraphs, a dash begins
// a list item.
type builder struct {
	text strings.Builder
	due  string // a space or line breaks, written before the next character
	item bool   // what is written next starts a list item, on the line of its dash
}

func (b *builder) String() string { return b.text.String() }

func (b *builder) add(node *html.Node) {
	switch {
	case node.Type == html.TextNode:
		b.write(node.Data)
		return
	case node.Type != html.ElementNode:
		return
	}
	switch node.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Button, atom.Form:
		return
	case atom.Td, atom.Th:
		b.write(" ")
	case atom.Br:
		b.apart("\n")
	case atom.Li:
		b.apart("\n")
		b.write("-")
		b.due, b.item = " ", true
	}
	lines := paragraphs[node.DataAtom]
	b.apart(lines)
	for child := range node.ChildNodes() {
		b.add(child)
	}
	address := attribute(node, "href")
	isWeb := strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
	if node.DataAtom == atom.A && isWeb { // the text may depend on where it leads
		b.write(" (" + address + ")")
	}
	b.item = b.item && node.DataAtom != atom.Li
	b.apart(lines)
}

// paragraphs maps block elements to the line breaks around them.
var paragraphs = map[atom.Atom]string{
	atom.P: "\n\n", atom.Ul: "\n\n", atom.Ol: "\n\n", atom.Blockquote: "\n\n", atom.Table: "\n\n", atom.Pre: "\n\n",
	atom.H1: "\n\n", atom.H2: "\n\n", atom.H3: "\n\n", atom.H4: "\n\n", atom.H5: "\n\n", atom.H6: "\n\n",
	atom.Details: "\n\n", atom.Summary: "\n\n", atom.Dl: "\n\n", atom.Figure: "\n\n",
	atom.Div: "\n", atom.Section: "\n", atom.Article: "\n", atom.Tr: "\n", atom.Dt: "\n", atom.Dd: "\n",
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
			if b.due == "" {
				b.due = " "
			}
			continue
		}
		if b.text.Len() > 0 {
			b.text.WriteString(b.due)
		}
		b.due, b.item = "", false
		b.text.WriteRune(r)
	}
}
