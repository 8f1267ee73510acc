package content

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

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
	text := strings.TrimLeft(string(data), byteOrderMark) // several, if files were joined
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
	r := &commentReader{yamlFile: f, lines: strings.SplitAfter(text+"\n", "\n"), starts: []int{0},
		brackets: map[int]*yaml.Node{}}
	for _, line := range r.lines {
		r.bare = append(r.bare, []rune(line)...)
		r.starts = append(r.starts, len(r.bare))
	}
	r.prepare(f.root)
	r.rest = r.comments()
	r.place(f.root, nil, math.MaxInt)
	return f, nil
}

const (
	quotedStyle = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	blockStyle  = yaml.LiteralStyle | yaml.FoldedStyle
)

func isBlock(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Style&blockStyle != 0 }

// hasLines reports whether a node is a list or a map whose parts are on lines of their own.
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
	starts   []int              // where each line begins in bare, then the length of bare
	bare     []rune             // the text, with zeros in place of quoted texts and blocks
	brackets map[int]*yaml.Node // lists and maps, by where their bracket opens in bare
	rest     []comment          // comments that are not placed yet
	apart    string             // a line break if an empty line precedes rest[0]
}

// comment is a comment or an empty line.
type comment struct {
	line, column int // from 0
	text         string
	isBeside     bool // there is code before it on its line
}

// prepare removes the comments of the library, and clears the texts that may hold what looks like one.
func (r *commentReader) prepare(node *yaml.Node) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	at := r.starts[node.Line-1] + node.Column - 1
	switch {
	case node.Style&quotedStyle != 0:
		r.clearQuoted(at)
	case isBlock(node):
		r.prepareBlock(node)
	case node.Style&yaml.FlowStyle != 0:
		r.brackets[at] = node
	}
	for _, child := range node.Content {
		r.prepare(child)
	}
}

