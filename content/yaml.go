package content

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/internal/payload"

	"go.yaml.in/yaml/v4"
)

// yamlFile is a YAML file as nodes, with its comments and empty lines. A part is an item of a list, or a key with its
// value. HeadComment of its first node holds the comments above it, and LineComment of its last node the one beside it.
// FootComment of a list or a map holds those below its parts. Each line of a comment begins with a line break, and an
// empty line is only a line break.
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
	text := strings.TrimPrefix(string(data), byteOrderMark)
	f := &yamlFile{isCRLF: strings.Contains(text, "\r\n"), isJSON: json.Valid([]byte(text)),
		mark: string(data[:len(data)-len(text)]), folded: map[*yaml.Node]string{}}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if s.isText([]byte(text)) {
		f.root = s.document([]byte(text))
	}
	if s.faults != nil {
		return nil, s.faults
	}
	if f.isJSON {
		return f, nil
	}
	f.root.Style &^= yaml.FlowStyle
	r := &commentReader{yamlFile: f, lines: strings.SplitAfter(text+"\n", "\n"), brackets: map[int]*yaml.Node{}}
	for _, line := range r.lines {
		r.starts = append(r.starts, len(r.bare))
		r.bare = append(r.bare, line...)
	}
	r.prepare(f.root)
	comments := r.comments()
	r.collect(f.root, nil, 0)
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
	lines    []string
	starts   []int              // of the lines in the text
	bare     []byte             // the text, with zeros in place of quoted texts and blocks
	brackets map[int]*yaml.Node // by where they open in the text
	parts    []*part

	line, column int // of the last node that was prepared
	at           int // that column in bytes, from 0
}

// part is a key with its value, or an item.
type part struct {
	first, last         *yaml.Node
	list                *yaml.Node // or map
	of                  *part      // that it is in
	line, column, depth int
}

// comment is a comment or an empty line.
type comment struct {
	line, column int // from 0
	text         string
	isBeside     bool // something
}

var quotedText = regexp.MustCompile(`(?s)^(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')`)

// prepare removes the comments of the library, and clears the texts that may hold what looks like one.
func (r *commentReader) prepare(node *yaml.Node) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	if node.Line != r.line || node.Column < r.column {
		r.line, r.column, r.at = node.Line, 1, 0
	}
	for ; r.column < node.Column; r.column++ {
		_, size := utf8.DecodeRuneInString(r.lines[r.line-1][r.at:])
		r.at += size
	}
	at := r.starts[r.line-1] + r.at
	switch {
	case node.Style&quotedStyle != 0:
		clear(quotedText.Find(r.bare[at:]))
	case isBlock(node):
		r.prepareBlock(node)
	case node.Style&yaml.FlowStyle != 0:
		r.brackets[at] = node
	}
	for _, child := range node.Content {
		r.prepare(child)
	}
}

// prepareBlock clears the lines of a block, and saves those of a folded one. The block ends at the line with the last
// character of its value that is no space.
func (r *commentReader) prepareBlock(node *yaml.Node) {
	signs := func(text string) int { return len(strings.Join(strings.Fields(text), "")) }
	end, left := node.Line, signs(node.Value)
	for ; left > 0; end++ {
		left -= signs(r.lines[end])
	}
	if end == node.Line {
		return
	}
	lines := strings.TrimRight(strings.Join(r.lines[node.Line:end], ""), "\n")
	clear(r.bare[r.starts[node.Line]:][:len(lines)])
	if node.Style&yaml.FoldedStyle == 0 {
		return
	}
	// A first line that is indented further begins with spaces in the value too.
	indent := indentOf(lines) - indentOf(node.Value)
	var folded strings.Builder
	for line := range strings.Lines(lines) {
		folded.WriteString(line[min(indent, indentOf(line)):])
	}
	r.folded[node] = folded.String() + node.Value[len(strings.TrimRight(node.Value, "\n")):]
}

// indentOf is the indentation of the first line that is not empty.
func indentOf(text string) int {
	at := len(text) - len(strings.TrimLeft(text, " \n"))
	return at - 1 - strings.LastIndex(text[:at], "\n")
}

var commentSign = regexp.MustCompile(`(?:^|[ \t])#`)

// comments are the comments and the empty lines. Brackets with parts and a comment become lines.
func (r *commentReader) comments() (found []comment) {
	var open []*yaml.Node
	for line, start := range r.starts {
		row := string(r.bare[start:][:len(r.lines[line])])
		code := row
		if sign := commentSign.FindStringIndex(row); sign != nil {
			code = row[:sign[1]-1]
		}
		for at := range len(code) {
			if node := r.brackets[start+at]; node != nil {
				open = append(open, node)
			} else if len(open) > 0 && strings.ContainsRune("]}", rune(code[at])) {
				open = open[:len(open)-1]
			}
		}
		if text, isBeside := strings.TrimSpace(row[len(code):]), strings.TrimSpace(code) != ""; text != "" || !isBeside {
			found = append(found, comment{line, len(code), text, isBeside})
			for _, brackets := range open {
				if text != "" && len(brackets.Content) > 0 {
					brackets.Style &^= yaml.FlowStyle
				}
			}
		}
	}
	return found
}

