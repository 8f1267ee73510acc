package content

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// yamlFile is a YAML file as nodes, with its comments and empty lines. HeadComment of the first node of a part,
// which is an item or a key with its value, has those above it; LineComment of its last node has the one beside it;
// FootComment of a list or a map has those below its parts. Each line begins with a line break there; an empty one
// is nothing else.
type yamlFile struct {
	root   *yaml.Node
	folded map[*yaml.Node]string // the lines of folded texts
	mark   string                // byte order mark
	isCRLF bool
	isJSON bool
}

// readYAML reads a YAML file, without checking what it says.
func readYAML(name string, data []byte) (*yamlFile, error) {
	s := &source{loader: &loader{}, name: name}
	text, hasMark := strings.CutPrefix(string(data), byteOrderMark)
	f := &yamlFile{isCRLF: strings.Contains(text, "\r\n"), isJSON: json.Valid([]byte(text)),
		folded: map[*yaml.Node]string{}}
	if hasMark {
		f.mark = byteOrderMark
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	root, ok := (*yaml.Node)(nil), s.isText([]byte(text))
	if ok {
		root, ok = s.document([]byte(text))
	}
	if !ok {
		return nil, s.faults
	}
	if f.root = root; !f.isJSON {
		root.Style &^= yaml.FlowStyle
	}
	r := &commentReader{yamlFile: f, lines: strings.Split(text, "\n"), starts: map[[2]int]*yaml.Node{}}
	r.prepare(root, 0)
	comments := r.comments()
	r.collect(root, nil, 0)
	r.place(comments)
	return f, nil
}

const (
	quotedStyle = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	blockStyle  = yaml.LiteralStyle | yaml.FoldedStyle
)

func isBlock(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Style&blockStyle != 0 }

// hasLines reports whether a node is a list or a map with its parts on lines of their own.
func hasLines(node *yaml.Node) bool { return len(node.Content) > 0 && node.Style&yaml.FlowStyle == 0 }

// partsOf are the nodes of each part.
func partsOf(node *yaml.Node) [][]*yaml.Node {
	size := 1
	if node.Kind == yaml.MappingNode {
		size = 2
	}
	return slices.Collect(slices.Chunk(node.Content, size))
}

// commentReader gives the nodes of a text its comments. The library knows them too, but loses some within brackets.
type commentReader struct {
	*yamlFile
	lines  []string
	starts map[[2]int]*yaml.Node // quoted texts, blocks and brackets by line and column
	parts  []*part
}

// part is a key with its value, or an item.
type part struct {
	first, last         *yaml.Node
	list                *yaml.Node // or map
	of                  *part      // that it is in
	isFirst             bool
	line, column, depth int
}

// comment is a comment or an empty line.
type comment struct {
	line, column int // from 0
	text         string
	isBeside     bool // something
}

// prepare removes the comments of the library, and notes where nodes begin whose part is indented by so much.
func (r *commentReader) prepare(node *yaml.Node, indent int) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	if line := r.lines[node.Line-1]; node.Style != 0 {
		column := 0
		for range node.Column - 1 {
			_, size := utf8.DecodeRuneInString(line[column:])
			column += size
		}
		r.starts[[2]int{node.Line - 1, column}] = node
	}
	if isBlock(node) {
		node.Column = indent
	}
	for _, nodes := range partsOf(node) {
		for _, child := range nodes {
			at := nodes[0].Column - 1
			if node.Kind == yaml.SequenceNode {
				at = node.Column - 1
			}
			r.prepare(child, at)
		}
	}
}

// comments are the comments and the empty lines. Brackets with a comment become lines.
func (r *commentReader) comments() (found []comment) {
	var open []*yaml.Node
	for line := 0; line < len(r.lines); line++ {
		if strings.TrimSpace(r.lines[line]) == "" {
			found = append(found, comment{line: line})
		}
		for at := 0; at < len(r.lines[line]); at++ {
			text, node := r.lines[line], r.starts[[2]int{line, at}]
			switch {
			case node != nil && node.Style&quotedStyle != 0:
				line, at = r.afterQuoted(line, at)
			case node != nil && isBlock(node):
				if note := strings.Index(text[at:], "#"); note >= 0 {
					found = append(found, comment{line, at, strings.TrimSpace(text[at+note:]), true})
				}
				line = r.afterBlock(line, text[at:], node) - 1
				at = len(r.lines[line])
			case node != nil && strings.ContainsRune("[{", rune(text[at])):
				open = append(open, node)
			case len(open) > 0 && strings.ContainsRune("]}", rune(text[at])):
				open = open[:len(open)-1]
			case text[at] == '#' && (at == 0 || text[at-1] == ' ' || text[at-1] == '\t'):
				found = append(found, comment{line, at, strings.TrimSpace(text[at:]), strings.TrimSpace(text[:at]) != ""})
				for _, brackets := range open {
					if len(brackets.Content) > 0 {
						brackets.Style &^= yaml.FlowStyle
					}
				}
				at = len(text)
			}
		}
	}
	return found
}

