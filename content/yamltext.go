package content

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// yamlText is a YAML file as its owner wrote it, with its nodes, which have positions in
// it. An edit changes the nodes; String then leaves every line as it is that has nothing to
// do with the change, and rewrites flow collections ([…], {…}) in full. Both panic with byHand
// where they do not understand the text; the caller also reads the new text and compares it
// with the nodes.
type yamlText struct {
	text      string
	lineBreak string
	lines     []int // where they begin
	root      *yaml.Node
	isJSON    bool

	changed map[*yaml.Node]bool // nodes that differ from the text, and those above them
	// Where the parts of a list or a map that is not in brackets begin and end, and where the
	// part ends that it is itself the value of.
	begin, end, to map[*yaml.Node]int
	// The text of their parts, which are items or keys with their values, by the first node of
	// each: with the comments right above it; only these and the dash of an item; and what is
	// between the part and the one before it.
	part, head, gap map[*yaml.Node]string
}

// byHand is the panic of an edit that cannot be made.
type byHand struct{}

// must gives the edit up unless a condition holds.
func must(holds bool) {
	if !holds {
		panic(byHand{})
	}
}

// readYAML reads the text of a file without checking what it says.
func readYAML(name string, text string) (*yamlText, error) {
	s := &source{loader: &loader{}, name: name}
	root, ok := s.document([]byte(text))
	if !ok {
		return nil, s.faults
	}
	y := &yamlText{
		text: text, root: root, lineBreak: "\n", lines: []int{0}, isJSON: json.Valid([]byte(text)),
		changed: map[*yaml.Node]bool{}, begin: map[*yaml.Node]int{}, end: map[*yaml.Node]int{},
		to:   map[*yaml.Node]int{root: len(text)},
		part: map[*yaml.Node]string{}, head: map[*yaml.Node]string{}, gap: map[*yaml.Node]string{},
	}
	if strings.Contains(text, "\r\n") {
		y.lineBreak = "\r\n"
	}
	for at := range len(text) {
		if text[at] == '\n' {
			y.lines = append(y.lines, at+1)
		}
	}
	return y, nil
}

// at returns the node to which a path leads, or nil.
func (y *yamlText) at(path Path) *yaml.Node {
	node := y.root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			_, node = member(node, step)
		case int:
			if node.Kind != yaml.SequenceNode || step < 0 || step >= len(node.Content) {
				return nil
			}
			node = node.Content[step]
		}
		if node == nil {
			return nil
		}
	}
	return node
}

// Styles of scalars.
const (
	quotedStyle = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	blockStyle  = yaml.LiteralStyle | yaml.FoldedStyle
)

func isFlow(node *yaml.Node) bool  { return node.Style&yaml.FlowStyle != 0 }
func isBlock(node *yaml.Node) bool { return node.Style&blockStyle != 0 }

// start is where a node begins. Columns count characters.
func (y *yamlText) start(node *yaml.Node) int {
	at := y.lines[min(node.Line, len(y.lines))-1]
	for range node.Column - 1 {
		_, size := utf8.DecodeRuneInString(y.text[at:])
		at += size
	}
	return at
}

// lineStart, lineEnd and nextLine are the ends of the line of a place, without and with its
// line break.
func (y *yamlText) lineStart(at int) int { return strings.LastIndexByte(y.text[:at], '\n') + 1 }

func (y *yamlText) nextLine(at int) int {
	if found := strings.IndexByte(y.text[at:], '\n'); found >= 0 {
		return at + found + 1
	}
	return len(y.text)
}

func (y *yamlText) lineEnd(at int) int {
	return max(at, y.lineStart(at)+len(strings.TrimRight(y.text[y.lineStart(at):y.nextLine(at)], "\r\n")))
}

// indent is how far the line that begins at a place is indented, -1 for a blank one, and
// whether it is a comment.
func (y *yamlText) indent(at int) (by int, isComment bool) {
	line := y.text[at:y.lineEnd(at)]
	bare := strings.TrimLeft(line, " ")
	if strings.TrimSpace(bare) == "" {
		return -1, false
	}
	return len(line) - len(bare), bare[0] == '#'
}

// bottom is where the last line ends of a block that begins at a place and is indented
// deeper than so much.
func (y *yamlText) bottom(at, indent int) (end int) {
	end = y.lineEnd(at)
	for line := y.nextLine(at); line < len(y.text); line = y.nextLine(line) {
		by, isComment := y.indent(line)
		switch {
		case by > indent:
			end = y.lineEnd(line)
		case by >= 0 && !isComment:
			return end
		}
	}
	return end
}

