package client

import (
	"strings"
	"unicode"
)

// wrap breaks text into lines of at most width columns where its words allow it.
// Breaks in the text stay, and a line that fits is unchanged. A new break
// takes the place of one space; no other character is added, changed or lost.
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
	space, spaceColumn := -1, 0 // the last space after a word, where a break may go, and the column past it
	for i, r := range line {
		column += runeColumns(r)
		if r != ' ' {
			inWord = true
		} else if inWord {
			space, spaceColumn = i, column
		}
		// A space may hang over the edge: the break will take its place.
		if column > width && r != ' ' && space >= 0 {
			lines = append(lines, line[start:space])
			start, column, space = space+1, column-spaceColumn, -1
		}
	}
	return append(lines, line[start:])
}

// columns is how many columns a text takes on a terminal.
func columns(text string) int {
	total := 0
	for _, r := range text {
		total += runeColumns(r)
	}
	return total
}

const tabColumns = 8

// runeColumns is a good guess for one rune: marks and format characters take no
// room, the wide scripts of East Asia two columns.
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
