package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// stems.txt has the stems of common words: a line is a word, and its stem where that
// is another. To make a stem takes longer than all else that is done with a word, and
// a selector is trained on the same words several times.
//
//go:embed stems.txt
var stemList string

var stems = sync.OnceValue(func() map[string]string {
	known := make(map[string]string, strings.Count(stemList, "\n"))
	for line := range strings.Lines(stemList) {
		word, stem, differs := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !differs {
			stem = word
		}
		known[word] = stem
	}
	return known
})

// Stem is the stem of an English word (Snowball).
func Stem(word string) string {
	if stem, ok := stems()[word]; ok {
		return stem
	}
	if !isASCII(word) {
		return word
	}
	return english.Stem(word, false)
}

// englishShare is the share of English function words from which texts count as
// English: English questions have about half, other languages that share a few
// spellings ("in", "an", "was") below a tenth.
const englishShare = 0.2

// IsEnglish reports whether words are mostly English.
func IsEnglish(words []string) bool {
	function := 0
	for _, word := range words {
		if IsFunctionWord(word) {
			function++
		}
	}
	return float64(function) > englishShare*float64(len(words))
}

// IsFunctionWord reports whether an English word says little about the subject.
func IsFunctionWord(word string) bool { return english.IsStopWord(word) }

// concepts.txt is written by hand, from general knowledge of English.
//
//go:embed concepts.txt
var conceptList string

// ConceptMark begins the name of a concept; no word has it.
const ConceptMark = "="

// numbers are the concepts of everything that begins with a digit.
var numbers = []string{ConceptMark + "0"}

var conceptsOf = sync.OnceValue(func() map[string][]string {
	byStem := map[string][]string{}
	number := 0
	for line := range strings.Lines(conceptList) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		number++
		concept := ConceptMark + strconv.Itoa(number)
		for word := range strings.FieldsSeq(line) {
			stem := Stem(word)
			if known := byStem[stem]; len(known) == 0 || known[len(known)-1] != concept {
				byStem[stem] = append(known, concept)
			}
		}
	}
	return byStem
})

// Concepts gives the names of the concepts that an English stem may stand for.
// Words of one concept ("price", "cost", "fee") often stand for each other.
func Concepts(stem string) []string {
	if first, _ := utf8.DecodeRuneInString(stem); unicode.IsDigit(first) {
		return numbers
	}
	return conceptsOf()[stem]
}