// nodesOf is how many nodes each part of a parent has.
func nodesOf(parent *yaml.Node) int {
	if parent.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// touch prepares to change the list or the map at a path: it reads the parts of each on the
// way that is not in brackets.
func (y *yamlText) touch(path Path) {
	inBrackets := false
	for depth := range len(path) + 1 {
		node := y.at(path[:depth])
		if inBrackets = inBrackets || isFlow(node); !inBrackets {
			y.readParts(node)
		}
		y.changed[node] = true
	}
}

// readParts reads the parts of a list or a map that is not in brackets.
func (y *yamlText) readParts(parent *yaml.Node) {
	must(len(parent.Content) > 0)
	end := 0
	for nodes := range slices.Chunk(parent.Content, nodesOf(parent)) {
		first, last := nodes[0], nodes[len(nodes)-1]
		at := y.start(first)
		from, to := y.above(at), y.bottom(at, first.Column-1)
		switch {
		case parent.Kind == yaml.SequenceNode:
			from, to = y.item(at, parent.Column-1)
		case last.Kind == yaml.SequenceNode && !isFlow(last) && len(last.Content) > 0: // may be indented as its key is
			to = y.bottom(y.start(last.Content[len(last.Content)-1]), last.Column-1)
		}
		must(from >= end)
		if end == 0 {
			y.begin[parent] = from
		} else {
			y.gap[first] = y.text[end:from]
		}
		y.head[first], y.part[first] = y.text[from:at], y.text[from:to]
		y.to[last], end = to, to
	}
	y.end[parent] = end
	must(end <= y.to[parent])
}

// item is where an item begins, with the comments right above it, and where its last line
// ends. Its dash is indented by so much.
func (y *yamlText) item(at, indent int) (from, to int) {
	line := y.lineStart(at)
	must(strings.TrimRight(y.text[line:at], " ") == strings.Repeat(" ", indent)+"-")
	return y.above(line + indent), y.bottom(at, indent)
}

// above is where the comments begin that are right above a part, indented as it is. Without
// any it is where the part begins.
func (y *yamlText) above(part int) int {
	line := y.lineStart(part)
	indent := part - line
	if strings.TrimSpace(y.text[line:part]) != "" { // the first key of an item
		return part
	}
	for line > 0 {
		above := y.lineStart(line - 1)
		if by, isComment := y.indent(above); !isComment || by != indent {
			break
		}
		line = above
	}
	return line + indent
}

// set sets the value at a path, and makes the keys at its end that are missing.
func (y *yamlText) set(path Path, value any) {
	must(len(path) > 0)
	around, last := path[:len(path)-1], path[len(path)-1]
	parent, old := y.at(around), y.at(path)
	key, isKey := last.(string)
	switch {
	case old != nil:
		y.touch(around)
		y.replace(old, nodeOf(value))
	case isKey && isNull(parent):
		y.set(around, Fields{{key, value}})
	default:
		must(isKey && parent.Kind == yaml.MappingNode)
		y.touch(around)
		parent.Content = slices.Insert(parent.Content, 2*keyPlace(parent, key), nodeOf(Fields{{key, value}}).Content...)
	}
}

// replace replaces a node. The new one keeps its comments, and the style and the indentation
// of its text as far as it can.
func (y *yamlText) replace(old, node *yaml.Node) {
	if old.Kind == yaml.ScalarNode || isFlow(old) {
		node.HeadComment, node.LineComment, node.FootComment = old.HeadComment, old.LineComment, old.FootComment
	} else {
		lost := map[string]int{}
		countComments(old, lost, 1)
		must(len(lost) == 0)
	}
	switch {
	case node.Tag != strTag:
	case old.Style&quotedStyle != 0 && node.Style == 0:
		node.Style = yaml.DoubleQuotedStyle
	case isBlock(old) && fitsBlock(node.Value):
		node.Style = yaml.LiteralStyle
		for line := y.nextLine(y.start(old)); node.Column == 0 && line < len(y.text); line = y.nextLine(line) {
			by, _ := y.indent(line)
			node.Column = by + 1
		}
	}
	*old = *node
	y.changed[old] = true
	delete(y.to, old)
}

// keyOrder is where a new key goes: behind those that are before it here.
var keyOrder = []string{
	"id", "name", "question", "alternates", "answer", "summary", "description", "includes", "audience", "pricing_band",
	"currency", "from", "to", "unit", "note",
	"languages", "kind", "address", "street", "postal_code", "city", "country", "phone", "email", "hours", "closed", "url",
	"lang", "group", "review_by",
	"expires", "draft", "prices", "fallback", "precision",
}

func keyPlace(mapping *yaml.Node, name string) int {
	place, order := len(mapping.Content)/2, slices.Index(keyOrder, name)
	for i := 0; i < len(mapping.Content) && order >= 0; i += 2 {
		if at := slices.Index(keyOrder, mapping.Content[i].Value); at >= 0 && at < order {
			place = i/2 + 1
		}
	}
	return place
}

// insert adds an item to a list, before the one at a place or at the end.
func (y *yamlText) insert(path Path, place int, value any) {
	list := y.at(path)
	if isNull(list) {
		y.set(path, List{value})
		return
	}
	must(list.Kind == yaml.SequenceNode && place >= 0)
	y.touch(path)
	list.Content = slices.Insert(list.Content, min(place, len(list.Content)), nodeOf(value))
}

// remove removes what is at a path, and what would be empty without it.
func (y *yamlText) remove(path Path) {
	must(len(path) > 0 && y.at(path) != nil)
	around, last := path[:len(path)-1], path[len(path)-1]
	parent := y.at(around)
	step := nodesOf(parent)
	if len(parent.Content) == step {
		y.remove(around)
		return
	}
	y.touch(around)
	place, isItem := last.(int)
	if !isItem {
		key, _ := member(parent, last.(string))
		place = slices.Index(parent.Content, key)
	}
	if place > 0 { // comments that are not right above it stay
		y.part[parent.Content[place-step]] += strings.TrimRight(y.gap[parent.Content[place]], " \r\n")
	}
	parent.Content = slices.Delete(parent.Content, place, place+step)
}

func (y *yamlText) move(path Path, from, to int) {
	list := y.at(path)
	must(list != nil && list.Kind == yaml.SequenceNode && max(from, to) < len(list.Content) && min(from, to) >= 0)
	y.touch(path)
	y.arrange(list, slices.Insert(slices.Delete(slices.Clone(list.Content), from, from+1), to, list.Content[from]))
}

// setLines makes the list at a path hold these texts.
func (y *yamlText) setLines(path Path, texts []string) {
	list := y.at(path)
	if isNull(list) && len(texts) > 0 {
		y.set(path, List{texts[0]})
		list = y.at(path)
	}
	if len(texts) == 0 {
		if !isNull(list) {
			y.remove(path)
		}
		return
	}
	must(list.Kind == yaml.SequenceNode)
	if list.Line > 0 {
		y.touch(path)
	}
	left, items := slices.Clone(list.Content), []*yaml.Node(nil)
	for _, text := range texts {
		at := slices.IndexFunc(left, func(item *yaml.Node) bool { return strings.TrimSpace(item.Value) == text })
		if at < 0 {
			items = append(items, nodeOf(text))
		} else {
			items = append(items, left[at])
			left = slices.Delete(left, at, at+1)
		}
	}
	y.arrange(list, items)
}

// arrange gives a list these items. What is between the items stays.
func (y *yamlText) arrange(list *yaml.Node, items []*yaml.Node) {
	var gaps []string
	for _, item := range list.Content {
		gaps = append(gaps, y.gap[item])
	}
	for i, gap := range gaps {
		if i < len(items) {
			y.gap[items[i]] = gap
		} else {
			must(strings.TrimSpace(gap) == "") // a comment
		}
	}
	list.Content = items
}

const strTag = "!!str"

func isNull(node *yaml.Node) bool { return node == nil || node.ShortTag() == nullTag }

// nodeOf is a value as a node, with the style in which it is written. It has no line.
func nodeOf(value any) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode}
	switch value := value.(type) {
	case Plain:
		node.Value, node.Tag = string(value), tagOf(string(value))
	case string:
		node.Value, node.Tag = value, strTag
		switch {
		case strings.Contains(value, "\n") && fitsBlock(value):
			node.Style = yaml.LiteralStyle
		case !isPlain(value):
			node.Style = yaml.DoubleQuotedStyle
		}
	case List:
		node.Kind = yaml.SequenceNode
		if len(value) == 0 {
			node.Style = yaml.FlowStyle
		}
		for _, item := range value {
			node.Content = append(node.Content, nodeOf(item))
		}
	case Fields:
		node.Kind = yaml.MappingNode
		for _, field := range value {
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: field.Key}, nodeOf(field.Value))
		}
	}
	return node
}