// afterQuoted returns where the last quotation mark is of a text that begins with one.
func (r *commentReader) afterQuoted(line, at int) (int, int) {
	mark := r.lines[line][at]
	for at++; ; at++ {
		for at >= len(r.lines[line]) {
			line, at = line+1, 0
		}
		switch text := r.lines[line]; {
		case mark == '"' && text[at] == '\\', text[at] == mark && mark == '\'' && strings.HasPrefix(text[at+1:], "'"):
			at++
		case text[at] == mark:
			return line, at
		}
	}
}

var blockHeader = regexp.MustCompile(`^[|>][-+]?([1-9]?)`)

// afterBlock returns the line after a block, without empty ones at its end.
func (r *commentReader) afterBlock(line int, header string, node *yaml.Node) (end int) {
	indent, first := -1, line+1
	if digit := blockHeader.FindStringSubmatch(header); digit != nil && digit[1] != "" {
		indent = node.Column + int(digit[1][0]-'0')
	}
	end = first
	for line++; line < len(r.lines); line++ {
		text := r.lines[line]
		bare := strings.TrimLeft(text, " ")
		if bare == "" {
			continue
		}
		if indent < 0 && len(text)-len(bare) > node.Column {
			indent = len(text) - len(bare)
		}
		if indent < 0 || len(text)-len(bare) < indent {
			break
		}
		end = line + 1
	}
	if node.Style&yaml.FoldedStyle != 0 {
		var folded strings.Builder
		for _, text := range r.lines[first:end] {
			folded.WriteString(strings.TrimLeft(text[:min(indent, len(text))], " ") + text[min(indent, len(text)):] + "\n")
		}
		breaks := node.Value[len(strings.TrimRight(node.Value, "\n")):]
		r.folded[node] = strings.TrimSuffix(folded.String(), "\n") + breaks
	}
	return end
}

// collect lists the parts that are on lines of their own below a node.
func (r *commentReader) collect(node *yaml.Node, of *part, depth int) {
	if !hasLines(node) {
		return
	}
	for i, nodes := range partsOf(node) {
		p := &part{nodes[0], nodes[len(nodes)-1], node, of, i == 0, nodes[0].Line - 1, nodes[0].Column - 1, depth}
		if node.Kind == yaml.SequenceNode {
			p.column = node.Column - 1
			for line := p.line; line >= node.Line-1; line-- { // the item may be below its dash
				if strings.HasPrefix(r.lines[line][min(p.column, len(r.lines[line])):], "-") {
					p.line = line
					break
				}
			}
		}
		r.parts = append(r.parts, p)
		r.collect(p.last, p, depth+1)
	}
}

// place gives comments, in their order, to the parts before or after them.
func (r *commentReader) place(comments []comment) {
	const none = math.MaxInt
	next, isApart, level := 0, false, none // level is the depth of the last comment since the part before
	above := func(p *part, text string) {
		for p.isFirst && p.of != nil && p.of.list.Kind == yaml.SequenceNode { // comments of its first key are above an item
			p = p.of
		}
		p.first.HeadComment += "\n" + text
	}
	advance := func(line int) {
		for ; next < len(r.parts) && r.parts[next].line <= line; next++ {
			if isApart {
				above(r.parts[next], "")
			}
			isApart, level = false, none
		}
	}
	for _, c := range comments {
		advance(c.line)
		var before *part
		depth := -1 // of the next part
		if next > 0 {
			before = r.parts[next-1]
		}
		if next < len(r.parts) {
			depth = r.parts[next].depth
		}
		switch {
		case before != nil && !hasLines(before.last) && c.line < before.last.Line-1: // between a key and its value
			if c.text != "" {
				above(before, c.text)
			}
			continue
		case c.text == "":
			isApart = true
			continue
		case !c.isBeside || before == nil || level != none:
		case hasLines(before.last) && before.first == before.last: // beside a dash
			above(before, c.text)
			continue
		case before.last.LineComment == "":
			before.last.LineComment = "\n" + c.text
			continue
		}
		text := c.text
		if isApart {
			text = "\n" + text
		}
		isApart = false
		for before != nil && before.depth > depth && (before.depth > level || before.column > c.column) {
			before = before.of
		}
		switch {
		case before != nil && before.depth > depth:
			before.list.FootComment += "\n" + text
			level = before.depth
		case depth >= 0:
			above(r.parts[next], text)
			level = depth
		default:
			r.root.FootComment += "\n" + text
			level = 0
		}
	}
	advance(len(r.lines))
}

