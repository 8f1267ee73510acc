package main

import (
	"fmt"
	"os"
	"strings"

	"frontdesk/faq/evaluation"
)

// curve is a line of the plot.
type curve struct {
	name   string
	points []evaluation.RiskAt
	dashed bool // and in the colour of the curve before it
}

// The plot's measures in pixels, and the largest risk that it shows.
const (
	plotWidth, plotHeight = 560, 320
	plotLeft, plotTop     = 60, 20
	mostRisk              = 0.3
)

var colours = []string{"#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b"}

// draw writes the curves as an SVG.
func draw(path string, curves []curve) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+
		"\n",
		plotLeft+plotWidth+20, plotTop+plotHeight+50)
	b.WriteString(`<title>Wrong answers among those given, by the share of questions answered</title>` + "\n" +
		`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	for i := range 7 {
		risk := mostRisk * float64(i) / 6
		fmt.Fprintf(&b, `<path d="M%d %.1fh%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.0f%%</text>`+"\n",
			plotLeft, y(risk), plotWidth, plotLeft-6, y(risk)+4, 100*risk)
	}
	for i := range 6 {
		share := float64(i) / 5
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.0f%%</text>`+"\n", x(share), plotTop+plotHeight+18,
			100*share)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">`+
		"questions answered (wrong answers among them: upwards)</text>\n", plotLeft+plotWidth/2, plotTop+plotHeight+38)
	solid := -1
	for i, c := range curves {
		style := ` stroke-dasharray="5 4"`
		if !c.dashed {
			solid++
			style = ""
		}
		colour := colours[solid%len(colours)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2"%s points="`, colour, style)
		for _, p := range c.points {
			fmt.Fprintf(&b, "%.1f,%.1f ", x(p.Coverage), y(min(p.Risk, mostRisk)))
		}
		fmt.Fprintf(&b, `"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n", plotLeft+16, plotTop+18+16*i, colour, c.name)
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func x(coverage float64) float64 { return plotLeft + plotWidth*coverage }
func y(risk float64) float64     { return plotTop + plotHeight*(1-risk/mostRisk) }
