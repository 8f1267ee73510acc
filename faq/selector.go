package faq

// Selector chooses the entry whose approved text answers a question that is none
// of the approved wordings. It is safe for concurrent use.
type Selector interface {
	// Select considers the entries, given by their place in the content, for which
	// live is true. The same question and entries give the same choice.
	Select(question string, live func(entry int) bool) Choice
}

// Choice is what a selector makes of a question.
type Choice struct {
	Best     []int   // entries on the subject of the question, best first; may be empty
	Sureness float64 // that Best[0] answers the question, from 0 to 1
	Sure     bool    // Best[0] may answer
}
