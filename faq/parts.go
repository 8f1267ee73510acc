package faq

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/faq/lexical"
)

// A question of two parts is split after a sentence, or else at the joining word that is
// nearest to its middle, in one of the eight languages that the encoder reads.
var (
	sentenceEnd     = regexp.MustCompile(`[?!.;¿¡]+\s+[¿¡]?`)
	joiningWord     = regexp.MustCompile(`,?\s+(?:and|und|sowie|et|y|e|ed|en|i|oraz)\s+`)
	joiningCapitals = regexp.MustCompile(`(?i)` + joiningWord.String())
)

// foreignWords mark questions in which a joining word of another language joins nothing: the Polish "i" in English
// ("how do i find you"), the Dutch "en" in Spanish and French. Unlike the stop words of package text, the words
// listed for "i" are not Polish, and those for "en" are not Dutch.
var foreignWords = map[string]*regexp.Regexp{
	"i": regexp.MustCompile(`(?i)\b(?:how|what|when|where|which|who|why|the|you|your|is|are|can|could|` +
		`should|would|will|does|did|have|if|there|that|of|at|with|from|for|an)\b`),
	"en": regexp.MustCompile(`(?i)\b(?:que|el|del|por|para|con|hay|puedo|ustedes|vous|quels|est|sont|le|avec|pour|sur)\b`),
}

// leastPartWords is how many words a part of a question has at least: "terms and
// conditions" is one subject.
const leastPartWords = 2

// split returns the two parts of a question, or reports that it has only one.
func split(q string) (first, second string, ok bool) {
	joining := joiningWord // whose case matters: an English "I" joins nothing
	if q == strings.ToUpper(q) {
		joining = joiningCapitals
	}
	for _, at := range []*regexp.Regexp{sentenceEnd, joining} {
		nearest := len(q)
		for _, found := range at.FindAllStringIndex(q, -1) {
			before, after := q[:found[0]], q[found[1]:]
			foreign := foreignWords[strings.ToLower(strings.TrimSpace(q[found[0]:found[1]]))]
			if foreign != nil && foreign.MatchString(q) {
				continue
			}
			distance := max(len(before), len(after))
			if distance < nearest && len(strings.Fields(before)) >= leastPartWords &&
				len(strings.Fields(after)) >= leastPartWords {
				first, second, nearest = before, after, distance
			}
		}
		if first != "" {
			return first, second, true
		}
	}
	return "", "", false
}

// choose returns what the selector makes of a question that is no approved wording. When
// the question has two parts that two entries surely answer, neither may be served as the one
// answer: both come first among the best.
func (b *Answerer) choose(ctx context.Context, q string, live func(entry int) bool) lexical.Choice {
	speaking := b.onlyLanguageOf(q, live)
	whole := b.choice(ctx, q, speaking, b.precision)
	first, second, ok := split(q)
	if !ok {
		return whole
	}
	one := b.choosePart(ctx, first, speaking)
	other := one
	if one.Sure {
		other = b.choosePart(ctx, second, speaking)
	}
	if other.Busy { // with more time there might have been two answers
		whole.Sure, whole.Busy = false, true
	}
	if !other.Sure || b.entries[one.Best[0]].ID == b.entries[other.Best[0]].ID {
		return whole
	}
	both := []int{one.Best[0], other.Best[0]}
	rest := slices.DeleteFunc(whole.Best, func(entry int) bool { return slices.Contains(both, entry) })
	whole.Best = append(both, rest...)
	whole.Best = whole.Best[:min(len(whole.Best), lexical.Candidates)]
	whole.Near, whole.Sure, whole.Several = max(len(both), whole.Near), false, true
	return whole
}

// partPrecision is the precision at which a part of a question counts as answered, whatever the precision of the
// content: a lower one must not turn a question with one answer into two parts.
const partPrecision = content.DefaultPrecision

// choosePart returns the choice for a part of a question. That of an approved wording is sure.
func (b *Answerer) choosePart(ctx context.Context, part string, live func(entry int) bool) lexical.Choice {
	if w := b.approved(ctx, part, live); w != nil {
		return lexical.Choice{Best: []int{w.entry}, Sure: true}
	}
	return b.choice(ctx, part, live, partPrecision)
}

// choice returns what the selector makes of a question or a part of one.
func (b *Answerer) choice(ctx context.Context, q string, live func(entry int) bool, precision float64) lexical.Choice {
	choice := b.selector.Select(ctx, b.synonyms.replace(q), live, precision)
	choice.Sure = choice.Sure && !b.untried
	return choice
}
