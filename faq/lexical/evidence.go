package lexical

import "math"

// What speaks for and against the entry that was ranked first. The weights of the
// shipped calibration follow this order: whoever changes it runs make calibrate.
const (
	evLogit      = iota // of its probability by the logistic regression
	evMargin            // by which the runner-up stays behind in it
	evNearest           // likeness of the nearest wording of any entry
	evNear              // likeness of its own nearest wording
	evCentroid          // likeness of all its wordings together
	evSeen              // share of the question's words that the content has
	evCoverage          // share of the question's words that it has itself
	evEnergy            // of the logistic regression over all entries
	evLength            // of the question, in words
	evMachine           // score of its support vector machine
	evNearGap           // by which the nearest wording of another entry stays behind
	evTop               // its score in the logistic regression
	evBM25              // BM25, of what a perfect entry would get
	evBM25Gap           // by which the next entry stays behind in it
	evEntries           // how many there are
	evTexts             // how many wordings an entry has
	evPairs             // share of the question's pairs that it has
	evGrams             // and of the parts of words
	evSkips             // and of the skips
	evJoined            // share of the question's pairs that the content has
	evVote              // share of the nearest wordings that are its own
	evBulk              // how many words an entry has
	evMachineGap        // by which the next support vector machine stays behind
	evAlike             // how alike the wordings of the entry are
	evTypical           // its centroid's likeness, of what a wording of its own would have
	evHeld              // share of the entry's usual words that the question has
	evHeldPairs         // and of its usual pairs
	evidenceSize        // how many parts there are
)

// products are the pairs of parts whose product is evidence of its own.
var products = [...][2]int{
	{evNearest, evNearest}, {evCentroid, evCentroid}, {evCoverage, evCoverage},
	{evLogit, evNearest}, {evCentroid, evCoverage}, {evLogit, evCoverage},
	{evBM25, evBM25}, {evBM25, evCentroid}, {evBM25, evLogit}, {evLogit, evTexts},
	{evMachine, evTexts}, {evCentroid, evTexts}, {evBM25, evTexts}, {evMachine, evCoverage},
}

// termsSize is how many terms the confidence has beside its constant.
const termsSize = evidenceSize + len(products)

type evidence [evidenceSize]float64

// terms gives the evidence with its products.
func (e *evidence) terms() (terms [termsSize]float64) {
	copy(terms[:], e[:])
	for i, p := range products {
		terms[evidenceSize+i] = e[p[0]] * e[p[1]]
	}
	return terms
}

// logit is the log of the odds, held within what a float can tell.
func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}
