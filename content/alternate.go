package content

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

// ErrByHand means that an alternate cannot be added to an entry without changing other
// lines of the file.
var ErrByHand = errors.New("faq.yaml is written in a way that cannot be changed automatically: add the alternate by hand")

// AddAlternate prepares a change that adds an alternate to an entry. Every other byte of
// faq.yaml stays the same: comments, order, quotes, line ends. AddAlternate reads the
// result, fails with Faults if it is wrong, and with ErrByHand if anything else would
// change.
func AddAlternate(folder fs.FS, entryID, question string) (*Edit, error) {
	data, err := fs.ReadFile(folder, faqFile)
	if err != nil {
		return nil, err
	}
	before, root, err := readFAQ(data)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(before.Entries, func(e Entry) bool { return e.ID == entryID })
	if at < 0 {
		return nil, fmt.Errorf("%s has no entry %q: %s", faqFile, entryID, suggest(entryID, idsOf(before.Entries)))
	}
	question = contract.VisibleText(question)
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	if hasRareBreak(text) {
		return nil, ErrByHand
	}
	edited, ok := newYAMLText(text).withAlternate(object{node: root}.value("entries").Content[at], question)
	if !ok {
		return nil, ErrByHand
	}
	after, _, err := readFAQ(edited)
	if err != nil {
		return nil, err
	}
	if !isTheSameBut(before, after, at, question) {
		return nil, ErrByHand
	}
	mark := data[:len(data)-len(text)]
	return &Edit{Name: faqFile, text: slices.Concat(mark, edited), before: data, folder: folder}, nil
}

// rareBreaks are line breaks of YAML that yamlText does not count: the line numbers of
// the two would differ.
const rareBreaks = "\r\u0085\u2028\u2029"

func hasRareBreak(text []byte) bool {
	return bytes.ContainsAny(bytes.ReplaceAll(text, []byte("\r\n"), nil), rareBreaks)
}

// readFAQ reads the text of faq.yaml without the rest of the folder.
func readFAQ(data []byte) (FAQ, *yaml.Node, error) {
	var faults Faults
	reader := &faqReader{source: &source{name: faqFile, faults: &faults}, ids: seen{}, questions: seen{}}
	root, ok := reader.document(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	if !ok {
		return FAQ{}, nil, faults
	}
	faq := reader.read(root)
	if len(faults) > 0 {
		return FAQ{}, nil, faults
	}
	return faq, root, nil
}

func idsOf(entries []Entry) []string {
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = entries[i].ID
	}
	return ids
}

// isTheSameBut reports whether the only change is one more alternate of one entry, at
// any place among the others.
func isTheSameBut(before, after FAQ, at int, question string) bool {
	for _, faq := range []*FAQ{&before, &after} {
		faq.Entries = slices.Clone(faq.Entries)
		for i := range faq.Entries {
			faq.Entries[i].Line = 0
		}
	}
	if len(after.Entries) != len(before.Entries) {
		return false
	}
	alternates := slices.Clone(after.Entries[at].Alternates)
	added := slices.Index(alternates, question)
	if added < 0 {
		return false
	}
	after.Entries[at].Alternates = slices.Delete(alternates, added, added+1)
	if len(after.Entries[at].Alternates) == 0 {
		after.Entries[at].Alternates = before.Entries[at].Alternates // nil and empty are the same
	}
	return reflect.DeepEqual(before, after) // FAQ holds only texts and times
}
