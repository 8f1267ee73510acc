package content

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// yamlText is a YAML file as its owner wrote it, with its nodes, which have positions in
// it. Each method returns the text with one change, and leaves every other byte as it is.
// A text that a method does not understand comes out wrong or with bad set; the caller
// reads it again and compares.
type yamlText struct {
	text  string
	lines []int // where they begin
	root  *yaml.Node
	end   string // of a line
	bad   bool
}

// readYAML reads the text of a file without checking what it says.
func readYAML(name string, text string) (*yamlText, error) {
	var faults Faults
	root, ok := (&source{name: name, faults: &faults}).document([]byte(text))
	if !ok {
		return nil, faults
	}
	y := &yamlText{text: text, root: root, end: "\n", lines: []int{0}}
	if strings.Contains(text, "\r\n") {
		y.end = "\r\n"
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

func isFlow(node *yaml.Node) bool { return node.Style&yaml.FlowStyle != 0 }
func isBlock(node *yaml.Node) bool {
	return node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// isNothing reports whether a value is not written at all.
func isNothing(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "" && node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

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
	next := y.nextLine(at)
	return max(at, y.lineStart(at)+len(strings.TrimRight(y.text[y.lineStart(at):next], "\r\n")))
}

// line is the line of a place, and how far it is indented; -1 for a blank one.
func (y *yamlText) line(at int) (line string, indent int) {
	line = y.text[at:y.lineEnd(at)]
	bare := strings.TrimLeft(line, " ")
	if strings.TrimSpace(bare) == "" {
		return line, -1
	}
	return line, len(line) - len(bare)
}

// ends of the parts of a scalar.
var (
	blockHead = regexp.MustCompile(`^[|>][-+0-9]*`)
	comment   = regexp.MustCompile(`[ \t]#`)
	plainEnd  = regexp.MustCompile(`[,\[\]{}]|:[ \t\r\n,\[\]{}]|[ \t]#`)
)

// endOf is where a node ends, in a block that is indented by so much, or in brackets.
func (y *yamlText) endOf(node *yaml.Node, indent int, inFlow bool) int {
	at := y.start(node)
	switch {
	case isFlow(node):
		return y.closing(at)
	case node.Kind == yaml.MappingNode && len(node.Content) > 1:
		key, value := node.Content[len(node.Content)-2], node.Content[len(node.Content)-1]
		if isNothing(value) {
			return y.colon(key) + 1
		}
		return y.endOf(value, node.Content[0].Column-1, inFlow)
	case node.Kind == yaml.SequenceNode && len(node.Content) > 0:
		last := node.Content[len(node.Content)-1]
		if isNothing(last) {
			y.bad = true
			return at
		}
		return y.endOf(last, len(y.prefix(last))-len(strings.TrimLeft(y.prefix(last), " ")), inFlow)
	case node.Style&yaml.DoubleQuotedStyle != 0, node.Style&yaml.SingleQuotedStyle != 0:
		return y.quoteEnd(at)
	case isBlock(node):
		_, end, _ := y.body(node, indent)
		return end
	case inFlow:
		if found := plainEnd.FindStringIndex(y.text[at:]); found != nil {
			return at + len(strings.TrimRight(y.text[at:at+found[0]], " \t\r\n"))
		}
		return len(y.text)
	}
	return y.plainEnd(at, indent)
}

// plainEnd is where a text without quotes ends that may go on over several lines.
func (y *yamlText) plainEnd(at, indent int) (end int) {
	for line := at; ; {
		stop := y.lineEnd(line)
		if found := comment.FindStringIndex(y.text[line:stop]); found != nil {
			return line + len(strings.TrimRight(y.text[line:line+found[0]], " \t"))
		}
		end = line + len(strings.TrimRight(y.text[line:stop], " \t"))
		for line = y.nextLine(line); ; line = y.nextLine(line) {
			text, by := y.line(line)
			if line >= len(y.text) || by >= 0 && (by <= indent || strings.HasPrefix(strings.TrimLeft(text, " "), "#")) {
				return end
			}
			if by >= 0 {
				break
			}
		}
	}
}

// body is where the lines of a block (| or >) begin and end, and how far they are indented.
func (y *yamlText) body(node *yaml.Node, indent int) (begin, end, by int) {
	begin = y.nextLine(y.start(node))
	end, by = y.lineEnd(y.start(node)), -1
	for at := begin; at < len(y.text); at = y.nextLine(at) {
		_, spaces := y.line(at)
		switch {
		case spaces < 0:
			continue
		case by < 0 && spaces > indent:
			by = spaces
		case by < 0 || spaces < by:
			return begin, end, by
		}
		end = y.lineEnd(at)
	}
	return begin, end, by
}

// quoteEnd is where a text in quotes ends that begins at a place.
func (y *yamlText) quoteEnd(at int) int {
	quote := y.text[at]
	for i := at + 1; i < len(y.text); i++ {
		switch {
		case y.text[i] == '\\' && quote == '"':
			i++
		case y.text[i] != quote:
		case quote == '\'' && i+1 < len(y.text) && y.text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	y.bad = true
	return len(y.text)
}

// closing is where the brackets end that begin at a place.
func (y *yamlText) closing(at int) int {
	depth, last := 0, byte('[') // the last sign that is no space
	for i := at; i < len(y.text); i++ {
		switch c := y.text[i]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", y.text[i-1]) >= 0:
			i = y.lineEnd(i)
			continue
		case (c == '"' || c == '\'') && strings.IndexByte("[{,:", last) >= 0:
			i = y.quoteEnd(i) - 1
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		last = y.text[min(i, len(y.text)-1)]
	}
	y.bad = true
	return len(y.text)
}

// colon is the place of the colon behind a key.
func (y *yamlText) colon(key *yaml.Node) int {
	at := y.start(key)
	if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at = y.quoteEnd(at)
	} else {
		at = min(at+len(key.Value), len(y.text))
	}
	at += len(y.text[at:]) - len(strings.TrimLeft(y.text[at:], " "))
	if at >= len(y.text) || y.text[at] != ':' {
		y.bad = true
		return max(0, min(at, len(y.text)-1))
	}
	return at
}

// dash matches the beginning of an item of a block list.
var dash = regexp.MustCompile(`^ *- +$`)

// prefix is the line of an item of a block list up to the item.
func (y *yamlText) prefix(item *yaml.Node) string {
	at := y.start(item)
	before := y.text[y.lineStart(at):at]
	if !dash.MatchString(before) {
		y.bad = true
	}
	return before
}

// dashIndent is how far the items of a list are indented.
func (y *yamlText) dashIndent(item *yaml.Node) int {
	return max(0, strings.IndexByte(y.prefix(item), '-'))
}

// splice replaces a part of the text.
func (y *yamlText) splice(from, to int, with string) string {
	before := y.text[:from]
	if strings.HasSuffix(with, "\n") && from > 0 && from == y.nextLine(from-1) && !strings.HasSuffix(before, "\n") {
		before += y.end // of a file whose last line has none
	}
	return before + with + y.text[to:]
}

// put gives a key, or an item, another value. It is written at after, behind the colon or
// the dash of a block that is indented by so much.
func (y *yamlText) put(after int, old *yaml.Node, indent int, value any) string {
	headStart, headEnd, by := after, after, indent+2
	bodyStart := y.nextLine(after)
	bodyEnd := bodyStart
	keepsBlock := false
	switch start := y.start(old); {
	case isNothing(old):
	case isBlock(old):
		begin, end, spaces := y.body(old, indent)
		headStart, headEnd = start, start+len(blockHead.FindString(y.text[start:]))
		bodyStart, bodyEnd = begin, y.nextLine(end)
		if spaces > 0 {
			by = spaces
		}
		keepsBlock = true
	case old.Kind != yaml.ScalarNode && !isFlow(old):
		if start < y.lineEnd(after) { // an item that is a map
			y.bad = true
		}
		bodyStart, bodyEnd = y.lineStart(start), y.nextLine(y.endOf(old, indent, false))
	default:
		headStart, headEnd = start, y.endOf(old, indent, false)
		bodyStart = y.nextLine(headEnd)
		bodyEnd = bodyStart
		y.bad = y.bad || start > y.lineEnd(after)
	}
	if y.bad {
		return ""
	}
	head, body := y.render(value, by, old.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0)
	if text, isText := value.(string); isText && keepsBlock && fitsBlock(text) {
		head, body = y.block(text, by)
	}
	switch {
	case head == "":
		headStart = after
	case headStart == after:
		head = " " + head
	}
	between := y.text[headEnd:bodyStart]
	if body != "" && !strings.HasSuffix(between, "\n") {
		between += y.end
	}
	return y.text[:headStart] + head + between + body + y.text[bodyEnd:]
}

// refuse gives up an edit.
func (y *yamlText) refuse() string {
	y.bad = true
	return ""
}

// set sets the value at a path, and makes the keys at its end that are missing.
func (y *yamlText) set(path Path, value any) (after string) {
	around, last := path[:len(path)-1], path[len(path)-1]
	parent, old := y.at(around), y.at(path)
	key, isKey := last.(string)
	switch {
	case old != nil:
		after = y.replace(parent, old, last, value)
		*old = *nodeOf(value)
	case isKey && parent == nil:
		return y.set(around, Fields{{key, value}})
	case isKey && parent.Kind == yaml.MappingNode && len(parent.Content) > 0:
		after = y.addKey(parent, key, value)
		parent.Content = append(parent.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, nodeOf(value))
	default:
		return y.refuse()
	}
	return after
}

// remove removes what is at a path, and what would be empty without it.
func (y *yamlText) remove(path Path) (after string) {
	if len(path) == 0 || y.at(path) == nil {
		return y.refuse()
	}
	around, nodes := path[:len(path)-1], 1
	parent := y.at(around)
	if parent.Kind == yaml.MappingNode {
		nodes = 2
	}
	if len(parent.Content) == nodes {
		return y.remove(around)
	}
	place, isItem := path[len(path)-1].(int)
	if isItem {
		after = y.removeItem(parent, place)
	} else {
		place = slices.IndexFunc(parent.Content, func(n *yaml.Node) bool { return n.Value == path[len(path)-1] })
		after = y.removeKey(parent, place)
	}
	parent.Content = slices.Delete(parent.Content, place, place+nodes)
	return after
}

// replace gives a key, or an item, of a node another value.
func (y *yamlText) replace(parent, old *yaml.Node, step, value any) string {
	if isFlow(parent) {
		return y.splice(y.start(old), y.endOf(old, 0, true), flowText(value))
	}
	if name, isKey := step.(string); isKey {
		key, _ := member(parent, name)
		return y.put(y.colon(key)+1, old, key.Column-1, value)
	}
	prefix := y.prefix(old)
	return y.put(y.start(old)-len(prefix)+y.dashIndent(old)+1, old, y.dashIndent(old), value)
}

// keyOrder is where a new key goes: behind those that are before it here.
var keyOrder = []string{
	"id", "name", "question", "alternates", "answer", "summary", "description", "includes", "audience", "pricing_band", "currency", "from", "to", "unit", "note",
	"languages", "kind", "address", "street", "postal_code", "city", "country", "phone", "email", "hours", "closed", "url", "lang", "group", "review_by",
	"expires", "draft", "fallback", "precision",
}

// addKey adds a key to a map that has some.
func (y *yamlText) addKey(mapping *yaml.Node, name string, value any) string {
	before := len(mapping.Content) - 2
	for i, place := 0, slices.Index(keyOrder, name); i+1 < len(mapping.Content) && place >= 0; i += 2 {
		if at := slices.Index(keyOrder, mapping.Content[i].Value); at >= 0 && at < place {
			before = i
		}
	}
	key, last := mapping.Content[before], mapping.Content[before+1]
	if isFlow(mapping) {
		if mapping.Content[0].Style&yaml.DoubleQuotedStyle != 0 { // JSON
			name = quoted(name)
		}
		end := y.endOf(last, 0, true)
		return y.splice(end, end, ", "+name+": "+flowText(value))
	}
	indent := mapping.Content[0].Column - 1
	at := y.colon(key) + 1
	if !isNothing(last) {
		at = y.endOf(last, indent, false)
	}
	at = y.nextLine(at)
	return y.splice(at, at, y.fields(Fields{{name, value}}, indent))
}

// removeKey removes the key at a place of the nodes of a map, with its value.
func (y *yamlText) removeKey(mapping *yaml.Node, place int) string {
	key, value := mapping.Content[place], mapping.Content[place+1]
	if isFlow(mapping) {
		return y.removeFlow(mapping, place, 2)
	}
	from, to := y.start(key), y.colon(key)+1
	if !isNothing(value) {
		to = y.endOf(value, mapping.Content[0].Column-1, false)
	}
	for next := y.nextLine(to); next < len(y.text); next = y.nextLine(to) { // comments of the value
		line, by := y.line(next)
		if by < mapping.Content[0].Column || line[by] != '#' {
			break
		}
		to = next
	}
	switch line := y.lineStart(from); {
	case strings.TrimSpace(y.text[line:from]) == "":
		return y.splice(line, y.nextLine(to), "")
	case place+2 < len(mapping.Content): // the first of an item of a list
		return y.splice(from, y.start(mapping.Content[place+2]), "")
	}
	return y.refuse()
}

// removeFlow removes so many nodes of a list or a map in brackets.
func (y *yamlText) removeFlow(parent *yaml.Node, place, nodes int) string {
	from, to := y.start(parent.Content[place]), y.endOf(parent.Content[place+nodes-1], 0, true)
	switch {
	case place+nodes < len(parent.Content):
		to = y.start(parent.Content[place+nodes])
	case place > 0:
		from = y.endOf(parent.Content[place-1], 0, true)
	}
	return y.splice(from, to, "")
}

// itemStart is the line on which an item of a block list begins, or that of the comments
// right above it.
func (y *yamlText) itemStart(item *yaml.Node) int {
	at := y.lineStart(y.start(item))
	for at > 0 {
		above := y.lineStart(at - 1)
		if line, by := y.line(above); by != y.dashIndent(item) || line[by] != '#' {
			break
		}
		at = above
	}
	return at
}

// itemEnd is where the last line of an item of a block list ends.
func (y *yamlText) itemEnd(item *yaml.Node) int {
	return y.lineEnd(y.endOf(item, y.dashIndent(item), false))
}

// addItem adds an item to a list that has some, or to [].
func (y *yamlText) addItem(list *yaml.Node, place int, value any) string {
	count := len(list.Content)
	switch text := flowText(value); {
	case !isFlow(list):
	case count == 0:
		return y.splice(y.start(list)+1, y.start(list)+1, text)
	case place == count:
		end := y.endOf(list.Content[count-1], 0, true)
		return y.splice(end, end, ", "+text)
	default:
		at := y.start(list.Content[place])
		return y.splice(at, at, text+", ")
	}
	prefix, separator := y.prefix(list.Content[min(place, count-1)]), ""
	if y.bad {
		return ""
	}
	fields, isMap := value.(Fields)
	if isMap && count > 1 && strings.Count(y.text[y.itemEnd(list.Content[count-2]):y.itemStart(list.Content[count-1])], "\n") > 1 {
		separator = y.end // as between the others
	}
	item := prefix
	if isMap {
		item += y.fields(fields, len(prefix))[len(prefix):]
	} else {
		head, body := y.render(value, len(prefix), false)
		item += head + y.end + body
	}
	if place == count {
		at := y.nextLine(y.itemEnd(list.Content[count-1]))
		return y.splice(at, at, separator+item)
	}
	at := y.itemStart(list.Content[place])
	return y.splice(at, at, item+separator)
}

// removeItem removes an item of a list that has more, or of one in brackets.
func (y *yamlText) removeItem(list *yaml.Node, place int) string {
	if isFlow(list) {
		return y.removeFlow(list, place, 1)
	}
	item := list.Content[place]
	from, to := y.lineStart(y.start(item)), y.nextLine(y.itemEnd(item))
	y.prefix(item)
	isBlank := func(at int) bool { _, by := y.line(at); return by < 0 }
	if from > 0 && isBlank(y.lineStart(from-1)) { // one of two empty lines goes too
		if to == len(y.text) {
			from = y.lineStart(from - 1)
		} else if isBlank(to) {
			to = y.nextLine(to)
		}
	}
	return y.splice(from, to, "")
}

// moveItem moves an item of a list to another place. What is between the items stays.
func (y *yamlText) moveItem(list *yaml.Node, from, to int) string {
	type part struct{ from, to int }
	var items []part
	for _, item := range list.Content {
		if isFlow(list) {
			items = append(items, part{y.start(item), y.endOf(item, 0, true)})
		} else {
			y.prefix(item)
			items = append(items, part{y.itemStart(item), y.itemEnd(item)})
		}
	}
	moved := slices.Clone(items)
	moved = slices.Insert(slices.Delete(moved, from, from+1), to, items[from])
	text := y.text[:items[0].from]
	for i, p := range moved {
		if p.from > p.to || i > 0 && items[i-1].to > items[i].from {
			return y.refuse()
		}
		text += y.text[p.from:p.to]
		if i+1 < len(items) {
			text += y.text[items[i].to:items[i+1].from]
		}
	}
	return text + y.text[items[len(items)-1].to:]
}

// render writes a value: what is on the line of its key, and the lines below it, indented
// by so much.
func (y *yamlText) render(value any, indent int, quotes bool) (head, body string) {
	switch value := value.(type) {
	case Plain:
		return string(value), ""
	case string:
		switch {
		case strings.Contains(value, "\n") && fitsBlock(value):
			return y.block(value, indent)
		case quotes:
			return quoted(value), ""
		}
		return scalarOf(value), ""
	case List:
		if len(value) == 0 {
			return "[]", ""
		}
		for _, item := range value {
			line, more := y.render(item, indent+2, false)
			if fields, isMap := item.(Fields); isMap {
				line, more = strings.TrimSuffix(y.fields(fields, indent+2)[indent+2:], y.end), ""
			}
			body += strings.Repeat(" ", indent) + "- " + line + y.end + more
		}
	case Fields:
		body = y.fields(value, indent)
	}
	return "", body
}

// fields writes a map, a line for each key.
func (y *yamlText) fields(fields Fields, indent int) (lines string) {
	for _, field := range fields {
		head, body := y.render(field.Value, indent+2, false)
		if head != "" {
			head = " " + head
		}
		lines += strings.Repeat(" ", indent) + field.Key + ":" + head + y.end + body
	}
	return lines
}

// block writes a text as a block (|).
func (y *yamlText) block(text string, indent int) (head, body string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			line = strings.Repeat(" ", indent) + line
		}
		body += line + y.end
	}
	return "|", body
}

// fitsBlock reports whether a text can be written as a block.
func fitsBlock(text string) bool {
	return text != "" && strings.TrimSpace(text) != "" && !strings.ContainsAny(text[:1], " \t\n") && !strings.HasSuffix(text, "\n") &&
		!strings.ContainsFunc(text, func(r rune) bool { return isControl(r) || strings.ContainsRune(rareBreaks, r) || r == '\ufeff' })
}

// flowText writes a value inside of brackets.
func flowText(value any) string {
	var parts []string
	switch value := value.(type) {
	case Plain:
		return string(value)
	case string:
		return quoted(value)
	case List:
		for _, item := range value {
			parts = append(parts, flowText(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Fields:
		for _, field := range value {
			parts = append(parts, quoted(field.Key)+": "+flowText(field.Value))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// plain matches texts that need no quotes in YAML, if they are no word such as "yes", and
// addresses.
var plain = regexp.MustCompile(`^(\pL[\pL\pN\pM\p{Sc} '’“”„«».,;?!()/%+…–—-]*|(https?:/)?/[\pL\pN/._~?=&%+-]*)$`)

// scalarOf writes a text of one line.
func scalarOf(text string) string {
	var node yaml.Node
	if plain.MatchString(text) && !strings.HasSuffix(text, " ") && yaml.Load([]byte(text), &node) == nil &&
		len(node.Content) == 1 && node.Content[0].ShortTag() == "!!str" && node.Content[0].Value == text {
		return text
	}
	return quoted(text)
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
