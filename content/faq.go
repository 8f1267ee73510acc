package content

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

var (
	faqKeys   = keys{required: []string{"fallback", "entries"}, optional: []string{"precision"}}
	entryKeys = keys{
		required: []string{"id", "question", "answer"},
		optional: []string{"alternates", "url", "review_by", "expires", "lang", "group", "draft", "prices"},
	}
)

// pricesForm matches the only value of prices.
var pricesForm = regexp.MustCompile(`^` + pricesFree + `$`)

// pricesFree is the value of prices of an entry whose amounts need no pricing band.
const pricesFree = "free"

// revisionLength is how many hexadecimal digits of an answer's SHA-256 its revision has.
const revisionLength = 12

// faqReader reads faq.yaml.
type faqReader struct {
	*source
	ids       seen
	questions seen    // by QuestionKey: of two entries with the same one, only the first could ever answer it
	notes     []Fault // warnings
}

func (f *faqReader) read(root *yaml.Node) FAQ {
	top, ok := f.object(root, "the FAQ", faqKeys)
	if !ok {
		return FAQ{}
	}
	nodes := top.filledList("entries")
	faq := FAQ{Precision: top.precision(), Entries: make([]Entry, 0, len(nodes))}
	f.inEach(f.languages(), func(language string) {
		text := top.localized("fallback", top.verbatimOf)
		faq.Fallback = cmp.Or(faq.Fallback, text)
		if top.isWritten("fallback") {
			if faq.Fallbacks == nil {
				faq.Fallbacks = map[string]string{}
			}
			faq.Fallbacks[language] = text
		}
		f.noteMissing(top, top.at("fallback"), "the FAQ", "fallback")
	})
	for _, node := range nodes {
		if entry, ok := f.object(node, "an entry", entryKeys); ok {
			faq.Entries = append(faq.Entries, f.entry(entry)...)
		}
	}
	return faq
}

// precision reads the share of answers that must be right.
func (o object) precision() float64 {
	node := o.value("precision")
	if node == nil {
		return 0
	}
	share, err := strconv.ParseFloat(node.Value, 64)
	if err != nil || !(share >= MinPrecision && share <= MaxPrecision) { // true for NaN
		o.fault(node.Line, fmt.Sprintf("the precision %q is no share from %v to %v", node.Value, MinPrecision, MaxPrecision), fmt.Sprintf("such as %v", DefaultPrecision))
		return 0
	}
	return share
}

// textKeys are the keys of an entry whose texts make it one in their language.
var textKeys = []string{"question", "answer", "alternates"}

// entry reads an entry, as one Entry for each language in which it has a text.
func (f *faqReader) entry(o object) (entries []Entry) {
	shared := Entry{
		ID:       o.id(f.ids),
		URL:      o.address("url"),
		ReviewBy: o.date("review_by"),
		Expires:  o.date("expires"),
		Lang:     o.oneOfLanguages("lang"),
		Draft:    o.flag("draft", false),
		Prices:   o.formed("prices", pricesForm, "free, for amounts that belong to no pricing band"),
		Line:     o.node.Line,
	}
	languages := o.languages()
	isLocalized := slices.ContainsFunc(textKeys, func(key string) bool { return len(o.textMaps(key)) > 0 })
	switch {
	case isLocalized && languages != nil:
		if shared.Lang != "" {
			f.fault(o.at("lang"), "the entry has lang, but its texts are written by language", "delete lang")
		}
	case len(languages) > 1 && shared.Lang == "":
		languages = languages[:1]
	default:
		languages = []string{shared.Lang}
	}
	own := seen{} // the questions of the entry
	question := func(node *yaml.Node, what string) string {
		text := f.questionOf(node, what)
		key := QuestionKey(text)
		if _, again := own[key]; key != "" && (!again || !isLocalized) { // the same word may be right in two languages
			own[key] = node.Line
			f.once(f.questions, key, fmt.Sprintf("the question %q", text), node.Line)
		}
		return text
	}
	f.inEach(languages, func(language string) {
		entry := shared
		entry.Lang, entry.Group = language, o.localLine("group")
		entry.Answer, entry.Question = o.localized("answer", o.verbatimOf), o.localized("question", question)
		for _, alternate := range o.localizedList("alternates", "an alternate", question) {
			if alternate != "" { // a language that an item has not
				entry.Alternates = append(entry.Alternates, alternate)
			}
		}
		if len(entries) > 0 {
			first := &entries[0]
			f.noteMissing(o, shared.Line, fmt.Sprintf("the entry %q", shared.ID), "question", "answer")
			if !slices.ContainsFunc(textKeys, o.isWritten) {
				first.Also = append(first.Also, language)
				return
			}
			entry.Group, entry.Question, entry.Answer = cmp.Or(entry.Group, first.Group), cmp.Or(entry.Question, first.Question), cmp.Or(entry.Answer, first.Answer)
		}
		entry.Revision = revision(entry.Answer)
		entries = append(entries, entry)
	})
	return entries
}

// noteMissing warns of keys whose texts are not written in the language that is read, in
// which the text in the first language is used.
func (f *faqReader) noteMissing(o object, line int, what string, keys ...string) {
	missing := slices.DeleteFunc(keys, func(key string) bool {
		node := o.value(key)
		return node == nil || node.Kind != yaml.MappingNode || o.isWritten(key)
	})
	if first := f.languages(); len(missing) > 0 && len(first) > 0 && f.language != first[0] {
		f.notes = append(f.notes, Fault{File: faqFile, Line: line, Message: fmt.Sprintf("%s has no %s in %q; the text in %q is used",
			what, strings.Join(missing, " and no "), f.language, first[0])})
	}
}

func revision(answer string) string {
	sum := sha256.Sum256([]byte(answer))
	return hex.EncodeToString(sum[:])[:revisionLength]
}
