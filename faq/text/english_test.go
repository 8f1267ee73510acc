package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

// To add words, write them into stems.txt, one a line, and run go test ./faq/text -update.
func TestStems(t *testing.T) {
	t.Parallel()
	var words []string
	for line := range strings.Lines(stemList) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		words = append(words, word)
	}
	slices.Sort(words)
	var lines bytes.Buffer
	for _, word := range slices.Compact(words) {
		lines.WriteString(word)
		if stem := english.Stem(word, false); stem != word {
			lines.WriteString(" " + stem)
		}
		lines.WriteString("\n")
	}
	golden.Check(t, "stems.txt", lines.Bytes())
}

func TestStem(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"prices": "price", "running": "run", "price": "price", // listed
		"blorfings": "blorf", "preis": "prei", "für": "für", "": "", // not listed
	} {
		expect.Same(t, word, want, Stem(word))
	}
}
