package lexical

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"frontdesk/faq/text"
)

// Background is how many texts of general language have a word. The few texts of
// an FAQ do not show by themselves which of its words are common.
type Background struct {
	texts float64 // 0 where nothing was counted
	stems map[string]float64
}

// ParseBackground reads the file of the background: the number of texts, and then each word with its count.
func ParseBackground(words []byte) (*Background, error) {
	lines := bufio.NewScanner(bytes.NewReader(words))
	b := &Background{stems: map[string]float64{}}
	for line := 1; lines.Scan(); line++ {
		word, digits, _ := strings.Cut(lines.Text(), " ")
		count, err := strconv.Atoi(digits)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", line, err)
		case line == 1:
			b.texts = float64(count)
		default:
			b.stems[text.Stem(word)] += float64(count)
		}
	}
	return b, lines.Err()
}
