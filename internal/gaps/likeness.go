package gaps

import (
	"slices"
	"strings"

	"frontdesk/content"
)

// wording is a question as it is compared with others.
type wording struct {
	words    []string
	trigrams []trigram
}

// trigram is three characters in a row.
type trigram [3]rune

func readWording(question string) wording {
	key := content.QuestionKey(question)
	return wording{words: strings.Fields(key), trigrams: trigramsOf(key)}
}

// trigramsOf are the trigrams of a text, each once.
func trigramsOf(text string) []trigram {
	runes := []rune("  " + text + " ")
	trigrams := make([]trigram, 0, len(runes))
	for i := range len(runes) - 2 {
		trigrams = append(trigrams, trigram(runes[i:i+3]))
	}
	slices.SortFunc(trigrams, func(a, b trigram) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(trigrams)
}

// Bounds of likeness, as Dice's coefficient of trigrams.
const (
	alikeQuestions = 0.7
	alikeWords     = 0.4 // two forms of a word, or a word and its misspelling
)

// dice is how much two sets of some sizes have in common, from 0 to 1.
func dice(common, a, b int) float64 { return float64(2*common) / float64(a+b) }

// hasOtherSubject reports whether each of two wordings has a word that the other
// lacks in any form: "my dog" is not "my car", however alike the rest is. A word
// more on one side alone is no other subject.
func hasOtherSubject(a, b wording) bool {
	ownA, ownB := without(a.words, b.words), without(b.words, a.words)
	return hasStranger(ownA, ownB) && hasStranger(ownB, ownA)
}

// without are the words that others do not hold.
func without(words, others []string) []string {
	var own []string
	for _, word := range words {
		if !slices.Contains(others, word) {
			own = append(own, word)
		}
	}
	return own
}

// hasStranger reports whether a word is like none of the others.
func hasStranger(words, others []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(others, func(other string) bool { return areAlike(word, other) })
	})
}

func areAlike(a, b string) bool {
	ofA, ofB := trigramsOf(a), trigramsOf(b)
	common := 0
	for _, t := range ofA {
		if slices.Contains(ofB, t) {
			common++
		}
	}
	return dice(common, len(ofA), len(ofB)) >= alikeWords
}
