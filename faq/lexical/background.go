package lexical

import (
	"fmt"
	"strconv"
	"strings"

	"frontdesk/faq/text"
)

// Background is how many texts of general language have a word. The few texts of
// an FAQ do not show by themselves which of its words are common.
type Background struct {
	texts float64
	stems map[string]float64
}

// ParseBackground reads the file of the background: the number of texts, and then each word with its count.
func ParseBackground(words []byte) (*Background, error) {
	b := &Background{stems: map[string]float64{}}
	for i, line := range strings.Split(strings.TrimSpace(string(words)), "\n") {
		word, digits, _ := strings.Cut(line, " ")
		count, err := strconv.ParseFloat(digits, 64)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		case i == 0:
			b.texts = count
		default:
			b.stems[text.Stem(word)] += count
		}
	}
	return b, nil
}