// yamlWriter copies nodes for the library to write them in the canonical form.
type yamlWriter struct {
	*yamlFile
	below  []string // comments below what is copied
	hidden []string // texts that the library would escape, and the signs that stand in for them
	signs  map[string]string
}

// A line that begins with ownLine is a comment for the library, but written as it is; the block of lines beside
// foldedLines is a folded text. Content has none of these control characters.
const (
	ownLine     = "#\x01"
	foldedLines = "#\x02"
)

var (
	ownLines    = regexp.MustCompile(`(?m)^ *` + ownLine)
	foldedBlock = regexp.MustCompile(`\|([-+0-9]*) ` + foldedLines)
	// hidden matches what the library would escape, hiddenInBlock why it would write no block.
	hidden        = regexp.MustCompile(`[\x{10000}-\x{10ffff}]`)
	hiddenInBlock = regexp.MustCompile(`(?m)[\x{10000}-\x{10ffff}\t]| +$`)
)

// text is the file in the canonical form.
func (f *yamlFile) text() (text string, err error) {
	var out bytes.Buffer
	if f.isJSON {
		err = json.Indent(&out, []byte(jsonOf(f.root)), "", "  ")
		text = out.String() + "\n"
	} else {
		w := &yamlWriter{yamlFile: f, signs: map[string]string{}}
		dumper, _ := yaml.NewDumper(&out, yaml.WithIndent(2), yaml.WithLineWidth(-1), yaml.WithUnicode(true),
			yaml.WithCompactSeqIndent(false), yaml.WithQuotePreference(yaml.QuoteDouble)) // options that there are
		err = errors.Join(dumper.Dump(w.copy(f.root, 0, false)), dumper.Close())
		text = foldedBlock.ReplaceAllString(ownLines.ReplaceAllString(out.String(), ""), ">$1")
		text = strings.NewReplacer(w.hidden...).Replace(text)
		for _, line := range w.below {
			text += line + "\n"
		}
	}
	if f.isCRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return f.mark + text, err
}

// hide replaces what a pattern matches with signs for private use.
func (w *yamlWriter) hide(text string, what *regexp.Regexp) string {
	return what.ReplaceAllStringFunc(text, func(found string) string {
		if w.signs[found] == "" {
			w.signs[found] = string(rune(0xE000 + len(w.signs)))
			w.hidden = append(w.hidden, w.signs[found], found)
		}
		return w.signs[found]
	})
}

// copy returns a node at a depth of parts, as the library is to write it.
func (w *yamlWriter) copy(node *yaml.Node, depth int, inBrackets bool) *yaml.Node {
	made := &yaml.Node{Kind: node.Kind, Tag: node.Tag, LineComment: strings.TrimPrefix(node.LineComment, "\n")}
	if node.Kind == yaml.ScalarNode {
		w.copyText(made, node, inBrackets)
		return made
	}
	if inBrackets = inBrackets || fitsBrackets(node); inBrackets {
		made.Style = yaml.FlowStyle
	}
	for i, nodes := range partsOf(node) {
		first, last := nodes[0], nodes[len(nodes)-1]
		above := commentLines(first.HeadComment, depth)
		if last != first {
			above = append(above, commentLines(last.HeadComment, depth)...)
		}
		if i > 0 && isGroup(node, last, depth) && !slices.Contains(above, "") {
			above = append([]string{""}, above...)
		}
		for i == 0 && len(above) > 0 && above[0] == "" {
			above = above[1:]
		}
		if made.Kind == yaml.SequenceNode && !inBrackets && len(last.Content) > 0 && !fitsBrackets(last) {
			above = append(above, commentLines(last.LineComment, depth)...) // nothing can be beside a dash
		}
		above, w.below = slices.Compact(append(w.below, above...)), nil // one empty line is enough
		for _, node := range nodes {
			made.Content = append(made.Content, w.copy(node, depth+1, inBrackets))
		}
		if copied := made.Content[len(made.Content)-1]; hasLines(copied) {
			made.Content[len(made.Content)-len(nodes)].LineComment = copied.LineComment // beside the key
			copied.LineComment = ""
		}
		for _, line := range above {
			made.Content[len(made.Content)-len(nodes)].HeadComment += ownLine + line + "\n"
		}
	}
	w.below = append(w.below, commentLines(node.FootComment, depth)...)
	return made
}