// innerComment matches what may be a comment within brackets, where it would be lost.
var innerComment = regexp.MustCompile(`\s#.*\n`)

// String is the text with the changes.
func (y *yamlText) String() string {
	switch {
	case len(y.changed) == 0:
		return y.text
	case !isFlow(y.root):
		return y.text[:y.begin[y.root]] + y.write(y.root, 0)
	case y.isJSON:
		var indented bytes.Buffer
		must(json.Indent(&indented, []byte(y.flow(y.root)), "", "  ") == nil)
		return strings.ReplaceAll(indented.String(), "\n", y.lineBreak) + y.lineBreak
	}
	must(!innerComment.MatchString(y.text))
	return y.flow(y.root) + y.lineBreak
}

// write writes a value. Parts that are not changed are as they were; what is new is indented
// by so much.
func (y *yamlText) write(node *yaml.Node, indent int) (text string) {
	if node.Column > 0 {
		indent = node.Column - 1
	}
	newLine := y.lineBreak + strings.Repeat(" ", indent)
	switch {
	case isBlock(node):
		text = "|" + note(node)
		for line := range strings.SplitSeq(node.Value, "\n") {
			if text += y.lineBreak; line != "" {
				text += newLine[len(y.lineBreak):] + line
			}
		}
		return text
	case isFlow(node):
		return y.flow(node) + note(node)
	case node.Kind == yaml.ScalarNode:
		return scalar(node) + note(node)
	}
	gap := newLine
	var out strings.Builder
	for nodes := range slices.Chunk(node.Content, nodesOf(node)) {
		first, last := nodes[0], nodes[len(nodes)-1]
		own := y.gap[first]
		if own != "" && strings.TrimSpace(own) == "" {
			gap = own // as between the others
		}
		if out.Len() > 0 {
			out.WriteString(cmp.Or(own, gap))
		} else {
			out.WriteString(strings.TrimLeft(own, " \r\n"))
		}
		part, isOld := y.part[first]
		switch {
		case isOld && !y.changed[last]:
			out.WriteString(part)
			continue
		case isFlow(last):
			must(!innerComment.MatchString(part))
		}
		if node.Kind == yaml.SequenceNode {
			out.WriteString(cmp.Or(y.head[first], "- ") + y.write(last, indent+2))
		} else {
			out.WriteString(y.head[first] + y.keyed(first, last, indent+2))
		}
	}
	return out.String() + y.text[y.end[node]:y.to[node]] // comments
}

