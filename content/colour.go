package content

import (
	"regexp"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// Accent is the colour of links and buttons on light and on dark pages. The zero value
// is frontdesk's default colour.
type Accent struct{ Light, Dark Colour }

// Colour is an opaque sRGB colour as CSS and catalog.yaml write it, such as "#1f6b52"; empty for none.
type Colour string

// IsSet reports whether a colour was given.
func (c Colour) IsSet() bool { return c != "" }

var colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// parseColour reads a colour such as "#1f6b52". It is empty for other texts.
func parseColour(text string) Colour {
	if !colourForm.MatchString(text) {
		return ""
	}
	return Colour(strings.ToLower(text))
}

func (c Colour) rgb() colorful.Color {
	rgb, _ := colorful.Hex(string(c)) // the form of Colour
	return rgb
}

const (
	black Colour = "#000000"
	white Colour = "#ffffff"

	// The backgrounds of text in the accent colour: the darkest light one and the lightest
	// dark one of the style sheet.
	lightBackground Colour = "#f3f1ea"
	darkBackground  Colour = "#25292b"

	contrastAA  = 4.5 // what WCAG 2.2 requires of text (1.4.3, level AA)
	contrastLit = 6   // of light text on dark, which looks thinner
)

// contrast returns the contrast of two colours by WCAG 2.2, from 1 to 21.
func contrast(a, b Colour) float64 {
	lighter, darker := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (lighter + 0.05) / (darker + 0.05)
}

// luminance is the relative luminance of WCAG 2.2.
func (c Colour) luminance() float64 {
	r, g, b := c.rgb().LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// AccentContrast returns the contrast of an accent colour such as "#1f6b52" on a light page, by
// WCAG 2.2, and the least that is accepted. It is 0 for a text that is no colour.
func AccentContrast(text string) (got, least float64) {
	if colour := parseColour(text); colour.IsSet() {
		got = contrast(colour, lightBackground)
	}
	return got, contrastAA
}

// readable mixes c with as little of other as gives enough contrast on a background.
func (c Colour) readable(background, other Colour) Colour {
	const steps = 100
	for step := range steps {
		mixed := Colour(c.rgb().BlendRgb(other.rgb(), float64(step)/steps).Hex())
		if contrast(mixed, background) >= contrastAA {
			return mixed
		}
	}
	return other
}

// On returns the colour of text on a button of colour c: white or nearly black,
// whichever has more contrast.
func (c Colour) On() Colour {
	const ink Colour = "#141816"
	if contrast(c, white) >= contrast(c, ink) {
		return white
	}
	return ink
}

// lit returns the colour of c on dark pages: the same hue and chroma, light enough to read easily. Mixing c with white
// would take away chroma, and make a link look disabled.
func (c Colour) lit() Colour {
	const greyish, leastChroma = 0.03, 0.1 // a colour of less chroma is a grey, which stays one
	lightness, chroma, hue := c.rgb().OkLch()
	if chroma > greyish {
		chroma = max(chroma, leastChroma)
	}
	for ; lightness < 1; lightness += 0.005 {
		if lit := colourOf(lightness, chroma, hue); contrast(lit, darkBackground) >= contrastLit {
			return lit
		}
	}
	return white
}

// Shade returns a colour of the hue of c with another lightness (of OKLCH, 0 to 1) and at most the given chroma: a
// surface that goes with c.
func (c Colour) Shade(lightness, chroma float64) Colour {
	_, own, hue := c.rgb().OkLch()
	return colourOf(lightness, min(own, chroma), hue)
}

// colourOf returns a colour of OKLCH, with less chroma where sRGB does not have that much.
func colourOf(lightness, chroma, hue float64) Colour {
	for ; ; chroma -= 0.004 {
		const rounding = 0.001 // of linear light, from 0 to 1
		wanted := colorful.OkLch(lightness, max(chroma, 0), hue)
		r, g, b := wanted.LinearRgb()
		if chroma <= 0 || min(r, g, b) > -rounding && max(r, g, b) < 1+rounding {
			return Colour(wanted.Clamped().Hex())
		}
	}
}
