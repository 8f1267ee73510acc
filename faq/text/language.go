package text

import "github.com/kljensen/snowball/english"

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
