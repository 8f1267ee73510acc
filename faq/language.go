package faq

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"frontdesk/content"
)

// languages finds the language of a question among those of an FAQ, from the FAQ's own
// words: a naive Bayes classifier of words and their trigrams. Nil is an FAQ of one language.
type languages struct {
	models map[string]*gramCounts // by content.Entry.Lang
	grams  map[string]bool        // of all languages
}

type gramCounts struct {
	counts map[string]int
	total  int
}

// certain is by how much the logarithm of the likelihood of a language must exceed that
// of every other one: it is then some twenty times as likely. Below it a question may
// be of any language.
const certain = 3

func newLanguages(faq content.FAQ) *languages {
	l := &languages{models: map[string]*gramCounts{}, grams: map[string]bool{}}
	for i := range faq.Entries {
		entry := &faq.Entries[i]
		for _, text := range append([]string{entry.Question, entry.Answer}, entry.Alternates...) {
			if !isShared(faq.Entries, i, text) {
				l.learn(entry.Lang, text)
			}
		}
	}
	if len(l.models) < 2 {
		return nil
	}
	for language, text := range faq.Fallbacks {
		if l.models[language] != nil {
			l.learn(language, text)
		}
	}
	return l
}

// isShared reports whether the entry at a place has a text also in another language, which
// says nothing about either.
func isShared(entries []content.Entry, at int, text string) bool {
	first := at
	for first > 0 && entries[first-1].ID == entries[at].ID {
		first--
	}
	for i := first; i < len(entries) && entries[i].ID == entries[at].ID; i++ {
		other := &entries[i]
		if i != at && (other.Question == text || other.Answer == text || slices.Contains(other.Alternates, text)) {
			return true
		}
	}
	return false
}

func (l *languages) learn(language, text string) {
	model := l.models[language]
	if model == nil {
		model = &gramCounts{counts: map[string]int{}}
		l.models[language] = model
	}
	for _, gram := range gramsOf(text) {
		model.counts[gram]++
		model.total++
		l.grams[gram] = true
	}
}

// of returns the language of a question, or "" when the question may be of several languages, or when there is only
// one.
func (l *languages) of(q string) (language string) {
	if l == nil {
		return ""
	}
	best, second := math.Inf(-1), math.Inf(-1)
	grams := gramsOf(q)
	for name, model := range l.models {
		likelihood := 0.0
		for _, gram := range grams {
			likelihood += math.Log((float64(model.counts[gram]) + 0.5) / (float64(model.total) + 0.5*float64(len(l.grams))))
		}
		switch {
		case likelihood > best:
			best, second, language = likelihood, best, name
		case likelihood > second:
			second = likelihood
		}
	}
	if best-second <= certain {
		return ""
	}
	return language
}

// gramsOf are the words of a text, and their trigrams with a space around each word.
func gramsOf(text string) (grams []string) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		runes := []rune(" " + word + " ")
		for i := 0; i+3 <= len(runes); i++ {
			grams = append(grams, string(runes[i:i+3]))
		}
		grams = append(grams, word)
	}
	return grams
}

// onlyLanguageOf restricts live to the language of q, if that is certain.
func (b *Answerer) onlyLanguageOf(q string, live func(entry int) bool) func(entry int) bool {
	language := b.languages.of(q)
	if language == "" {
		return live
	}
	return func(entry int) bool { return b.entries[entry].Speaks(language) && live(entry) }
}

// pageLanguage is the key of the language in a context.
type pageLanguage struct{}

// InLanguage returns a context for a question that is asked on a page in a language: where
// the words of the question leave it open, the answer is in that language.
func InLanguage(ctx context.Context, language string) context.Context {
	return context.WithValue(ctx, pageLanguage{}, language)
}

// languageOf returns the language in which a question is answered, or "" when neither its
// words nor its page tell one, or when there is only one.
func (b *Answerer) languageOf(ctx context.Context, q string) string {
	language := b.languages.of(q)
	if language == "" && b.languages != nil {
		language, _ = ctx.Value(pageLanguage{}).(string)
	}
	return language
}

// Language returns the language of a question among those of an FAQ, or "" when it may be of
// several.
func Language(faq content.FAQ, q string) string { return newLanguages(faq).of(q) }