// collect lists the parts that are on lines of their own below a node.
func (r *commentReader) collect(node *yaml.Node, of *part, depth int) {
	if !hasLines(node) {
		return
	}
	for _, nodes := range partsOf(node) {
		p := &part{nodes[0], nodes[len(nodes)-1], node, of, nodes[0].Line - 1, nodes[0].Column - 1, depth}
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
	end := &part{first: &yaml.Node{}, line: none, depth: -1}
	rest := append(r.parts, end)
	var before *part
	apart, level := "", none // level is the depth of the last comment since the part before
	above := func(p *part, text string) {
		// comments of its first key are above an item
		for p.of != nil && p.first == p.list.Content[0] && p.of.list.Kind == yaml.SequenceNode {
			p = p.of
		}
		p.first.HeadComment += "\n" + text
	}
	for _, c := range append(comments, comment{line: len(r.lines)}) {
		for ; rest[0].line <= c.line; rest = rest[1:] {
			if apart != "" {
				above(rest[0], "")
			}
			before, apart, level = rest[0], "", none
		}
		next, of, isBeside := rest[0], before, c.isBeside && before != nil && level == none
		switch {
		case before != nil && !hasLines(before.last) && c.line < before.last.Line-1: // between a key and its value
			if c.text != "" {
				above(before, c.text)
			}
		case c.text == "":
			apart = "\n"
		case isBeside && hasLines(before.last) && before.first == before.last: // beside a dash
			above(before, c.text)
		case isBeside && before.last.LineComment == "":
			before.last.LineComment = "\n" + c.text
		default:
			for of != nil && of.depth > next.depth && (of.depth > level || of.column > c.column) {
				of = of.of
			}
			if of != nil && of.depth > next.depth {
				of.list.FootComment += "\n" + apart + c.text
				level = of.depth
			} else {
				above(next, apart+c.text)
				level = next.depth
			}
			apart = ""
		}
	}
	r.root.FootComment += end.first.HeadComment
}

// text is the file in the canonical form.
func (f *yamlFile) text() (text string, err error) {
	w := &yamlWriter{yamlFile: f}
	switch {
	case f.isJSON:
		err = json.Indent(&w.Buffer, []byte(JSONOf(f.root)), "", "  ")
		w.line("")
	case f.root.Kind == yaml.ScalarNode || fitsBrackets(f.root):
		w.line(inline(f.root, false))
		w.comments(f.root.FootComment, 0)
	default:
		w.parts(f.root, 0, false)
	}
	text = w.String()
	if f.isCRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return f.mark + text, err
}

// yamlWriter writes a file in the canonical form. The library's own encoder escapes emoji and joins folded lines.
type yamlWriter struct {
	*yamlFile
	bytes.Buffer
}

// line writes a text as a line. It writes no second empty line in a row, and none at the start.
func (w *yamlWriter) line(text string) {
	if before := w.Bytes(); text != "" || len(before) > 0 && !bytes.HasSuffix(before, []byte("\n\n")) {
		w.WriteString(text + "\n")
	}
}

// comments writes the lines of a comment of parts at a depth.
func (w *yamlWriter) comments(comment string, depth int) {
	for _, line := range strings.Split(comment, "\n")[1:] {
		w.line(indented(line, depth))
	}
}

func indented(line string, depth int) string {
	if line == "" {
		return ""
	}
	return strings.Repeat("  ", depth) + line
}

// commentsAbove are the comments above a part. Those beside a dash, and above the first key of its item, are there too.
func commentsAbove(nodes []*yaml.Node) (comments string) {
	for _, node := range nodes {
		comments += node.HeadComment
	}
	if item := nodes[0]; len(nodes) == 1 && item.Kind != yaml.ScalarNode && !fitsBrackets(item) {
		comments += item.LineComment + commentsAbove(partsOf(item)[0])
	}
	return comments
}

// parts writes the parts of a list or a map. The first one follows a dash if isStarted.
func (w *yamlWriter) parts(of *yaml.Node, depth int, isStarted bool) {
	for i, nodes := range partsOf(of) {
		last, isItem := nodes[len(nodes)-1], len(nodes) == 1
		if !isStarted || i > 0 {
			above := commentsAbove(nodes)
			switch hasEmptyLine := strings.Contains(above+"\n", "\n\n"); {
			case i == 0 && hasEmptyLine: // no empty line above the first part
				above = strings.TrimLeft(above, "\n")
				above = strings.Repeat("\n", min(1, len(above))) + above
			case i > 0 && !hasEmptyLine && isGroup(of, last, depth):
				w.line("")
			}
			w.comments(above, depth)
			w.WriteString(strings.Repeat("  ", depth))
		}
		if isItem {
			w.WriteString("-")
		} else {
			w.WriteString(inline(nodes[0], false) + ":")
		}
		w.value(last, depth+1, isItem)
	}
	w.comments(of.FootComment, depth)
}

// value writes a value after its key or its dash.
func (w *yamlWriter) value(node *yaml.Node, depth int, isItem bool) {
	beside := strings.Replace(node.LineComment, "\n", " ", 1)
	sign, lines := " |", node.Value
	if folded, ok := w.folded[node]; ok && node.Style&yaml.FoldedStyle != 0 {
		sign, lines = " >", folded
	}
	switch {
	case isBlock(node) && fitsBlock(strings.TrimSuffix(lines, "\n")):
		if lines[0] == ' ' {
			sign += "2" // else YAML takes the spaces of the first line for the indentation
		}
		if !strings.HasSuffix(lines, "\n") {
			sign += "-"
		}
		w.line(sign + beside)
		for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
			w.WriteString(indented(line, depth) + "\n")
		}
	case node.Kind == yaml.ScalarNode || fitsBrackets(node):
		w.line(strings.TrimRight(" "+inline(node, false), " ") + beside)
	case isItem:
		w.WriteString(" ")
		w.parts(node, depth, true)
	default:
		w.line(beside)
		w.parts(node, depth, false)
	}
}

