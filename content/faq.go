package content

import (
	"crypto/sha256"
	"encoding/hex"

	"go.yaml.in/yaml/v4"
)

var (
	faqKeys   = keys{required: []string{"fallback", "entries"}}
	entryKeys = keys{
		required: []string{"id", "question", "answer"},
		optional: []string{"alternates", "url", "review_by", "expires", "lang", "group", "draft"},
	}
)

// revisionLength is how many hexadecimal digits of an answer's SHA-256 its revision has.
const revisionLength = 12

// faqReader reads faq.yaml.
type faqReader struct {
	*source
	ids       seen
	questions seen // by QuestionKey: of two entries with the same one, only the first could ever answer it
}

func (f *faqReader) read(root *yaml.Node) FAQ {
	top, ok := f.object(root, "the FAQ", faqKeys)
	if !ok {
		return FAQ{}
	}
	nodes := top.filledList("entries")
	fallback := top.localize("fallback", top.verbatimOf)
	faq := FAQ{Fallback: fallback.one, Fallbacks: fallback.byLanguage, Entries: make([]Entry, 0, len(nodes))}
	if fallback.byLanguage != nil && f.business != nil {
		faq.Fallback = fallback.in(f.business.languages()[0])
	}
	for _, node := range nodes {
		if entry, ok := f.object(node, "an entry", entryKeys); ok {
			faq.Entries = append(faq.Entries, f.entry(entry))
		}
	}
	return faq
}

func (f *faqReader) entry(o object) Entry {
	entry := Entry{
		ID:       o.id(f.ids),
		Answer:   o.verbatim("answer"),
		URL:      o.address("url"),
		ReviewBy: o.date("review_by"),
		Expires:  o.date("expires"),
		Lang:     o.oneOfLanguages("lang"),
		Group:    o.line("group"),
		Draft:    o.flag("draft", false),
		Line:     o.node.Line,
	}
	entry.Revision = revision(entry.Answer)
	if node := o.value("question"); node != nil {
		entry.Question = f.uniqueQuestion(f.questions, node, "question")
	}
	for _, node := range o.list("alternates") {
		entry.Alternates = append(entry.Alternates, f.uniqueQuestion(f.questions, node, "an alternate"))
	}
	return entry
}

func revision(answer string) string {
	sum := sha256.Sum256([]byte(answer))
	return hex.EncodeToString(sum[:])[:revisionLength]
}
