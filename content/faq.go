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
	fallback := top.localize("fallback", top.verbatimOf)
	faq := FAQ{Precision: top.precision(), Fallback: fallback.one, Fallbacks: fallback.byLanguage, Entries: make([]Entry, 0, len(nodes))}
	if languages := f.languages(); fallback.byLanguage != nil && languages != nil {
		faq.Fallback = fallback.in(languages[0])
		f.noteMissing(top.at("fallback"), "the FAQ", languages, named{"fallback", fallback})
	}
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

// entry reads an entry, as one Entry for each language in which it has a text.
func (f *faqReader) entry(o object) (entries []Entry) {
	answer, group := o.localize("answer", o.verbatimOf), o.localLine("group")
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
	question, alternates := f.questionsOf(o)
	languages := o.languages()
	if !o.isLocalized() || languages == nil {
		if len(languages) > 1 {
			shared.Lang = cmp.Or(shared.Lang, languages[0])
		}
		languages = []string{shared.Lang}
	} else if shared.Lang != "" {
		f.fault(o.at("lang"), "the entry has lang, but its texts are written by language", "delete lang")
	}
	f.noteMissing(shared.Line, fmt.Sprintf("the entry %q", shared.ID), languages, named{"question", question}, named{"answer", answer})
	for i, language := range languages {
		if i > 0 && !question.has(language) && !answer.has(language) && !alternates.has(language) {
			entries[0].Also = append(entries[0].Also, language)
			continue
		}
		entry := shared
		entry.Lang, entry.Group = language, group.or(language, languages[0])
		entry.Question, entry.Answer = question.or(language, languages[0]), answer.or(language, languages[0])
		for _, alternate := range alternates.in(language) {
			if alternate != "" { // a language that an item has not
				entry.Alternates = append(entry.Alternates, alternate)
			}
		}
		entry.Revision = revision(entry.Answer)
		entries = append(entries, entry)
	}
	return entries
}

// questionsOf reads the question and the alternates of an entry, which no other entry may
// have. The same word may be right in two languages.
func (f *faqReader) questionsOf(o object) (question localized, alternates localizedLines) {
	own := seen{}
	read := func(node *yaml.Node, what string) string {
		text := f.questionOf(node, what)
		key := QuestionKey(text)
		if _, again := own[key]; key != "" && (!again || !o.isLocalized()) {
			own[key] = node.Line
			f.once(f.questions, key, fmt.Sprintf("the question %q", text), node.Line)
		}
		return text
	}
	return o.localize("question", read), o.localizeLines("alternates", "an alternate", read)
}

// isLocalized reports whether an entry has texts by language.
func (o object) isLocalized() bool {
	isMap := func(node *yaml.Node) bool { return node.Kind == yaml.MappingNode }
	return slices.ContainsFunc([]string{"question", "answer", "alternates"}, func(key string) bool {
		node := o.value(key)
		return node != nil && (isMap(node) || slices.ContainsFunc(node.Content, isMap))
	})
}

// named is a text with its key.
type named struct {
	key  string
	text localized
}

// noteMissing warns of texts that are not written in every language.
func (f *faqReader) noteMissing(line int, what string, languages []string, texts ...named) {
	for _, language := range languages[min(len(languages), 1):] {
		var missing []string
		for _, t := range texts {
			if t.text.byLanguage != nil && !t.text.has(language) {
				missing = append(missing, t.key)
			}
		}
		if len(missing) > 0 {
			f.notes = append(f.notes, Fault{File: faqFile, Line: line, Message: fmt.Sprintf("%s has no %s in %q; the text in %q is used",
				what, strings.Join(missing, " and no "), language, languages[0])})
		}
	}
}

func revision(answer string) string {
	sum := sha256.Sum256([]byte(answer))
	return hex.EncodeToString(sum[:])[:revisionLength]
}
