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

// yamlText is a YAML file as its owner wrote it, by lines. The nodes have positions in
// it, so that text can be inserted without rewriting the file.
type yamlText struct {
	lines []string // with their ends
}

func newYAMLText(text []byte) yamlText {
	return yamlText{lines: slices.Collect(strings.Lines(string(text)))}
}

// withAlternate adds a question to the alternates of the entry at a node, in their
// style. It reports false when it finds no place.
func (y yamlText) withAlternate(entry *yaml.Node, question string) ([]byte, bool) {
	key, value := member(entry, "alternates")
	isFlow := entry.Style&yaml.FlowStyle != 0
	switch {
	case key == nil && isFlow:
		return y.newFlowList(entry, question)
	case key == nil:
		return y.newBlockList(entry, question)
	case value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle != 0:
		return y.intoFlowList(value, question)
	case value.Kind == yaml.SequenceNode && len(value.Content) > 0:
		return y.afterItem(value.Content[len(value.Content)-1], question)
	case !isFlow && value.ShortTag() == nullTag:
		return y.insertAfter(key.Line, indent(key)+"  - "+scalarOf(question))
	}
	return nil, false
}

// member returns the nodes of a key and its value.
func member(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// dash matches the beginning of an item of a block list.
var dash = regexp.MustCompile(`^ *- +$`)

// afterItem adds an item below the last one of a block list.
func (y yamlText) afterItem(last *yaml.Node, question string) ([]byte, bool) {
	before, _ := y.split(last)
	if !dash.MatchString(before) {
		return nil, false
	}
	return y.insertAfter(y.endOf(last.Line, strings.IndexByte(before, '-')), before+scalarOf(question))
}

// newBlockList gives an entry its first alternate, below its question.
func (y yamlText) newBlockList(entry *yaml.Node, question string) ([]byte, bool) {
	key, value := member(entry, "question")
	if key == nil {
		return nil, false
	}
	return y.insertAfter(y.endOf(value.Line, key.Column-1), indent(key)+"alternates:", indent(key)+"  - "+scalarOf(question))
}

// intoFlowList adds an item at the beginning of [a, b].
func (y yamlText) intoFlowList(list *yaml.Node, question string) ([]byte, bool) {
	_, after := y.split(list)
	item := quoted(question)
	if len(list.Content) > 0 {
		item += ", "
	}
	if !strings.HasPrefix(after, "[") {
		return nil, false
	}
	return y.insertBefore(list, 1, item), true
}

// newFlowList gives an entry like {id: a, question: b} its first alternate, before
// its question.
func (y yamlText) newFlowList(entry *yaml.Node, question string) ([]byte, bool) {
	key, _ := member(entry, "question")
	if key == nil {
		return nil, false
	}
	name := "alternates"
	if key.Style&yaml.DoubleQuotedStyle != 0 { // JSON
		name = quoted(name)
	}
	return y.insertBefore(key, 0, name+": ["+quoted(question)+"], "), true
}

func indent(key *yaml.Node) string { return strings.Repeat(" ", key.Column-1) }

// split splits the line of a node at its beginning. Columns count characters.
func (y yamlText) split(node *yaml.Node) (before, after string) {
	line := y.lines[node.Line-1]
	at := 0
	for range node.Column - 1 {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return line[:at], line[at:]
}

// insertBefore puts a text into the line of a node, skip bytes behind its beginning.
func (y yamlText) insertBefore(node *yaml.Node, skip int, text string) []byte {
	before, after := y.split(node)
	lines := slices.Clone(y.lines)
	lines[node.Line-1] = before + after[:skip] + text + after[skip:]
	return []byte(strings.Join(lines, ""))
}

// insertAfter puts lines below the nth line, with line ends like its own.
func (y yamlText) insertAfter(n int, added ...string) ([]byte, bool) {
	lines := slices.Clone(y.lines)
	end := "\n"
	switch last := lines[n-1]; {
	case strings.HasSuffix(last, "\r\n"):
		end = "\r\n"
	case !strings.HasSuffix(last, "\n"):
		lines[n-1] += end
	}
	for i := range added {
		added[i] += end
	}
	return []byte(strings.Join(slices.Insert(lines, n, added...), "")), true
}

// endOf returns the last line of a value that begins on a line: its further lines are
// indented by more than the given number of spaces. Blank lines and comments after it
// are not included.
func (y yamlText) endOf(line, spaces int) int {
	end := line
	for n := line + 1; n <= len(y.lines); n++ {
		text := strings.TrimRight(y.lines[n-1], "\r\n")
		bare := strings.TrimLeft(text, " ")
		if bare == "" || strings.HasPrefix(bare, "#") {
			continue
		}
		if len(text)-len(bare) <= spaces {
			break
		}
		end = n
	}
	return end
}

// plain matches questions that need no quotes in YAML: words that begin with a letter,
// without special characters.
var plain = regexp.MustCompile(`^\pL[\pL\pN'’-]* [\pL\pN\pM '’.,?!()/-]*$`)

// scalarOf writes a question as an item of a block list.
func scalarOf(question string) string {
	if plain.MatchString(question) {
		return question
	}
	return quoted(question)
}

// quoted writes a text as JSON, which is valid YAML.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // encoding a string never fails
	return strings.TrimSuffix(out.String(), "\n")
}
