package faq

// Selector chooses the entry whose approved text answers a question that is none
// of the approved wordings. It is safe for concurrent use.
type Selector interface {
	// Select considers the entries, given by their place in the content, for which
	// live is true. The same question and entries give the same choice.
	Select(question string, live func(entry int) bool) Choice
}

// Candidates is how many entries a choice names at most: those among which a model
// may choose in a large FAQ (decisions, Answers).
const Candidates = 20

// Choice is what a selector makes of a question.
type Choice struct {
	Best     []int   // the entries closest to the question, best first, at most Candidates; may be empty
	Near     int     // how many of Best are on the subject of the question, and may be suggested
	Sureness float64 // that Best[0] answers the question, from 0 to 1
	Sure     bool    // Best[0] may answer
}
