package faq

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"frontdesk/content"
	"frontdesk/faq/text"
)

// languages finds the language of a question among those of an FAQ, from the FAQ's own
// words: a naive Bayes classifier of words and their trigrams. Nil is an FAQ of one language.
type languages struct {
	models map[string]*gramCounts // by content.Entry.Lang
	grams  map[string]float64     // of all languages: the mean of their shares
}

type gramCounts struct {
	counts map[string]int
	total  int
	usual  float64 // the share of a text's grams that further texts of the language have, on average
}

// certain is by how much the logarithm of the likelihood of a language must exceed that
// of every other one: it is then some twenty times as likely. Below it a question may
// be of any language.
const certain = 3

// foreign is the fraction of the usual share below which a question does not look like a language.
const foreign = 0.6

// smoothing is the weight, in grams, of the mean of all languages in each language. Without it, a language
// with few texts would be too likely for the grams that it lacks.
const smoothing = 20

func newLanguages(faq content.FAQ) *languages {
	texts := map[string][][]string{} // by language: the grams of each
	for i := range faq.Entries {
		entry := &faq.Entries[i]
		for _, t := range entry.Texts() {
			if !isShared(faq.Entries, i, t) {
				texts[entry.Lang] = append(texts[entry.Lang], gramsOf(t))
			}
		}
	}
	if len(texts) < 2 {
		return nil
	}
	for language, fallback := range faq.Fallbacks {
		if texts[language] != nil {
			texts[language] = append(texts[language], gramsOf(fallback))
		}
	}
	l := &languages{models: map[string]*gramCounts{}, grams: map[string]float64{}}
	for language, all := range texts {
		grams := slices.Concat(all...)
		model := &gramCounts{counts: count(grams), total: len(grams)}
		for _, grams := range all {
			model.usual += model.share(grams, count(grams)) / float64(len(all))
		}
		for gram, count := range model.counts {
			l.grams[gram] += float64(count) / float64(model.total*len(texts))
		}
		l.models[language] = model
	}
	return l
}

func count(grams []string) map[string]int {
	counts := map[string]int{}
	for _, gram := range grams {
		counts[gram]++
	}
	return counts
}

// share is how much of a text's grams the language has, not counting these.
func (m *gramCounts) share(grams []string, without map[string]int) float64 {
	known := 0
	for _, gram := range grams {
		if m.counts[gram] > without[gram] {
			known++
		}
	}
	return float64(known) / float64(max(1, len(grams)))
}

// isShared reports whether the entry at a place has a text also in another language, which
// says nothing about either.
func isShared(entries []content.Entry, at int, text string) bool {
	from, to := versions(entries, at)
	for other := from; other < to; other++ {
		if other != at && slices.Contains(entries[other].Texts(), text) {
			return true
		}
	}
	return false
}

// of returns the language of a question, or "" when the question may be of several languages or of another one, or
// when there is only one.
func (l *languages) of(q string) (language string) {
	if l == nil {
		return ""
	}
	best, second := math.Inf(-1), math.Inf(-1)
	grams := gramsOf(q)
	for name, model := range l.models {
		likelihood := 0.0
		for _, gram := range grams {
			if mean := l.grams[gram]; mean > 0 { // else it says nothing about any
				likelihood += math.Log((float64(model.counts[gram]) + smoothing*mean) / (float64(model.total) + smoothing))
			}
		}
		switch {
		case likelihood > best:
			best, second, language = likelihood, best, name
		case likelihood > second:
			second = likelihood
		}
	}
	if best-second <= certain || l.models[language].share(grams, nil) < foreign*l.models[language].usual {
		return ""
	}
	return language
}

// gramsOf are the words of a text, and their trigrams with a space around each word.
func gramsOf(s string) (grams []string) {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		grams = append(text.AppendGrams(grams, " "+word+" ", 3), word)
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
