package lexical

// profile is how texts are read and weighed. It follows the content: what helps
// where an entry has a hundred wordings hurts where it has two.
type profile struct {
	english      bool    // words are reduced to stems
	gramMin      int     // characters of the shortest and
	gramMax      int     // of the longest part of a word
	pairs, skips float32 // what neighbours, and words one to three apart, count beside a word
	concepts     float32 // and what words may stand for
	power        float64 // of the inverse document frequency
	fewest       int     // texts that must have a feature
	background   float64 // what a text of general language counts beside one of the content
}

// Beyond richTexts texts an entry, a feature that stands in one text alone is noise,
// and frequency says less. With few texts the same pruning costs up to 19 points of
// accuracy.
const richTexts = 20

// chooseProfile chooses by the number of texts and entries.
func chooseProfile(english bool, texts, entries int) profile {
	p := profile{
		english: english,
		gramMin: 3, gramMax: 4,
		pairs: 0.5, skips: 0.5, concepts: 1,
		power: 1, fewest: 1, background: 0.3,
	}
	if !english {
		p.gramMin, p.gramMax, p.background = 2, 5, 0
	}
	if texts > richTexts*entries {
		p.pairs, p.concepts, p.power, p.fewest = 0.7, 0.7, 0.5, 2
	}
	if entries > denseEntries {
		p.skips = 0
	}
	return p
}

const denseEntries = 2000
