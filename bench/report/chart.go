package report

import (
	"fmt"
	"html"
	"math"
	"os"
	"strings"
)

// Line is a curve of a chart: points from left to right.
type Line struct {
	Name string
	X, Y []float64
}

// Chart has two logarithmic axes.
type Chart struct {
	Title, Across, Upwards string
	Lines                  []Line
}

// Measures in pixels.
const (
	width, height = 560.0, 320.0
	right         = 36.0 // room for half of the last mark
	left, top     = 60.0, 30.0
	legend        = 18.0
)

var colours = []string{"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b"}

// Write draws the chart as an SVG file.
func (c *Chart) Write(path string) error {
	x := newAxis(c.Lines, func(l Line) []float64 { return l.X })
	y := newAxis(c.Lines, func(l Line) []float64 { return l.Y })
	var b strings.Builder
	open(&b, c.Title, top+height+50+legend*float64((len(c.Lines)+1)/2))
	for decade := y.from; decade <= y.to; decade++ {
		at := top + height*(1-y.place(math.Pow10(decade)))
		fmt.Fprintf(&b, `<path d="M%.0f %.1fh%.0f" stroke="#ddd"/><text x="%.0f" y="%.1f" text-anchor="end">%s</text>`+"\n",
			left, at, width, left-6, at+4, number(decade))
	}
	for decade := x.from; decade <= x.to; decade++ {
		at := left + width*x.place(math.Pow10(decade))
		fmt.Fprintf(&b, `<path d="M%.1f %.0fv%.0f" stroke="#eee"/><text x="%.1f" y="%.0f" text-anchor="middle">%s</text>`+"\n",
			at, top, height, at, top+height+18, number(decade))
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="middle">%s; upwards: %s</text>`+"\n",
		left+width/2, top+height+38, html.EscapeString(c.Across), html.EscapeString(c.Upwards))
	for i, line := range c.Lines {
		colour := colours[i%len(colours)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for j := range line.X {
			fmt.Fprintf(&b, "%.1f,%.1f ", left+width*x.place(line.X[j]), top+height*(1-y.place(line.Y[j])))
		}
		b.WriteString(`"/>`)
		for j := range line.X {
			circle(&b, left+width*x.place(line.X[j]), top+height*(1-y.place(line.Y[j])), colour)
		}
		nameX, nameY := left+width/2*float64(i%2), top+height+40+legend*float64(i/2+1)
		circle(&b, nameX, nameY-4, colour)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", nameX+10, nameY, html.EscapeString(line.Name))
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func open(b *strings.Builder, title string, height float64) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="12">`+"\n",
		left+width+right, height)
	fmt.Fprintf(b, "<title>%s</title>\n"+`<rect width="100%%" height="100%%" fill="#fff"/>`+"\n", html.EscapeString(title))
}

// axis is a logarithmic axis from one power of ten to another.
type axis struct{ from, to int }

// newAxis returns an axis with room for the figures of all lines.
func newAxis(lines []Line, figures func(Line) []float64) axis {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, line := range lines {
		for _, figure := range figures(line) {
			lowest, highest = min(lowest, figure), max(highest, figure)
		}
	}
	a := axis{int(math.Floor(math.Log10(lowest))), int(math.Ceil(math.Log10(highest)))}
	a.to = max(a.to, a.from+1)
	return a
}

// place returns the position of a figure on the axis, from 0 to 1.
func (a axis) place(figure float64) float64 {
	return (math.Log10(figure) - float64(a.from)) / float64(a.to-a.from)
}

func number(decade int) string {
	if decade < 0 {
		return fmt.Sprintf("%.*f", -decade, math.Pow10(decade))
	}
	text := "1" + strings.Repeat("0", decade)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
