package client

import (
	"strings"
	"unicode"
)

// wrap breaks text into lines of at most width columns where it has spaces. Existing
// line breaks are kept, and a line that fits is unchanged. A new break replaces one
// space; no other character is added, changed or lost.
func wrap(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapLine(line, width)...)
	}
	return lines
}

func wrapLine(line string, width int) []string {
	var lines []string
	start, column, inWord := 0, 0, false
	space, spaceColumn := -1, 0 // the last space after a word, and the column behind it
	for i, r := range line {
		column += runeColumns(r)
		if r != ' ' {
			inWord = true
		} else if inWord {
			space, spaceColumn = i, column
		}
		// A space may exceed the width: the break will replace it.
		if column > width && r != ' ' && space >= 0 {
			lines = append(lines, line[start:space])
			start, column, space = space+1, column-spaceColumn, -1
		}
	}
	return append(lines, line[start:])
}

// columns returns how many columns a text takes on a terminal.
func columns(text string) int {
	total := 0
	for _, r := range text {
		total += runeColumns(r)
	}
	return total
}

const tabColumns = 8

// runeColumns estimates the columns of one rune: marks and format characters take none,
// the wide scripts of East Asia two.
func runeColumns(r rune) int {
	switch {
	case r == '\t':
		return tabColumns
	case r < unicode.MaxLatin1:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return 2
	default:
		return 1
	}
}
