package report

import (
	"fmt"
	"html"
	"math"
	"os"
	"strings"
)

// Dots is a chart of ratios on a logarithmic axis. Each row has the service's ratio with
// its quartiles, its target, and the ratios of others.
type Dots struct {
	Title, Across string
	Own           string   // the server that has targets
	Others        []string // in the order of their colours
	Rows          []Dot
}

// Dot is a row of the chart.
type Dot struct {
	Name   string
	Own    Spread
	Target float64
	Others map[string]float64 // only those that have one
}

// Measures in pixels.
const (
	nameWidth = 130.0
	rowHeight = 26.0
)

// Marks of the axis, used up to the largest ratio.
var marks = []float64{0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50, 100}

// Write draws the chart as an SVG file.
func (c *Dots) Write(path string) error {
	least, most := c.bounds()
	x := func(ratio float64) float64 {
		return nameWidth + (left+width-nameWidth)*math.Log(ratio/least)/math.Log(most/least)
	}
	var b strings.Builder
	bottom := top + rowHeight*float64(len(c.Rows))
	open(&b, c.Title, bottom+76)
	for _, mark := range marks {
		if mark >= least && mark <= most {
			fmt.Fprintf(&b, `<path d="M%.1f %.0fV%.0f" stroke="%s"/><text x="%.1f" y="%.0f" text-anchor="middle">%v</text>`+"\n",
				x(mark), top-4, bottom, map[bool]string{true: "#888", false: "#ddd"}[mark == 1], x(mark), bottom+16, mark)
		}
	}
	for i, row := range c.Rows {
		c.row(&b, row, top+rowHeight*(float64(i)+0.5), x)
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="middle">%s</text>`+"\n", (nameWidth+left+width)/2, bottom+38, html.EscapeString(c.Across))
	c.legend(&b, bottom+62)
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// row draws the others first, so that they do not cover the service's own ratio.
func (c *Dots) row(b *strings.Builder, row Dot, y float64, x func(float64) float64) {
	fmt.Fprintf(b, `<text x="%.0f" y="%.1f" text-anchor="end">%s</text>`, nameWidth-8, y+4, html.EscapeString(row.Name))
	for i, name := range c.Others {
		if ratio, ok := row.Others[name]; ok {
			circle(b, x(ratio), y, c.colour(i))
		}
	}
	bar(b, x(row.Target), y)
	fmt.Fprintf(b, `<path d="M%.1f %.1fH%.1f" stroke="%s" stroke-width="3"/>`, x(row.Own.Low), y, x(row.Own.High), colours[0])
	circle(b, x(row.Own.Median), y, colours[0])
	b.WriteByte('\n')
}

// legend explains the marks.
func (c *Dots) legend(b *strings.Builder, y float64) {
	entries := append([]string{c.Own + " [quartiles]", "target"}, c.Others...)
	step := (width + left) / float64(len(entries))
	for i, name := range entries {
		x := 30 + step*float64(i)
		switch i {
		case 0:
			circle(b, x, y-4, colours[0])
		case 1:
			bar(b, x, y-4)
		default:
			circle(b, x, y-4, c.colour(i-2))
		}
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", x+10, y, html.EscapeString(name))
	}
}

// colour returns the colour of one of the others.
func (c *Dots) colour(i int) string { return colours[2+i%(len(colours)-2)] }

func circle(b *strings.Builder, x, y float64, colour string) {
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s"/>`, x, y, colour)
}

func bar(b *strings.Builder, x, y float64) {
	fmt.Fprintf(b, `<path d="M%.1f %.1fv18" stroke="%s" stroke-width="2.5"/>`, x, y-9, colours[1])
}

// bounds returns a range a little wider than the drawn figures.
func (c *Dots) bounds() (least, most float64) {
	least, most = 1, 1
	for _, row := range c.Rows {
		least, most = min(least, row.Own.Low, row.Target), max(most, row.Own.High, row.Target)
		for _, ratio := range row.Others {
			least, most = min(least, ratio), max(most, ratio)
		}
	}
	return least / 1.1, most * 1.1
}
