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
	words map[string]float32
	stems map[string]float32
}

// counts gives for each feature of s how many texts have it. A part of a
// word is taken to be in as many texts as all words that contain it.
func (b *Background) counts(s *space) []float32 {
	counts := make([]float32, len(s.kind))
	for stem, f := range s.stems {
		counts[f] = b.stems[stem]
	}
	for word, count := range b.words {
		if count < frequentCount {
			continue
		}
		for gram := range s.windows(word) {
			if f, ok := s.parts[gram]; ok {
				counts[f] = min(counts[f]+count, float32(b.texts))
			}
		}
	}
	return counts
}

// frequentCount is from how many texts on the parts of a word are counted: rarer words change little.
const frequentCount = 15

// ParseBackground reads the file of the background: the number of texts, and then each word with its count.
func ParseBackground(words []byte) (*Background, error) {
	lines := bufio.NewScanner(bytes.NewReader(words))
	b := &Background{words: map[string]float32{}, stems: map[string]float32{}}
	for line := 1; lines.Scan(); line++ {
		word, digits, _ := strings.Cut(lines.Text(), " ")
		count, err := strconv.Atoi(digits)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", line, err)
		case line == 1:
			b.texts = float64(count)
		default:
			b.words[word] = float32(count)
			b.stems[text.Stem(word)] += float32(count)
		}
	}
	return b, lines.Err()
}
