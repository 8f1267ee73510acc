package content

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

// RemoveAlternate returns a content folder in which an entry lacks one of its alternates,
// which is given as it is written there. Every other line of faq.yaml stays as it is. Its
// errors are those of AddAlternate.
func RemoveAlternate(folder fs.FS, entryID, alternate string) (*Edit, error) {
	data, err := fs.ReadFile(folder, faqFile)
	if err != nil {
		return nil, err
	}
	before, root, err := readFAQ(data)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(before.Entries, func(e Entry) bool { return e.ID == entryID })
	if at < 0 || !slices.Contains(before.Entries[at].Alternates, alternate) {
		return nil, fmt.Errorf("%s: entry %q has no alternate %q", faqFile, entryID, alternate)
	}
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	place := slices.Index(before.Entries[at].Alternates, alternate)
	edited, ok := newYAMLText(text).withoutAlternate(object{node: root}.value("entries").Content[at], place)
	if !ok || hasRareBreak(text) {
		return nil, ErrByHand
	}
	after, _, err := readFAQ(edited)
	if err != nil || !isTheSameBut(after, before, at, alternate) {
		return nil, ErrByHand
	}
	mark := data[:len(data)-len(text)]
	return &Edit{Name: faqFile, text: slices.Concat(mark, edited), before: data, folder: folder}, nil
}

// withoutAlternate removes an alternate of the entry at a node, by its place among them.
// It reports false when it cannot do so without touching other lines.
func (y yamlText) withoutAlternate(entry *yaml.Node, place int) ([]byte, bool) {
	key, list := member(entry, "alternates")
	if key == nil || list.Kind != yaml.SequenceNode || place >= len(list.Content) {
		return nil, false
	}
	item := list.Content[place]
	if list.Style&yaml.FlowStyle != 0 {
		return y.withoutFlowItem(list, place)
	}
	before, _ := y.split(item)
	if !dash.MatchString(before) {
		return nil, false
	}
	first, last := item.Line, y.endOf(item.Line, strings.IndexByte(before, '-'))
	if len(list.Content) == 1 && first == key.Line+1 { // an empty list would be left
		first = key.Line
	}
	return []byte(strings.Join(slices.Delete(slices.Clone(y.lines), first-1, last), "")), true
}

// flowItem is an item of a list in brackets, up to the sign behind it.
var flowItem = regexp.MustCompile(`^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\]\[{}"'#]*)\s*(,\s*|\])`)

// withoutFlowItem removes an item of [a, b] that begins and ends on one line.
func (y yamlText) withoutFlowItem(list *yaml.Node, place int) ([]byte, bool) {
	item := list.Content[place]
	before, after := y.split(item)
	found := flowItem.FindStringSubmatch(after)
	if found == nil {
		return nil, false
	}
	if found[2] == "]" {
		after = "]" + after[len(found[0]):]
		before = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(before, " "), ","), " ")
	} else {
		after = after[len(found[0]):]
	}
	lines := slices.Clone(y.lines)
	lines[item.Line-1] = before + after
	return []byte(strings.Join(lines, "")), true
}

// AddUnanswered returns a content folder in which golden.yaml, which is made if it does
// not exist, has one more question that must not be answered. Every other line stays as
// it is. The error is Faults or ErrByHandGolden.
func AddUnanswered(folder fs.FS, question string) (*Edit, error) {
	question = contract.VisibleText(question)
	data, err := fs.ReadFile(folder, goldenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &Edit{Name: goldenFile, text: []byte("unanswered:\n  - " + scalarOf(question) + "\n"), folder: folder}, nil
	}
	if err != nil {
		return nil, err
	}
	before, root, err := readGolden(data)
	if err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	edited, ok := newYAMLText(text).withUnanswered(root, question)
	if !ok || hasRareBreak(text) {
		return nil, ErrByHandGolden
	}
	after, _, err := readGolden(edited)
	if err != nil {
		return nil, err
	}
	if !addsUnanswered(before, after, question) {
		return nil, ErrByHandGolden
	}
	mark := data[:len(data)-len(text)]
	return &Edit{Name: goldenFile, text: slices.Concat(mark, edited), before: data, folder: folder}, nil
}

// ErrByHandGolden reports that no line can be added to golden.yaml without touching
// others.
var ErrByHandGolden = errors.New("golden.yaml is written in a way that cannot be changed automatically: add the question to unanswered by hand")

// readGolden reads the text of golden.yaml without checking that its entries exist.
func readGolden(data []byte) (Golden, *yaml.Node, error) {
	var faults Faults
	reader := &goldenReader{source: &source{name: goldenFile, faults: &faults}, questions: seen{}}
	root, ok := reader.document(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	if !ok {
		return Golden{}, nil, faults
	}
	golden := reader.read(root)
	if len(faults) > 0 {
		return Golden{}, nil, faults
	}
	return golden, root, nil
}

// withUnanswered adds a question to the unanswered ones, in their style. It reports false
// if there is no place for it.
func (y yamlText) withUnanswered(root *yaml.Node, question string) ([]byte, bool) {
	if root.Kind != yaml.MappingNode {
		return nil, false
	}
	key, value := member(root, "unanswered")
	isFlow := root.Style&yaml.FlowStyle != 0
	switch {
	case key == nil && isFlow:
		return nil, false
	case key == nil:
		return y.insertAfter(len(y.lines), "unanswered:", "  - "+scalarOf(question))
	case value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle != 0:
		return y.intoFlowList(value, question)
	case value.Kind == yaml.SequenceNode && len(value.Content) > 0:
		return y.afterItem(value.Content[len(value.Content)-1], question)
	case !isFlow && value.ShortTag() == nullTag:
		return y.insertAfter(key.Line, "  - "+scalarOf(question))
	}
	return nil, false
}

// addsUnanswered reports whether the only change is one more unanswered question.
func addsUnanswered(before, after Golden, question string) bool {
	without := func(golden []GoldenQuestion) (texts []GoldenQuestion) {
		for _, q := range golden {
			texts = append(texts, GoldenQuestion{Q: q.Q, ID: q.ID})
		}
		return texts
	}
	added := slices.IndexFunc(after.Unanswered, func(q GoldenQuestion) bool { return q.Q == question })
	if added < 0 {
		return false
	}
	rest := slices.Delete(slices.Clone(after.Unanswered), added, added+1)
	return slices.Equal(without(before.Answered), without(after.Answered)) && slices.Equal(without(before.Unanswered), without(rest))
}
