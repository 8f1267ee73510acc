package text

import "strings"

// open takes the not out of an English contraction, so that "don't" is read as
// "do not"; what follows any other apostrophe is a word of its own ("what's",
// "we'll", French "l'adresse").
func open(word string) string {
	stem, negated := strings.CutSuffix(word, "n't")
	switch {
	case !negated:
		return word
	case stem == "ca":
		return "can'not"
	case stem == "wo":
		return "will'not"
	}
	return stem + "'not"
}

// bare are contractions as they are typed in a hurry. Those that are words of their
// own as well ("well", "ill", "were") are left alone.
var bare = map[string][]string{
	"cannot": {"can", "not"}, "cant": {"can", "not"}, "wont": {"will", "not"},
	"dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"},
	"isnt": {"is", "not"}, "arent": {"are", "not"}, "wasnt": {"was", "not"}, "werent": {"were", "not"},
	"havent": {"have", "not"}, "hasnt": {"has", "not"}, "hadnt": {"had", "not"},
	"couldnt": {"could", "not"}, "wouldnt": {"would", "not"}, "shouldnt": {"should", "not"},
	"im": {"i", "m"}, "ive": {"i", "ve"}, "youre": {"you", "re"}, "theyre": {"they", "re"},
	"whats": {"what", "s"}, "wheres": {"where", "s"}, "whos": {"who", "s"}, "hows": {"how", "s"},
	"thats": {"that", "s"}, "theres": {"there", "s"}, "lets": {"let", "s"},
}
