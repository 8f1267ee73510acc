package faq

import (
	"cmp"
	"context"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/meaning"
)

// Selector chooses the entry whose approved text answers a question that is none of the approved wordings. It is
// safe for concurrent use.
type Selector interface {
	// Select considers the entries, given by their place in the content, for which live is true. The same
	// question and entries give the same choice, unless the choice is busy: then no processor was free before
	// ctx ended.
	Select(ctx context.Context, question string, live func(entry int) bool) Choice
}

// Choice is what a selector makes of a question.
type Choice = lexical.Choice

// Candidates is how many entries a choice names at most: those among which a model may choose in a large FAQ
// (decisions, Answers).
const Candidates = lexical.Candidates

// byWords is a selector without an encoder.
type byWords struct{ *lexical.Selector }

func (s byWords) Select(_ context.Context, question string, live func(entry int) bool) Choice {
	return s.Selector.Select(question, live)
}

// untried is a selector whose golden questions have not been asked yet: all that it finds are candidates.
type untried struct{ Selector }

func (s untried) Select(ctx context.Context, question string, live func(entry int) bool) Choice {
	choice := s.Selector.Select(ctx, question, live)
	choice.Sure = false
	return choice
}

// newSelector returns the selector of an FAQ, which asks the encoder of reader too if there is one.
func newSelector(reader *meaning.Reader, faq content.FAQ, unanswered []content.GoldenQuestion) Selector {
	questions, precision := texts(unanswered), cmp.Or(faq.Precision, content.DefaultPrecision)
	words := lexical.New(faq.Entries, lexical.Options{Precision: precision, Unanswered: questions, Knowledge: lexical.Shipped()})
	if reader == nil {
		return byWords{words}
	}
	return meaning.New(words, reader, meaning.Shipped(), faq.Entries, questions, precision)
}
