package importer

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// title is a text of a page that may be a question.
type title struct {
	node    *html.Node
	text    string
	isAsked bool // with a question mark
	// level says where the answer ends, if not at the next question: at a heading of this level (bold text is below
	// all headings); 0, after the first element with text; -1, at the end of the element around the title.
	level int
	// group is equal for titles with the same markup: headings and bold text, the terms of one list, the first cells of
	// one table, the controls of one class. It is nil for details elements.
	group any
}

const bold = 7

var (
	faqName = regexp.MustCompile(`(?i)\b(faqs?|questions|fragen|vragen|preguntas|domande|perguntas|pytania)\b`)
	// boilerplate matches the name, the id and the classes of an element outside the main text.
	boilerplate = regexp.MustCompile(`(?i)^(nav|header|footer|aside|dialog) |consent|cookie.?(b|notice|law)`)
	// footer matches those of the footer, at which an answer ends. An id of an answer may match boilerplate.
	footer = regexp.MustCompile(`(?i)^footer | (site-?|page-?)?footer( |$)`)
	// A question mark of Greek may look like a semicolon.
	questionMark = regexp.MustCompile(`[?？؟\x{37e}][\s"'”“»)*]*$|\p{Greek}.*;\s*$`)
)

// readTitles finds the questions that a page shows. Every details element is one, and so is a title with a question
// mark. If at least half of a group other than headings have one, all of it are questions. If all titles of an FAQ are
// alike and none has one, all are questions. unread holds the other titles of an FAQ that have text before the next
// title. If the questions are linked as JSON-LD, the page is not taken for an FAQ: other titles are no questions.
func readTitles(page *html.Node, isLinked bool) (entries []Entry, unread []string) {
	titles, questions, all := titlesIn(nil, page), map[*html.Node]title{}, map[*html.Node]title{}
	isFAQ := !isLinked && has(page, func(node *html.Node) bool {
		return (node.DataAtom == atom.Title || node.DataAtom == atom.H1) && faqName.MatchString(titleText(node))
	})
	scores := map[any]int{} // of a group: titles with a question mark less those without
	for _, one := range titles {
		all[one.node] = one
		scores[one.group]--
		if one.isAsked {
			scores[one.group] += 2
		}
	}
	for _, one := range titles {
		if one.isAsked || one.group == nil || one.level <= 0 && scores[one.group] >= 0 ||
			isFAQ && len(titles) > 1 && scores[one.group] == -len(titles) {
			questions[one.node] = one
		}
	}
	for _, one := range titles {
		if _, ok := questions[one.node]; ok {
			entries = append(entries, Entry{one.text, one.answer(questions)})
		} else if isFAQ && one.answer(all) != "" {
			unread = append(unread, one.text)
		}
	}
	return entries, unread
}

// titlesIn adds the titles in a node. A control or cell without a question mark may hold some.
func titlesIn(titles []title, node *html.Node) []title {
	if node.DataAtom != atom.Body && boilerplate.MatchString(naming(node)) {
		return titles
	}
	one := titleOf(node)
	if one.text != "" && (one.isAsked || one.level < bold) {
		titles = append(titles, one)
	}
	if !one.isAsked && one.level <= 0 && node.DataAtom != atom.Summary {
		for child := range node.ChildNodes() {
			titles = titlesIn(titles, child)
		}
	}
	return titles
}

// naming returns the name, the id and the classes of an element.
func naming(node *html.Node) string {
	if node.Type != html.ElementNode {
		return ""
	}
	return node.Data + " " + attribute(node, "id") + " " + attribute(node, "class")
}

// titleOf returns a title, without a text for other nodes.
func titleOf(node *html.Node) title {
	class, _, _ := strings.Cut(attribute(node, "class"), " ")
	one, above := title{node: node, level: headingLevel(node)}, node.Parent
	switch {
	case node.DataAtom == atom.Summary:
		one.level = -1
	case isControl(node), node.DataAtom == atom.Button, strings.HasSuffix(class, "question"):
		one.level, one.group = 0, node.Data+class
	case (one.level > 0 || node.DataAtom == atom.Dt) && has(node, isControl):
		return title{}
	case one.level > 1:
		one.group = bold
	case node.DataAtom == atom.Dt:
		one.group = above
	case node.DataAtom != 0 && above.DataAtom == atom.Tr && isFirst(node):
		one.level, one.group = -1, above.Parent
	case (node.DataAtom == atom.Strong || node.DataAtom == atom.B) && isFirst(node):
		one.level, one.group = bold, bold
	default:
		return one
	}
	one.text = titleText(node)
	one.isAsked = questionMark.MatchString(one.text)
	return one
}

// answer returns the text after a title in the smallest element around it that has text there, up to the next of ends
// or to the footer of the page.
func (t title) answer(ends map[*html.Node]title) string {
	var out builder
	for at := t.node; at.Parent != nil; at = at.Parent {
		for next := at.NextSibling; next != nil; next = next.NextSibling {
			isRead := t.level == 0 && out.Len() > 0 && next.DataAtom != 0 && next.DataAtom != atom.Dd
			if isRead || footer.MatchString(naming(next)) || has(next, func(node *html.Node) bool {
				end, ok := ends[node]
				level := headingLevel(node)
				return ok && (t.level > 0 || end.level <= 0) || level > 0 && level <= t.level
			}) {
				return out.String()
			}
			out.add(next)
		}
		if out.Len() > 0 && at.Parent.DataAtom != atom.P || out.Len() == 0 && !isFirst(at) {
			break
		}
	}
	return out.String()
}

// has reports whether a node or one inside it is of a kind.
func has(node *html.Node, is func(*html.Node) bool) bool {
	for one := range node.Descendants() {
		if is(one) {
			return true
		}
	}
	return is(node)
}

// isControl reports whether a node shows and hides another one.
func isControl(node *html.Node) bool {
	return attribute(node, "aria-controls")+attribute(node, "aria-expanded") != ""
}

// isFirst reports whether no text is before a node in its element or on its line. It looks through few empty elements.
func isFirst(node *html.Node) bool {
	for range 9 {
		node = node.PrevSibling
		if node == nil || node.DataAtom == atom.Br {
			return true
		} else if titleText(node) != "" {
			break
		}
	}
	return false
}

// headingLevel is 1 to 6, or 0 for other nodes.
func headingLevel(node *html.Node) int {
	return strings.Index("  h1h2h3h4h5h6", node.DataAtom.String()) / 2
}

// titleText returns a text without the signs that show whether its answer is open.
func titleText(node *html.Node) string {
	out := builder{isTitle: true}
	out.add(node)
	return strings.Trim(out.String(), " +-−–▼▾▸›×")
}
