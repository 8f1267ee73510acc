package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// PricesFree is the value of prices of an entry whose amounts need no pricing band.
const PricesFree = "free"

// revisionLength is how many hexadecimal digits of an answer's SHA-256 its revision has.
const revisionLength = 12

func (s *source) faq(root *yaml.Node) (faq FAQ) {
	top, ok := s.object(root, &faqGroup)
	if !ok {
		return faq
	}
	faq = FAQ{Entries: []Entry{}, Precision: top.number("precision"), Facts: top.facts(),
		Synonyms: top.synonyms()}
	s.content.FAQ = faq // with the facts that are wanted, which entries look up
	languages := s.siteLanguages
	if languages == nil { // because of a fault that is reported
		languages = []string{""}
	}
	for _, language := range languages {
		top.source = s.in(language)
		text := top.text("fallback")
		faq.Fallback = cmp.Or(faq.Fallback, text)
		if top.isWritten(language, "fallback") {
			if faq.Fallbacks == nil {
				faq.Fallbacks = map[string]string{}
			}
			faq.Fallbacks[language] = text
		}
	}
	for _, entry := range top.objects(entriesKey) {
		faq.Entries = append(faq.Entries, entry.entry()...)
	}
	return faq
}

// synonyms reads the lists of words that mean the same.
func (o object) synonyms() (lists [][]string) {
	lines := seen{}
	for _, item := range o.list("synonyms") {
		var words []string
		for _, word := range o.items(item, "an item of synonyms") {
			text := o.lineOf(word, "a synonym")
			o.once(lines, QuestionKey(text), "the synonym", text, word)
			if strings.Contains(text, ",") { // the owner's form separates words by commas
				o.fault(word, "write each word as its own item", "the synonym %q contains a comma", text).
					as("content.comma", text)
			}
			words = append(words, text)
		}
		if len(words) < 2 {
			o.fault(item, "such as [sledge, toboggan]", "an item of synonyms has fewer than two words").as("content.synonyms")
		}
		lists = append(lists, words)
	}
	return lists
}

// textKeys are the keys that decide in which languages an entry exists: those in which one of them has a text.
var textKeys = []string{"question", "answer", "alternates"}

// entry reads an entry, as one Entry for each language in which it has a text.
func (o object) entry() (entries []Entry) {
	shared := Entry{
		ID: o.id(o.ids), URL: o.text("url"), ReviewBy: o.date("review_by"), Expires: o.date("expires"), Lang: o.text("lang"),
		Draft: o.flag("draft"), Prices: o.text("prices"), Line: o.node.Line,
	}
	languages := o.siteLanguages
	isLocalized := slices.ContainsFunc(textKeys, func(key string) bool { return len(o.textMaps(key)) > 0 })
	switch {
	case isLocalized && languages != nil:
		if shared.Lang != "" {
			o.fault(o.value("lang"), "delete lang", "the entry has lang, but its texts are written by language")
		}
	case len(languages) > 1 && shared.Lang == "":
		languages, shared.Also = languages[:1], slices.Clone(languages[1:])
	default:
		languages = []string{shared.Lang}
	}
	own := seen{} // the questions of the entry
	question := func(node *yaml.Node, what string) string {
		text := o.questionOf(node, what)
		key := QuestionKey(text)
		if _, again := own[key]; key != "" && (!again || !isLocalized) { // the same word may be right in two languages
			own[key] = node.Line
			if other := o.askedBy[key]; other != "" && other != shared.ID {
				o.fault(node, fmt.Sprintf("first on line %d", o.questions[key]), "the question %q is in the entry %q too", text,
					other).as("content.asked", text, other)
				return text
			}
			o.once(o.questions, key, "the question", text, node)
			o.askedBy[key] = shared.ID
		}
		return text
	}
	isWritten := func(language string) bool { return o.isWritten(language, textKeys...) }
	isFact := func(language string) bool {
		return o.content.FAQ.IsFactWanted(shared.ID) && o.content.factIn(shared.ID, language) != ""
	}
	for _, language := range languages {
		switch {
		case !isLocalized || isWritten(language):
		case isFact(language) && slices.ContainsFunc(languages, isWritten):
			continue // the fact answers in this language
		case len(entries) == 0 && language != languages[0]: // a fact answers in the first
			shared.Also = append(shared.Also, language)
			continue
		}
		o.source = o.in(language)
		entry := shared
		entry.Lang, entry.Group = language, o.text("group")
		entry.Answer, entry.Question = o.localized("answer", o.verbatimOf), o.localized("question", question)
		entry.Alternates = o.localizedList("alternates", "an alternate", question)
		if len(entries) > 0 {
			first := &entries[0]
			o.noteMissing(shared)
			if !isWritten(language) {
				first.Also = append(first.Also, language)
				continue
			}
			entry.Group, entry.Question = cmp.Or(entry.Group, first.Group), cmp.Or(entry.Question, first.Question)
			entry.Answer = cmp.Or(entry.Answer, first.Answer)
		}
		entry.Revision = revision(entry.Answer)
		entries, shared.Also = append(entries, entry), nil
	}
	return entries
}

// noteMissing warns of texts of an entry that are not written in the language that is read, in which the text in the
// first language is used.
func (o object) noteMissing(entry Entry) {
	missing := slices.DeleteFunc([]string{"question", "answer"}, func(key string) bool {
		node := o.value(key)
		return node == nil || node.Kind != yaml.MappingNode || o.isWritten(o.language, key)
	})
	if first := o.siteLanguages[0]; len(missing) > 0 {
		message := fmt.Sprintf("the entry %q has no %s in %q; the text in %q is used", entry.ID,
			strings.Join(missing, " and no "), o.language, first)
		o.content.notes = append(o.content.notes, entry.Fault(message, "", "warning.untranslated", o.language, first))
	}
}

func revision(answer string) string { return sha256Of([]byte(answer))[:revisionLength] }

// golden reads golden.yaml. The ids are those of faq.yaml, or nil if it could not be read; then
// they are not checked.
func (s *source) golden(root *yaml.Node, ids seen) (golden Golden) {
	top, ok := s.object(root, &goldenGroup)
	if !ok {
		return golden
	}
	for _, o := range top.objects("answered") {
		var question GoldenQuestion
		if node := o.value("q"); node != nil {
			question = s.uniqueQuestion(node, "q")
		}
		question.ID = o.text("id")
		if question.ID != "" && ids != nil && ids[question.ID] == 0 && !s.mayBeFact(question.ID) {
			if s.content.isOver(question.ID, s.now) {
				continue // skipped, like a question about an expired entry
			}
			o.fault(o.value("id"), suggest(question.ID, ids.keys()), "faq.yaml has no entry %q", question.ID).
				as("content.golden.entry")
		}
		golden.Answered = append(golden.Answered, question)
	}
	for _, node := range top.list("unanswered") {
		golden.Unanswered = append(golden.Unanswered, s.uniqueQuestion(node, "an unanswered question"))
	}
	return golden
}

// mayBeFact reports whether the catalog answers as the entry with an id. While there are faults,
// there are no facts yet.
func (l *loader) mayBeFact(id string) bool {
	return l.content.FAQ.Entry(id) != nil || len(l.faults) > 0 && slices.Contains(l.content.FactIDs(), id)
}

// uniqueQuestion reads a question; two expectations of the same one could not both hold.
func (s *source) uniqueQuestion(node *yaml.Node, what string) GoldenQuestion {
	text := s.questionOf(node, what)
	if key := QuestionKey(text); key != "" {
		s.once(s.questions, key, "the question", text, node)
	}
	return GoldenQuestion{Q: text, Line: node.Line}
}
