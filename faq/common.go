package faq

import "github.com/kljensen/snowball/english"

// commonShare is what a common word counts beside a word of the subject. The few
// entries of a usual FAQ do not show by themselves which words are common.
const commonShare = 0.4

// share is the weight of a word that would weigh as much if it were not common.
func share(weight float32, common bool) float32 {
	if common {
		return weight * commonShare
	}
	return weight
}

// isCommon reports whether a question about anything may hold the stem.
func isCommon(stem string) bool { return english.IsStopWord(stem) || isCourtesy(stem) }

// isCourtesy reports whether a stem is one of those in which people wrap a
// question, beside the stop words of the stemmer.
func isCourtesy(stem string) bool {
	switch stem {
	case "hi", "hey", "hello", "ok", "okay", "pleas", "thank",
		"im", "ive", "dont", "doesnt", "didnt", "isnt", "arent", "cant", "cannot", "wont",
		"would", "could", "may", "might", "must", "shall",
		"ask", "find", "get", "give", "go", "got", "help", "know", "let", "like", "make", "need",
		"see", "take", "tell", "want", "wonder",
		"abl", "also", "anyon", "anyth", "kind", "one", "possibl", "question", "someon", "someth",
		"thing", "us", "way":
		return true
	}
	return false
}
