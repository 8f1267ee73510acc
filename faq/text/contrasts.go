package text

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// contrasts.txt lists words that ask for different things, in the languages that the encoders read.
//
//go:embed contrasts.txt
var contrastList string

// Contrasts finds words of a question that ask for something else than a text speaks of. The zero value, for
// a language that is not listed, finds only numbers.
type Contrasts struct {
	shows map[string]bool // words that show the language
	lines [][]side
}

// side is the patterns on one side of a line.
type side []string

var contrasts = sync.OnceValue(func() (all []Contrasts) {
	for line := range strings.Lines(contrastList) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			c := Contrasts{shows: map[string]bool{}}
			for _, word := range strings.Fields(line)[1:] {
				c.shows[word] = true
			}
			all = append(all, c)
		default:
			var sides []side
			for _, part := range strings.Split(line, "|") {
				sides = append(sides, strings.Fields(part))
			}
			last := &all[len(all)-1]
			last.lines = append(last.lines, sides)
		}
	}
	return all
})

// leastShown is the share of words that must show a language.
const leastShown = 0.15

// ContrastsOf returns the contrasts of the language of words.
func ContrastsOf(words []string) Contrasts {
	var best Contrasts
	most := leastShown * float64(len(words))
	for _, c := range contrasts() {
		shown := 0.0
		for _, word := range words {
			if c.shows[word] {
				shown++
			}
		}
		if shown > most {
			best, most = c, shown
		}
	}
	return best
}

// Opposed returns how many lines have a word of the question on one side and words of the text only on others.
func (c *Contrasts) Opposed(question, text []string) (count int) {
	for _, sides := range c.lines {
		asked, spoken := onSides(sides, question), onSides(sides, text)
		if asked != 0 && spoken != 0 && asked&spoken == 0 {
			count++
		}
	}
	return count
}

// Lacking returns how many lines have a word of the question and none of the text.
func (c *Contrasts) Lacking(question, text []string) (count int) {
	for _, sides := range c.lines {
		if onSides(sides, question) != 0 && onSides(sides, text) == 0 {
			count++
		}
	}
	return count
}

// onSides returns a bit for each side that has one of the words.
func onSides(sides []side, words []string) (bits uint) {
	for i, s := range sides {
		if slices.ContainsFunc(words, s.has) {
			bits |= 1 << i
		}
	}
	return bits
}

func (s side) has(word string) bool {
	return slices.ContainsFunc(s, func(pattern string) bool {
		if stem, open := strings.CutSuffix(pattern, "*"); open {
			return strings.HasPrefix(word, stem)
		}
		return word == pattern
	})
}

// NewNumbers returns how many of the numbers in a question a text does not have.
func NewNumbers(question, text []string) (count int) {
	for _, word := range question {
		if strings.ContainsAny(word, "0123456789") && !slices.Contains(text, word) {
			count++
		}
	}
	return count
}