// copyText gives a text its style: blocks stay, the library decides where others need quotes.
func (w *yamlWriter) copyText(made, node *yaml.Node, inBrackets bool) {
	made.Value = w.hide(node.Value, hidden)
	lines, isFolded := w.folded[node]
	isFolded = isFolded && node.Style&yaml.FoldedStyle != 0
	if !isFolded {
		lines = node.Value
	}
	switch {
	case isBlock(node) && !inBrackets && fitsBlock(strings.TrimSuffix(lines, "\n")):
		if made.Style, made.Value = yaml.LiteralStyle, w.hide(lines, hiddenInBlock); isFolded {
			made.LineComment = strings.TrimSpace(foldedLines + " " + made.LineComment)
		}
		return
	case isBlock(node):
		made.Value = strings.TrimSuffix(made.Value, "\n") // as the loader does
	case inBrackets && node.ShortTag() == nullTag:
		made.Value = "null"
	}
	if strings.Contains(made.Value, "\n") {
		made.Style = yaml.DoubleQuotedStyle
	}
}

// fitsBlock reports whether a text can be written as a block.
func fitsBlock(text string) bool {
	return strings.TrimSpace(text) != "" && text[0] != '\n' && !strings.HasSuffix(text, "\n") &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return isControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) || r == '\ufeff'
		})
}

// fitsBrackets reports whether a list or a map is written within brackets.
func fitsBrackets(node *yaml.Node) bool { return !hasLines(node) && !needsLines(node) }

// needsLines reports whether a node, or something below it, cannot be within brackets: a block, a comment, or a list of
// items with ids.
func needsLines(node *yaml.Node) bool {
	return slices.ContainsFunc(node.Content, func(child *yaml.Node) bool {
		_, id := member(child, "id")
		return node.Kind == yaml.SequenceNode && id != nil || isBlock(child) ||
			child.HeadComment+child.LineComment+child.FootComment != "" || needsLines(child)
	})
}

// isGroup reports whether an empty line is above a part: an item with an id, or a key of the file, of several lines.
func isGroup(of, value *yaml.Node, depth int) bool {
	_, id := member(value, "id")
	return len(value.Content) > 0 && !fitsBrackets(value) &&
		(of.Kind == yaml.SequenceNode && id != nil || of.Kind == yaml.MappingNode && depth == 0)
}

// commentLines are the lines of a comment of parts at a depth.
func commentLines(comment string, depth int) []string {
	lines := strings.Split(comment, "\n")[1:]
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat("  ", depth) + line
		}
	}
	return lines
}

// jsonOf is a value as JSON.
func jsonOf(node *yaml.Node) string {
	var parts []string
	switch {
	case node.Kind == yaml.ScalarNode && (node.ShortTag() == strTag || !json.Valid([]byte(node.Value))):
		return jsonText(plainText(node))
	case node.Kind == yaml.ScalarNode:
		return node.Value
	}
	for _, nodes := range partsOf(node) {
		text := jsonOf(nodes[0])
		if len(nodes) > 1 {
			text = jsonText(nodes[0].Value) + ":" + jsonOf(nodes[1])
		}
		parts = append(parts, text)
	}
	if node.Kind == yaml.MappingNode {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// jsonText writes a value of Go as JSON.
func jsonText(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // of texts, which never fails
	return strings.TrimSuffix(out.String(), "\n")
}
