package text

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// stems.txt has the stems of common words: each line is a word, and its stem if that differs. Computing a stem takes
// longer than everything else that is done with a word.
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
		if english.IsStopWord(word) {
			function++
		}
	}
	return float64(function) > englishShare*float64(len(words))
}
