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
// it. Each edit returns the text with one change, leaves every other byte as it is, and
// changes the nodes in the same way. It panics with byHand where it does not understand the
// text; the caller also reads the text again and compares it with the nodes.
type yamlText struct {
	text  string
	lines []int // where they begin
	root  *yaml.Node
	end   string // of a line
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

// Styles of scalars.
const (
	quotedStyle = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	blockStyle  = yaml.LiteralStyle | yaml.FoldedStyle
)

func isFlow(node *yaml.Node) bool  { return node.Style&yaml.FlowStyle != 0 }
func isBlock(node *yaml.Node) bool { return node.Style&blockStyle != 0 }

// isNothing reports whether a value is not written at all.
func isNothing(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "" && node.Style&(quotedStyle|blockStyle) == 0
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

// Texts behind which a value ends.
var (
	blockHead  = regexp.MustCompile(`^[|>][-+0-9]*`)
	inQuotes   = regexp.MustCompile(`^(?s:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	toBracket  = regexp.MustCompile(`^(?:[\s,:]|#.*\n)*[\]}]`)
	toColon    = regexp.MustCompile(`^ *:`)
	itemPrefix = regexp.MustCompile(`^ *- +$`)
)

// behind is where the match of a pattern ends that begins at a place.
func (y *yamlText) behind(at int, pattern *regexp.Regexp) int {
	found := pattern.FindStringIndex(y.text[at:])
	must(found != nil)
	return at + found[1]
}

// endOf is where a text without a block ends, or a list or a map in brackets.
func (y *yamlText) endOf(node *yaml.Node) int {
	at := y.start(node)
	switch {
	case node.Kind != yaml.ScalarNode:
		must(isFlow(node))
		at++
		if parts := y.parts(node); len(parts) > 0 {
			at = parts[len(parts)-1].to
		}
		return y.behind(at, toBracket)
	case node.Style&quotedStyle != 0:
		return y.behind(at, inQuotes)
	}
	for word := range strings.FieldsSeq(node.Value) { // between them are only spaces and line breaks
		found := strings.Index(y.text[at:], word)
		must(found >= 0)
		at += found + len(word)
	}
	return at
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

// colon is the place behind the colon of a key.
func (y *yamlText) colon(key *yaml.Node) int { return y.behind(y.endOf(key), toColon) }

// prefix is the line of an item of a block list up to the item.
func (y *yamlText) prefix(item *yaml.Node) string {
	at := y.start(item)
	before := y.text[y.lineStart(at):at]
	must(itemPrefix.MatchString(before))
	return before
}

// dash is how far the items of a block list are indented.
func (y *yamlText) dash(item *yaml.Node) int { return strings.IndexByte(y.prefix(item), '-') }

// part is a part of the text.
type part struct{ from, to int }

// parts are the items of a list, or the keys of a map with their values. In a block they
// end with a line, and an item begins with the comments right above it.
func (y *yamlText) parts(parent *yaml.Node) (parts []part) {
	step := nodesOf(parent)
	for at := 0; at < len(parent.Content); at += step {
		first, last := parent.Content[at], parent.Content[at+step-1]
		p := part{from: y.start(first)}
		switch {
		case isFlow(parent) && isNothing(last):
			p.to = y.endOf(first)
		case isFlow(parent):
			p.to = y.endOf(last)
		case parent.Kind == yaml.SequenceNode:
			p = part{y.lineStart(p.from), y.bottom(p.from, y.dash(first))}
			for p.from > 0 {
				above := y.lineStart(p.from - 1)
				if by, isComment := y.indent(above); !isComment || by != y.dash(first) {
					break
				}
				p.from = above
			}
		default:
			p.to = y.bottomOf(first, last)
		}
		must(len(parts) == 0 || parts[len(parts)-1].to <= p.from)
		parts = append(parts, p)
	}
	return parts
}

// nodesOf is how many nodes each part of a parent has.
func nodesOf(parent *yaml.Node) int {
	if parent.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// bottomOf is where the last line ends of the value of a key in a block. The items of a
// list may be indented as its key is.
func (y *yamlText) bottomOf(key, value *yaml.Node) int {
	if count := len(value.Content); value.Kind == yaml.SequenceNode && !isFlow(value) && count > 0 {
		last := value.Content[count-1]
		return y.bottom(y.start(last), y.dash(last))
	}
	return y.bottom(y.start(key), key.Column-1)
}

// splice replaces a part of the text.
func (y *yamlText) splice(from, to int, with string) string {
	before := y.text[:from]
	if strings.HasSuffix(with, "\n") && from > 0 && from == y.nextLine(from-1) && !strings.HasSuffix(before, "\n") {
		before += y.end // of a file whose last line has none
	}
	return before + with + y.text[to:]
}

// set sets the value at a path, and makes the keys at its end that are missing.
func (y *yamlText) set(path Path, value any) (after string) {
	must(len(path) > 0)
	around, last := path[:len(path)-1], path[len(path)-1]
	parent, old := y.at(around), y.at(path)
	key, isKey := last.(string)
	switch {
	case old != nil:
		after = y.replace(parent, old, last, value)
		*old = *nodeOf(value)
		return after
	case isKey && parent == nil:
		return y.set(around, Fields{{key, value}})
	}
	must(isKey && parent.Kind == yaml.MappingNode && len(parent.Content) > 0)
	return y.insert(parent, keyPlace(parent, key), Fields{{key, value}})
}

// replace gives a key, or an item, of a node another value.
func (y *yamlText) replace(parent, old *yaml.Node, step, value any) string {
	if isFlow(parent) {
		return y.splice(y.start(old), y.endOf(old), flowText(value))
	}
	if name, isKey := step.(string); isKey {
		key, _ := member(parent, name)
		return y.put(y.colon(key), y.bottomOf(key, old), old, key.Column-1, value)
	}
	dash := y.dash(old)
	return y.put(y.lineStart(y.start(old))+dash+1, y.bottom(y.start(old), dash), old, dash, value)
}

// put gives a key, or an item, of a block another value. It is written at a place behind the
// colon or the dash, which is indented by so much; the last line of the old one ends at bottom.
func (y *yamlText) put(behind, bottom int, old *yaml.Node, indent int, value any) string {
	head, body, by := part{behind, behind}, y.nextLine(behind), indent+2
	bodyEnd, start := body, y.start(old)
	text, isText := value.(string)
	written := y.render(value, by)
	switch {
	case isNothing(old):
	case isBlock(old):
		head, body = part{start, y.behind(start, blockHead)}, y.nextLine(start)
		bodyEnd = body
		for line := body; line < bottom; line = y.nextLine(line) {
			if spaces, _ := y.indent(line); spaces >= 0 {
				by, bodyEnd = spaces, y.nextLine(y.bottom(line, spaces-1))
				break
			}
		}
		if written = y.render(value, by); isText && fitsBlock(text) {
			written = y.block(text, by)
		}
	case old.Kind != yaml.ScalarNode && !isFlow(old):
		must(start > y.lineEnd(behind)) // an item may be a map
		body, bodyEnd = y.lineStart(start), y.nextLine(bottom)
	default:
		must(start <= y.lineEnd(behind))
		head = part{start, y.endOf(old)}
		body = y.nextLine(head.to)
		bodyEnd = body
		if isText && old.Style&quotedStyle != 0 && !strings.HasPrefix(written, " |") {
			written = " " + quoted(text) + y.end
		}
	}
	first, more, _ := strings.Cut(written, y.end)
	if head.from > behind {
		first = strings.TrimPrefix(first, " ")
	}
	if first == "" {
		head.from = behind
	}
	between := y.text[head.to:body]
	if more != "" && !strings.HasSuffix(between, "\n") {
		between += y.end
	}
	return y.text[:head.from] + first + between + more + y.text[bodyEnd:]
}

// keyOrder is where a new key goes: behind those that are before it here.
var keyOrder = []string{
	"id", "name", "question", "alternates", "answer", "summary", "description", "includes", "audience", "pricing_band", "currency", "from", "to", "unit", "note",
	"languages", "kind", "address", "street", "postal_code", "city", "country", "phone", "email", "hours", "closed", "url", "lang", "group", "review_by",
	"expires", "draft", "prices", "fallback", "precision",
}

// keyPlace is the place of a new key in a map.
func keyPlace(mapping *yaml.Node, name string) int {
	place, order := len(mapping.Content)/2, slices.Index(keyOrder, name)
	for i := 0; i < len(mapping.Content) && order >= 0; i += 2 {
		if at := slices.Index(keyOrder, mapping.Content[i].Value); at >= 0 && at < order {
			place = i/2 + 1
		}
	}
	return place
}

// insert adds an item to a list that has some, or to [], or a key to a map.
func (y *yamlText) insert(parent *yaml.Node, place int, value any) (after string) {
	parts, step := y.parts(parent), nodesOf(parent)
	fields, isMap := value.(Fields)
	added := []*yaml.Node{nodeOf(value)}
	if step == 2 {
		added = added[0].Content
	}
	switch text := flowText(value); {
	case isFlow(parent):
		if step == 2 { // without its braces
			text = text[1 : len(text)-1]
			if parent.Content[0].Style&quotedStyle == 0 { // no JSON
				text = fields[0].Key + ": " + flowText(fields[0].Value)
			}
		}
		switch {
		case len(parts) == 0:
			after = y.splice(y.start(parent)+1, y.start(parent)+1, text)
		case place == 0:
			after = y.splice(parts[0].from, parts[0].from, text+", ")
		default:
			after = y.splice(parts[place-1].to, parts[place-1].to, ", "+text)
		}
	default:
		must(len(parts) > 0)
		separator, last := "", len(parts)-1
		if step == 2 {
			text = strings.TrimPrefix(y.render(value, parent.Content[0].Column-1), y.end)
		} else {
			prefix := y.prefix(parent.Content[min(place, last)])
			text = prefix + strings.TrimLeft(y.render(value, len(prefix)), " \r\n")
		}
		if step == 1 && isMap && last > 0 && strings.Count(y.text[parts[last-1].to:parts[last].from], "\n") > 1 {
			separator = y.end // as between the others
		}
		if place == 0 {
			after = y.splice(parts[0].from, parts[0].from, text+separator)
		} else {
			at := y.nextLine(parts[place-1].to)
			after = y.splice(at, at, separator+text)
		}
	}
	parent.Content = slices.Insert(parent.Content, place*step, added...)
	return after
}

// remove removes what is at a path, and what would be empty without it.
func (y *yamlText) remove(path Path) (after string) {
	must(len(path) > 0 && y.at(path) != nil)
	around := path[:len(path)-1]
	parent := y.at(around)
	parts, step := y.parts(parent), nodesOf(parent)
	if len(parts) == 1 {
		return y.remove(around)
	}
	place, isItem := path[len(path)-1].(int)
	if !isItem {
		key, _ := member(parent, path[len(path)-1].(string))
		place = slices.Index(parent.Content, key) / step
	}
	from, to := y.start(parent.Content[place*step]), parts[place].to
	line := y.lineStart(from)
	isBlank := func(at int) bool { by, _ := y.indent(at); return by < 0 }
	isFirst := step == 2 && strings.TrimSpace(y.text[line:from]) != "" // of an item
	switch {
	case (isFlow(parent) || isFirst) && place+1 < len(parts):
		to = parts[place+1].from
	case isFlow(parent):
		from = parts[place-1].to
	default:
		from, to = line, y.nextLine(to)
		if step == 1 && from > 0 && isBlank(y.lineStart(from-1)) { // one of two empty lines goes too
			if to == len(y.text) {
				from = y.lineStart(from - 1)
			} else if isBlank(to) {
				to = y.nextLine(to)
			}
		}
	}
	parent.Content = slices.Delete(parent.Content, place*step, (place+1)*step)
	return y.splice(from, to, "")
}

// move moves an item of a list to another place. What is between the items stays.
func (y *yamlText) move(list *yaml.Node, from, to int) (after string) {
	parts := y.parts(list)
	moved := slices.Insert(slices.Delete(slices.Clone(parts), from, from+1), to, parts[from])
	end := 0
	for i, p := range moved {
		after += y.text[end:parts[i].from] + y.text[p.from:p.to]
		end = parts[i].to
	}
	item := list.Content[from]
	list.Content = slices.Insert(slices.Delete(list.Content, from, from+1), to, item)
	return after + y.text[end:]
}

// render writes a value of a block: what is behind its colon or its dash, and the lines
// below, indented by so much.
func (y *yamlText) render(value any, indent int) string {
	spaces, lines := strings.Repeat(" ", indent), y.end
	switch value := value.(type) {
	case Plain:
		return " " + string(value) + y.end
	case string:
		if strings.Contains(value, "\n") && fitsBlock(value) {
			return y.block(value, indent)
		}
		return " " + scalarOf(value) + y.end
	case List:
		if len(value) == 0 {
			return " []" + y.end
		}
		for _, item := range value {
			lines += spaces + "- " + strings.TrimLeft(y.render(item, indent+2), " \r\n")
		}
	case Fields:
		for _, field := range value {
			lines += spaces + field.Key + ":" + y.render(field.Value, indent+2)
		}
	}
	return lines
}

// block writes a text as a block (|).
func (y *yamlText) block(text string, indent int) string {
	lines := " |" + y.end
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			line = strings.Repeat(" ", indent) + line
		}
		lines += line + y.end
	}
	return lines
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