// clearQuoted clears a quoted text. A doubled quote does not end it.
func (r *commentReader) clearQuoted(at int) {
	sign := r.bare[at]
	for isOpen := false; isOpen || r.bare[at] == sign; at++ {
		switch {
		case r.bare[at] == sign:
			isOpen = !isOpen
		case r.bare[at] == '\\' && sign == '"':
			at++
		}
		r.bare[at] = 0
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
	clear(r.bare[r.starts[node.Line] : r.starts[end]-1])
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
	for line := range r.lines {
		start := r.starts[line]
		row := string(r.bare[start:r.starts[line+1]])
		code := row
		if sign := commentSign.FindStringIndex(row); sign != nil {
			code = row[:sign[1]-1]
		}
		for at, sign := range []rune(code) {
			if node := r.brackets[start+at]; node != nil {
				open = append(open, node)
			} else if len(open) > 0 && strings.ContainsRune("]}", sign) {
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

// peek returns the next comment above a line, or nil. It skips empty lines and records them in apart.
func (r *commentReader) peek(line int) *comment {
	for ; len(r.rest) > 0 && r.rest[0].line < line; r.rest = r.rest[1:] {
		if r.rest[0].text != "" {
			return &r.rest[0]
		}
		r.apart = "\n"
	}
	return nil
}

// take takes the comment that peek has returned, after an empty line if there was one.
func (r *commentReader) take() (text string) {
	text, r.apart, r.rest = "\n"+r.apart+r.rest[0].text, "", r.rest[1:]
	return text
}

// takeBeside adds the next comment above a line to others, if it is beside something.
func (r *commentReader) takeBeside(others *string, line int) {
	if c := r.peek(line); c != nil && c.isBeside {
		*others += "\n" + c.text
		r.rest = r.rest[1:]
	}
}

// lineOf is the line of a part of a list or a map. An item may be below its dash.
func (r *commentReader) lineOf(of, first *yaml.Node) int {
	for line := first.Line - 1; of.Kind == yaml.SequenceNode && line >= of.Line-1; line-- {
		if strings.HasPrefix(r.lines[line][min(of.Column-1, len(r.lines[line])):], "-") {
			return line
		}
	}
	return first.Line - 1
}

// place gives the comments above a line, end, to the parts of a list or a map and to the parts of these. Comments above
// the first part of an item of a list belong to the item, whose node is head. For all others head is nil.
func (r *commentReader) place(of, head *yaml.Node, end int) {
	parts, column := partsOf(of), 0
	for i, nodes := range parts {
		first, last, next, isItem := nodes[0], nodes[len(nodes)-1], end, len(nodes) == 1
		if column = first.Column - 1; isItem {
			column = of.Column - 1
		}
		if i > 0 || head == nil {
			head = first
		}
		for line := r.lineOf(of, first); r.peek(line) != nil; {
			head.HeadComment += r.take()
		}
		head.HeadComment, r.apart = head.HeadComment+r.apart, ""
		if i+1 < len(parts) {
			next = r.lineOf(of, parts[i+1][0])
		}
		if hasLines(last) {
			beside, below := &head.HeadComment, head // of a dash
			if !isItem {
				beside, below = &last.LineComment, nil
			}
			r.takeBeside(beside, r.lineOf(last, last.Content[0]))
			r.place(last, below, next)
			continue
		}
		for r.peek(last.Line-1) != nil { // between a key and its value
			r.apart = ""
			head.HeadComment += r.take()
		}
		r.apart = ""
		r.takeBeside(&last.LineComment, next)
	}
	for c := r.peek(end); c != nil && (c.column >= column || of == r.root); c = r.peek(end) {
		of.FootComment += r.take()
	}
}

// text is the file in the canonical form. The library's own encoder escapes emoji and joins folded lines.
func (f *yamlFile) text() (text string, err error) {
	var lines []string
	switch {
	case f.isJSON:
		var indented bytes.Buffer
		err = json.Indent(&indented, []byte(JSONOf(f.root)), "", "  ")
		lines = []string{indented.String()}
	case !inLines(f.root):
		lines = addComments([]string{inline(f.root, false)}, f.root.FootComment)
	default:
		lines = f.linesOf(f.root)
	}
	end := "\n"
	if f.isCRLF {
		end = "\r\n"
	}
	return f.mark + strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\n", end), err
}

// addComments adds the lines of a comment, without a second empty line in a row, and without one at the start.
func addComments(lines []string, comment string) []string {
	for _, line := range strings.Split(comment, "\n")[1:] {
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// linesOf returns the lines of a list or a map. The comments beside the dash of an item, and above its first part, go
// above the item.
func (f *yamlFile) linesOf(of *yaml.Node) (lines []string) {
	for i, nodes := range partsOf(of) {
		last, name, above := nodes[len(nodes)-1], "-", ""
		beside, below := f.value(last)
		for _, node := range nodes {
			above += node.HeadComment
		}
		if len(nodes) > 1 {
			name = inline(nodes[0], false) + ":"
		} else if inLines(last) {
			above += last.LineComment
			for below[0] == "" || below[0][0] == '#' {
				above, below = above+"\n"+below[0], below[1:]
			}
			beside, below = " "+below[0], below[1:]
		}
		if i > 0 && f.isGroup(of, last) && !strings.Contains(above+"\n", "\n\n") {
			above = "\n" + above
		}
		lines = append(addComments(lines, above), name+beside)
		for _, line := range below {
			if line != "" {
				line = "  " + line
			}
			lines = append(lines, line)
		}
	}
	return addComments(lines, of.FootComment)
}

// value is a value as it is written: beside its key or its dash, and in the lines below.
func (f *yamlFile) value(node *yaml.Node) (beside string, below []string) {
	beside = strings.Replace(node.LineComment, "\n", " ", 1)
	sign, lines := " |", node.Value
	if folded, ok := f.folded[node]; ok && node.Style&yaml.FoldedStyle != 0 {
		sign, lines = " >", folded
	}
	switch text := strings.TrimSuffix(lines, "\n"); {
	case isBlock(node) && fitsBlock(text):
		if lines[0] == ' ' {
			sign += "2" // else YAML takes the spaces of the first line for the indentation
		}
		if text == lines {
			sign += "-"
		}
		return sign + beside, strings.Split(text, "\n")
	case !inLines(node):
		return strings.TrimRight(" "+inline(node, false), " ") + beside, nil
	}
	return beside, f.linesOf(node)
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

// inLines reports whether a node is a list or a map whose parts are written on lines of their own.
func inLines(node *yaml.Node) bool { return hasLines(node) || needsLines(node) }

// needsLines reports whether a node, or something below it, cannot be within brackets: a block, a comment, or a list of
// items with ids.
func needsLines(node *yaml.Node) bool {
	return slices.ContainsFunc(node.Content, func(child *yaml.Node) bool {
		return node.Kind == yaml.SequenceNode && member(child, "id") != nil || isBlock(child) ||
			child.HeadComment+child.LineComment+child.FootComment != "" || needsLines(child)
	})
}

// isGroup reports whether an empty line is above a part: an item with an id, or a key of the file, of several lines.
func (f *yamlFile) isGroup(of, value *yaml.Node) bool {
	return inLines(value) &&
		(of.Kind == yaml.SequenceNode && member(value, "id") != nil || of.Kind == yaml.MappingNode && of == f.root)
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
