package faq

import "frontdesk/faq/lexical"

// Selector chooses the entry whose approved text answers a question that is none
// of the approved wordings. It is safe for concurrent use.
type Selector interface {
	// Select considers the entries, given by their place in the content, for which
	// live is true. The same question and entries give the same choice.
	Select(question string, live func(entry int) bool) Choice
}

// Choice is what a selector makes of a question.
type Choice = lexical.Choice

// Candidates is how many entries a choice names at most: those among which a model
// may choose in a large FAQ (decisions, Answers).
const Candidates = lexical.Candidates

// DefaultPrecision is how sure the embedded selector must be to answer when nothing
// else is set: 95 of 100 of its answers are right.
const DefaultPrecision = 0.95