// keyed writes a key and its value, which is indented by so much if it has lines of its own.
func (y *yamlText) keyed(key, value *yaml.Node, indent int) string {
	if begin, isOld := y.begin[value]; isOld {
		return y.text[y.start(key):begin] + y.write(value, indent)
	}
	value.LineComment = cmp.Or(value.LineComment, key.LineComment)
	if value.Kind == yaml.ScalarNode || isFlow(value) {
		return scalar(key) + ": " + y.write(value, indent)
	}
	return scalar(key) + ":" + note(value) + y.lineBreak + strings.Repeat(" ", indent) + y.write(value, indent)
}

// note is the comment at the end of the line on which a value begins.
func note(node *yaml.Node) string {
	if node.LineComment == "" {
		return ""
	}
	return " " + node.LineComment
}

// fitsBlock reports whether a text can be written as a block.
func fitsBlock(text string) bool {
	return text != "" && strings.TrimSpace(text) != "" && !strings.ContainsAny(text[:1], " \t\n") &&
		!strings.HasSuffix(text, "\n") &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return isControl(r) || strings.ContainsRune(rareBreaks, r) || r == '\ufeff'
		})
}

// flow writes a value on one line. What is new in it has quotes, if it is not a key, or a
// Plain that needs none.
func (y *yamlText) flow(node *yaml.Node) string {
	var parts []string
	switch node.Kind {
	case yaml.ScalarNode:
		isNew := node.Line == 0
		if isNew && (node.Tag == strTag || strings.ContainsAny(node.Value, ",[]{}") || y.isJSON &&
			!json.Valid([]byte(node.Value))) {
			node.Tag = strTag
			return quoted(node.Value)
		}
		return scalar(node)
	case yaml.SequenceNode:
		for _, item := range node.Content {
			parts = append(parts, y.flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for key, value := range pairs(node) {
		parts = append(parts, y.flow(key)+": "+y.flow(value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// scalar writes a text or another value on one line.
func scalar(node *yaml.Node) string {
	if node.Style == 0 && !strings.Contains(node.Value, "\n") {
		return node.Value
	}
	return quoted(node.Value)
}

// plain matches texts that need no quotes in YAML, if they are no word such as "yes", and
// addresses.
var plain = regexp.MustCompile(`^(\pL[\pL\pN\pM\p{Sc} '’“”„«».,;?!()/%+…–—-]*|(https?:/)?/[\pL\pN/._~?=&%+-]*)$`)

// isPlain reports whether a text is written without quotes.
func isPlain(text string) bool {
	return plain.MatchString(text) && !strings.HasSuffix(text, " ") && tagOf(text) == strTag
}

// tagOf is the YAML type of a value that is written without quotes.
func tagOf(text string) string {
	var document yaml.Node
	must(yaml.Load([]byte(text), &document) == nil && len(document.Content) == 1)
	return document.Content[0].ShortTag()
}

// quoted writes a text as JSON, which is valid YAML.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // encoding a string never fails
	return strings.TrimSuffix(out.String(), "\n")
}

// rareBreaks are line breaks of YAML that yamlText does not count: the line numbers of
// the two would differ.
const rareBreaks = "\r\u0085\u2028\u2029"

func hasRareBreak(text string) bool {
	return strings.ContainsAny(strings.ReplaceAll(text, "\r\n", ""), rareBreaks)
}