// Texts that a reader of YAML does not read as the same text without quotes: by their syntax or, for readers other than
// this library, by their type, and perhaps by their type for this library.
var (
	otherSigns = regexp.MustCompile(`^$|^(?:---|\.\.\.)|^[-?:](?: |$)|^[,\[\]{}#&*!|>'"%@\x60]|: | #|:$|^\s|\s$|` +
		`[\p{Cc}\p{Zl}\p{Zp}\x{feff}]|^\d{4}-\d\d?-\d\d?(?:$|[Tt ])|^[-+]?\.[\d_]+(?:[eE][-+]?[\d_]+)?$|` +
		`^(?i:null|true|false|[-+]?\.(?:inf|nan))$`)
	otherType = regexp.MustCompile(`^[-+.\d~<]`)
)

// needsQuotes reports whether YAML reads a text as something else without quotes.
func needsQuotes(text string, inBrackets bool) bool {
	return otherSigns.MatchString(text) || otherType.MatchString(text) && typeOf(text) != strTag ||
		inBrackets && strings.ContainsAny(text, ",?:[]{}")
}

// typeOf is the tag of a text without quotes.
func typeOf(text string) string {
	var read yaml.Node
	if yaml.Load([]byte(text), &read) != nil || len(read.Content) != 1 || read.Content[0].Value != text {
		return strTag
	}
	return read.Content[0].ShortTag()
}

// inline is a value in one line. Quotes are where YAML needs them.
func inline(node *yaml.Node, inBrackets bool) string {
	if node.Kind != yaml.ScalarNode {
		within := func(node *yaml.Node) string { return inline(node, true) }
		return brackets(node, " ", within, within)
	}
	switch text := plainText(node); {
	case inBrackets && isNull(node):
		return "null"
	case node.ShortTag() != strTag || !needsQuotes(text, inBrackets):
		return text
	default:
		return jsonText(text)
	}
}

// brackets are a list or a map in brackets, with a space after signs.
func brackets(node *yaml.Node, space string, key, value func(node *yaml.Node) string) string {
	var parts []string
	for _, nodes := range partsOf(node) {
		part := value(nodes[len(nodes)-1])
		if len(nodes) > 1 {
			part = key(nodes[0]) + ":" + space + part
		}
		parts = append(parts, part)
	}
	all := strings.Join(parts, ","+space)
	if node.Kind == yaml.MappingNode {
		return "{" + all + "}"
	}
	return "[" + all + "]"
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
		return node.Kind == yaml.SequenceNode && member(child, "id") != nil || isBlock(child) ||
			child.HeadComment+child.LineComment+child.FootComment != "" || needsLines(child)
	})
}

// isGroup reports whether an empty line is above a part: an item with an id, or a key of the file, of several lines.
func isGroup(of, value *yaml.Node, depth int) bool {
	return len(value.Content) > 0 && !fitsBrackets(value) &&
		(of.Kind == yaml.SequenceNode && member(value, "id") != nil || of.Kind == yaml.MappingNode && depth == 0)
}

// JSONOf is a YAML value as JSON, null for none. Members keep their order.
func JSONOf(node *yaml.Node) string {
	switch {
	case node == nil:
		return "null"
	case node.Kind == yaml.AliasNode: // in a document of the program; content has none
		return JSONOf(node.Alias)
	case node.Kind != yaml.ScalarNode:
		return brackets(node, "", func(key *yaml.Node) string { return jsonText(key.Value) }, JSONOf)
	case node.ShortTag() == strTag || !json.Valid([]byte(node.Value)):
		return jsonText(plainText(node))
	}
	return node.Value
}

// jsonText writes a value of Go as JSON.
func jsonText(value any) string {
	return strings.TrimSuffix(string(payload.JSON(value)), "\n")
}
