package client

import (
	"bytes"
	"strings"
	"unicode"
)

// page formats text for a person. Everything that is printed goes through it, so that
// no escape sequence of a service reaches the terminal, only the page's own styles.
type page struct {
	text  bytes.Buffer
	width int
	color bool
}

// part is a piece of a line in one style, a terminal's SGR sequence.
type part struct{ style, text string }

func plain(text string) part { return part{"", text} }
func bold(text string) part  { return part{"\x1b[1m", text} }
func dim(text string) part   { return part{"\x1b[2m", text} }

// line adds one line, without the line breaks of its parts. It is not wrapped.
func (p *page) line(parts ...part) {
	for _, piece := range parts {
		text := oneLine(piece.text)
		if p.color && piece.style != "" && text != "" {
			text = piece.style + text + "\x1b[0m"
		}
		p.text.WriteString(text)
	}
	p.text.WriteByte('\n')
}

func (p *page) gap() { p.text.WriteByte('\n') }

// heading adds a title with an empty line before it.
func (p *page) heading(title string) {
	p.gap()
	p.line(bold(title))
}

// block adds text of several lines, with the prefix first on its first line and rest on
// the others. Line breaks are kept; longer lines are wrapped.
func (p *page) block(first, rest, text string) {
	prefix, room := first, p.width-max(columns(first), columns(rest))
	for _, line := range wrap(clean(text), max(room, minText)) {
		if line == "" {
			prefix = strings.TrimRight(prefix, " ")
		}
		p.text.WriteString(prefix + line + "\n")
		prefix = rest
	}
}

// minText is the narrowest width of wrapped text, in columns: beside a wide first column
// a line that is too long reads better than one word a line.
const minText = 20

// table adds rows under headings in columns as wide as their widest cell; the last
// cell is wrapped within its column. A row may be followed by a note, wrapped
// below it.
func (p *page) table(headings []string, rows []row) {
	widths := make([]int, len(headings))
	for _, r := range append(rows, row{cells: headings}) {
		for i, cell := range r.cells {
			widths[i] = max(widths[i], columns(oneLine(cell)))
		}
	}
	p.line(dim(strings.TrimRight(align(headings, widths), " ")))
	for _, r := range rows {
		last := len(r.cells) - 1
		left := align(r.cells[:last], widths)
		p.block(left, strings.Repeat(" ", columns(left)), oneLine(r.cells[last]))
		p.note("      ", oneLine(r.note))
	}
}

// note adds a text unless it is empty, wrapped and indented.
func (p *page) note(indent, text string) {
	if text != "" {
		p.block(indent, indent, text)
	}
}

type row struct {
	cells []string
	note  string
}

// align pads cells to their columns, with two columns before and between them.
func align(cells []string, widths []int) string {
	line := "  "
	for i, cell := range cells {
		cell = oneLine(cell)
		line += cell + strings.Repeat(" ", widths[i]-columns(cell)+2)
	}
	return line
}

// clean removes the control characters of C0 and C1 except line feed and tab, and so
// every escape sequence.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// oneLine cleans a text and replaces line breaks and tabs with spaces, so that a name
// cannot forge a line or shift a column.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, clean(text))
}

// wrap breaks text into lines of at most width columns where it has spaces. Existing
// line breaks are kept, and a line that fits is unchanged. A new break replaces one
// space; no other character is added, changed or lost.
func wrap(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for at := breakAt(line, width); at >= 0; at = breakAt(line, width) {
			lines, line = append(lines, line[:at]), line[at+1:]
		}
		lines = append(lines, line)
	}
	return lines
}

// breakAt returns the index of the space where a line must be broken, or -1. Spaces at the
// end of a line may exceed the width.
func breakAt(line string, width int) int {
	column, inWord, space := 0, false, -1 // the last space after a word
	for i, r := range line {
		column += runeColumns(r)
		if r != ' ' {
			inWord = true
		} else if inWord {
			space = i
		}
		if column > width && r != ' ' && space >= 0 {
			return space
		}
	}
	return -1
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
