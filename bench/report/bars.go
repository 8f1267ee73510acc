package report

import (
	"fmt"
	"html"
	"maps"
	"os"
	"slices"
	"strings"
)

// Bar is a row of a bar chart.
type Bar struct {
	Name   string
	Value  Spread
	Target float64 // drawn as a mark across the bar
	Peers  map[string]float64
}

// Bars is a chart of ratios: a bar a row with its quartiles and its target, and the
// peers as dots.
type Bars struct {
	Title, Across string
	Rows          []Bar
	Most          float64 // what is drawn; a dot further right stands at the edge with its figure
}

// Measures in pixels.
const (
	nameWidth = 130.0
	rowHeight = 26.0
)

// Write draws the chart as an SVG file.
func (c *Bars) Write(path string) error {
	var b strings.Builder
	bottom := top + rowHeight*float64(len(c.Rows))
	open(&b, c.Title, bottom+50)
	x := func(ratio float64) float64 { return nameWidth + (left+width-nameWidth-40)*min(ratio, c.Most)/c.Most }
	for ratio := 0.0; ratio <= c.Most; ratio++ {
		fmt.Fprintf(&b, `<path d="M%.1f %.0fV%.0f" stroke="#ddd"/><text x="%.1f" y="%.0f" text-anchor="middle">%.0f</text>`+"\n",
			x(ratio), top-4, bottom, x(ratio), bottom+16, ratio)
	}
	for i, row := range c.Rows {
		at := top + rowHeight*float64(i)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f" text-anchor="end">%s</text>`, nameWidth-8, at+15, html.EscapeString(row.Name))
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="14" fill="%s"/>`, x(0), at+4, x(row.Value.Median)-x(0), colours[0])
		fmt.Fprintf(&b, `<path d="M%.1f %.1fH%.1f" stroke="#000"/>`, x(row.Value.Low), at+11, x(row.Value.High))
		fmt.Fprintf(&b, `<path d="M%.1f %.1fv20" stroke="%s" stroke-width="2"/>`+"\n", x(row.Target), at+1, colours[1])
		for _, name := range slices.Sorted(maps.Keys(row.Peers)) {
			ratio := row.Peers[name]
			label := name
			if ratio > c.Most {
				label = fmt.Sprintf("%s %.0f", name, ratio)
			}
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/><text x="%.1f" y="%.1f" font-size="9" text-anchor="end">%s</text>`+"\n",
				x(ratio), at+11, colours[2], x(ratio)-6, at+14, html.EscapeString(label))
		}
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text></svg>`+"\n", nameWidth, bottom+36, html.EscapeString(c.Across))
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
