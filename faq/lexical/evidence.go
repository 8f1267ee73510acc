package lexical

// What speaks for and against the entry that was ranked first. The weights of the
// shipped calibration follow this order: run make calibrate after a change.
const (
	EvLogit      = iota // of its probability by the support vector machines
	EvNearest           // similarity of the nearest wording of any entry
	EvNear              // similarity of its own nearest wording
	EvCentroid          // similarity of all its wordings together
	EvSeen              // share of the question's words that the content has
	EvCoverage          // share of the question's words that it has itself
	EvEnergy            // of the support vector machines over all entries
	EvLength            // of the question, in words
	EvMachine           // score of its support vector machine
	EvNearGap           // by which the nearest wording of another entry stays behind
	EvBM25              // BM25, of what a perfect entry would get
	EvBM25Gap           // by which the next entry stays behind in it
	EvEntries           // how many there are
	EvTexts             // how many wordings an entry has
	EvPairs             // share of the question's pairs that it has
	EvGrams             // and of the parts of words
	EvSkips             // and of the skips
	EvJoined            // share of the question's pairs that the content has
	EvBulk              // how many words an entry has
	EvMachineGap        // by which the next support vector machine stays behind
	EvAlike             // how alike the wordings of the entry are
	EvTypical           // its centroid's similarity, of what a wording of its own would have
	EvHeld              // share of the entry's usual words that the question has
	EvHeldPairs         // and of its usual pairs
	EvidenceSize        // how many parts there are
)

// products are the pairs of parts whose product is evidence of its own.
var products = [...][2]int{
	{EvNearest, EvNearest}, {EvCentroid, EvCentroid}, {EvCoverage, EvCoverage},
	{EvLogit, EvNearest}, {EvCentroid, EvCoverage}, {EvLogit, EvCoverage},
	{EvBM25, EvBM25}, {EvBM25, EvCentroid}, {EvBM25, EvLogit}, {EvLogit, EvTexts},
	{EvMachine, EvTexts}, {EvCentroid, EvTexts}, {EvBM25, EvTexts}, {EvMachine, EvCoverage},
}

// termsSize is how many terms the confidence has beside its constant.
const termsSize = EvidenceSize + len(products)

// Evidence is what speaks for and against an entry as the answer to a question.
type Evidence [EvidenceSize]float64

// Terms gives the evidence with its products.
func (e *Evidence) Terms() (terms [termsSize]float64) {
	copy(terms[:], e[:])
	for i, p := range products {
		terms[EvidenceSize+i] = e[p[0]] * e[p[1]]
	}
	return terms
}
