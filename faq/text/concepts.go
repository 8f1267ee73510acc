package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// concepts.txt is written by hand, from general knowledge of English.
//
//go:embed concepts.txt
var conceptList string

// numbers is the concept of everything that begins with a digit.
const numbers = 0

var conceptsOf = sync.OnceValue(func() map[string][]int {
	byStem := map[string][]int{}
	number := numbers
	for line := range strings.Lines(conceptList) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		number++
		for word := range strings.FieldsSeq(line) {
			stem := Stem(word)
			if known := byStem[stem]; len(known) == 0 || known[len(known)-1] != number {
				byStem[stem] = append(known, number)
			}
		}
	}
	return byStem
})

// Concepts gives the numbers of the concepts that an English stem may stand for.
// Words of one concept ("price", "cost", "fee") often stand for each other.
func Concepts(stem string) []int {
	if first, _ := utf8.DecodeRuneInString(stem); unicode.IsDigit(first) {
		return []int{numbers}
	}
	return conceptsOf()[stem]
}
