package lexical

import "frontdesk/faq/text"

// language is how words are read: of English ones the stem, with the concepts that it
// may stand for, of others as they are.
type language struct{ english bool }

func (l language) stemOf(word string) string {
	if l.english {
		return text.Stem(word)
	}
	return word
}

func (l language) conceptsOf(stem string) []int {
	if !l.english {
		return nil
	}
	return text.Concepts(stem)
}

// profile is how texts are read and weighed. It follows the content: what helps
// where an entry has a hundred wordings hurts where it has two.
type profile struct {
	language
	gramMin      int     // characters of the shortest and
	gramMax      int     // of the longest part of a word
	pairs, skips float32 // what neighbours, and words one to three apart, count beside a word
	concepts     float32 // and what words may stand for
	power        float64 // of the inverse document frequency
	fewest       int     // texts that must have a feature
	background   float64 // what a text of general language counts beside one of the content
}

// Beyond richTexts texts an entry, a feature that only one text has is noise,
// and frequency says less. With few texts the same pruning costs up to 19 points of
// accuracy.
const richTexts = 20

// chooseProfile chooses by the number of texts and entries.
func chooseProfile(spoken language, texts, entries int) profile {
	p := profile{
		language: spoken,
		gramMin:  3, gramMax: 4,
		pairs: 0.5, skips: 0.5, concepts: 1,
		power: 1, fewest: 1, background: 0.3,
	}
	if !spoken.english {
		p.gramMin, p.gramMax, p.background = 2, 5, 0
	}
	if texts > richTexts*entries {
		p.pairs, p.concepts, p.power, p.fewest = 0.7, 0.7, 0.5, 2
	}
	if entries > mostWithSkips {
		p.skips = 0
	}
	return p
}

// mostWithSkips is the most entries with skips: a word makes up to three of them, nearly
// all of them new.
const mostWithSkips = 2000
