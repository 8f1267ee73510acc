package gaps

import (
	"cmp"
	"slices"
	"strings"

	"frontdesk/content"
)

// wording is a question as it is compared with others.
type wording struct {
	words    []word
	trigrams []trigram
}

// word is a word of a question with its trigrams.
type word struct {
	text     string
	trigrams []trigram
}

// trigram is three characters in a row, 21 bits each.
type trigram uint64

func readWording(question string) wording {
	key := content.QuestionKey(question)
	var words []word
	for text := range strings.FieldsSeq(key) {
		words = append(words, word{text, trigramsOf(text)})
	}
	return wording{words: words, trigrams: trigramsOf(key)}
}

// trigramsOf are the trigrams of a text, sorted, each once.
func trigramsOf(text string) []trigram {
	const bits = 21 // of a character
	trigrams := make([]trigram, 0, len(text)+2)
	last := trigram(' ')<<bits | ' '
	for _, r := range text + " " {
		last = (last<<bits | trigram(r)) & (1<<(3*bits) - 1)
		trigrams = append(trigrams, last)
	}
	slices.Sort(trigrams)
	return slices.Compact(trigrams)
}

// Bounds of likeness, as Dice's coefficient of trigrams.
const (
	alikeQuestions = 0.7
	alikeWords     = 0.4 // two forms of a word, or a word and its misspelling
)

// likeness is Dice's coefficient of two sorted sets: how much they have in common, from 0
// to 1.
func likeness(a, b []trigram) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return float64(2*common) / float64(len(a)+len(b))
}

// hasOtherSubject reports whether each of two wordings has a word that the other lacks in
// any form: "my dog" is not "my car", however alike the rest is. One more word on only one
// side is no other subject.
func hasOtherSubject(a, b wording) bool { return hasOwn(a.words, b.words) && hasOwn(b.words, a.words) }

// hasOwn reports whether words have one that others lack in any form. A word that both have is no form of another.
func hasOwn(words, others []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return !has(others, w) && !slices.ContainsFunc(others, func(other word) bool {
			return !has(words, other) && likeness(w.trigrams, other.trigrams) >= alikeWords
		})
	})
}

// has reports whether a word is among words.
func has(words []word, w word) bool {
	return slices.ContainsFunc(words, func(one word) bool { return one.text == w.text })
}
