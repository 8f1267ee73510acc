package client

import (
	"bytes"
	"strings"
	"unicode"
)

// page is text being laid out for a person. Every character that reaches a
// terminal goes through it, so that what a service sent can hold no escape
// sequence: the only ones are the page's own styles.
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

// line adds one line, whatever line breaks its parts hold. It is not wrapped.
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

// block adds text of several lines, with first before its first line and rest
// before each other one. Its own line breaks stay; only longer lines are wrapped.
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

// minText is the least room that text is wrapped to: beside a wide first column a
// line too long reads better than one word a line.
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

// clean removes the control characters of C0 and C1, and with them every escape
// sequence, but for line feed and tab.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// oneLine cleans a text and makes its breaks and tabs spaces, so that a name can
// neither forge a line nor shift a column.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, clean(text))
}
