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

// style is a terminal's SGR sequence.
type style string

const (
	styleBold style = "\x1b[1m"
	styleDim  style = "\x1b[2m"
	styleEnd        = "\x1b[0m"
)

// part is a piece of a line in one style.
type part struct {
	style style
	text  string
}

func plain(text string) part { return part{"", text} }
func bold(text string) part  { return part{styleBold, text} }
func dim(text string) part   { return part{styleDim, text} }

// line adds one line, without the line breaks of its parts. It is not wrapped.
func (p *page) line(parts ...part) {
	for _, piece := range parts {
		p.write(piece.style, oneLine(piece.text))
	}
	p.text.WriteByte('\n')
}

// gap adds an empty line.
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
	widths := columnWidths(headings, rows)
	p.line(dim(strings.TrimRight(align(headings, widths), " ")))
	for _, r := range rows {
		last := len(r.cells) - 1
		left := align(r.cells[:last], widths)
		p.block(left, strings.Repeat(" ", columns(left)), oneLine(r.cells[last]))
		if r.note != "" {
			p.block("      ", "      ", oneLine(r.note))
		}
	}
}

type row struct {
	cells []string
	note  string
}

func columnWidths(headings []string, rows []row) []int {
	widths := make([]int, len(headings))
	for i, heading := range headings {
		widths[i] = columns(heading)
		for _, r := range rows {
			widths[i] = max(widths[i], columns(oneLine(r.cells[i])))
		}
	}
	return widths
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

func (p *page) write(s style, text string) {
	if !p.color || s == "" || text == "" {
		p.text.WriteString(text)
		return
	}
	p.text.WriteString(string(s) + text + styleEnd)
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
