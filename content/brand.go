package content

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

func (o object) brand(into *Edition) Brand {
	brand := Brand{
		Logo: o.image("logo"), LogoDark: o.image("logo_dark"),
		Icon: o.image("icon"), Photo: o.image("photo"), Card: o.image("card"),
		Accent:     o.accent("accent"),
		Developers: o.flag("developers"),
		IsSet:      true,
	}
	into.LogoAlt, into.PhotoAlt = o.text("logo_alt"), o.text("photo_alt")
	o.needsAlt("logo")
	if o.value("logo_dark") != nil && o.value("logo") == nil {
		o.fault(o.value("logo_dark"), o.of.Name+" has a logo_dark without logo", "logo is the one for light pages").
			below("logo").as("content.missing", "logo")
	}
	o.needsAlt("photo")
	return brand
}

// needsAlt refuses a picture without its alternative text.
func (o object) needsAlt(key string) {
	if alt := key + "_alt"; o.value(key) != nil && o.value(alt) == nil {
		o.fault(o.value(key), o.of.Name+" has a "+key+" without "+alt,
			"say in a few words what it shows, for people who cannot see it").below(alt).as("content.alt")
	}
}

// image reads the name of an image in the folder assets.
func (o object) image(key string) *Image {
	name := o.text(key)
	if name == "" {
		return nil
	}
	image := o.loader.image(strings.TrimPrefix(name, assetsFolder+"/"))
	if image == nil {
		o.fault(o.value(key), fmt.Sprintf("there is no image %q", name), "put it into the folder "+assetsFolder+
			", and write assets/NAME").as("content.image", name)
	}
	return image
}

// accent reads one colour for light pages, from which the dark one is made, or both.
func (o object) accent(key string) (accent Accent) {
	node := o.value(key)
	switch {
	case node == nil:
	case node.Kind != yaml.MappingNode:
		accent.Light = o.colour(node, key, lightBackground, "light", black)
		accent.Dark = accent.Light.lit()
	default:
		if both, ok := o.object(node, &accentGroup); ok {
			accent.Light = o.colour(both.value("light"), "accent.light", lightBackground, "light", black)
			accent.Dark = o.colour(both.value("dark"), "accent.dark", darkBackground, "dark", white)
		}
	}
	return accent
}

// colour reads a colour with enough contrast on a background. The node may be nil.
func (o object) colour(node *yaml.Node, what string, background Colour, pages string, other Colour) Colour {
	if node == nil {
		return Colour{}
	}
	text := o.lineOf(node, what)
	colour, ok := parseColour(text)
	switch {
	case text == "":
	case !ok:
		o.fault(node, fmt.Sprintf("%s %q is not a colour", what, text),
			`six hexadecimal digits in quotes, such as "#1f6b52"`).as("content.colour", text)
	case contrast(colour, background) < contrastAA:
		o.fault(node, fmt.Sprintf("%s %s has a contrast of %.1f:1 on %s pages; WCAG AA requires %.1f:1",
			what, colour, contrast(colour, background), pages, contrastAA),
			fmt.Sprintf("the nearest readable colour is %q", colour.readable(background, other))).
			as("content.contrast", contrast(colour, background), contrastAA)
	}
	return colour
}

// Accent is the colour of links and buttons on light and on dark pages. The zero value
// is frontdesk's default colour.
type Accent struct{ Light, Dark Colour }

// Colour is an opaque sRGB colour.
type Colour struct {
	R, G, B uint8
	set     bool
}

// IsSet reports whether a colour was given.
func (c Colour) IsSet() bool { return c.set }

// String returns the colour as CSS and catalog.yaml write it, such as "#1f6b52".
func (c Colour) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

var colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// parseColour reads a colour such as "#1f6b52".
func parseColour(text string) (Colour, bool) {
	if !colourForm.MatchString(text) {
		return Colour{}, false
	}
	value, _ := strconv.ParseUint(text[1:], 16, 32)                                // the form makes it a number
	return Colour{uint8(value >> 16), uint8(value >> 8), uint8(value), true}, true // eight bits each
}

// The backgrounds of text in the accent colour: the darkest light one and the lightest
// dark one of the style sheet.
var (
	lightBackground, _ = parseColour("#f3f1ea")
	darkBackground, _  = parseColour("#25292b")
)

// contrastAA is the contrast that WCAG 2.2 requires of text (1.4.3, level AA).
const contrastAA = 4.5

// contrast returns the contrast of two colours by WCAG 2.2, from 1 to 21.
func contrast(a, b Colour) float64 {
	lighter, darker := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (lighter + 0.05) / (darker + 0.05)
}

// luminance is the relative luminance of WCAG 2.2.
func (c Colour) luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// towards mixes c with other: all of c at 0, all of other at 1.
func (c Colour) towards(other Colour, share float64) Colour {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return Colour{mix(c.R, other.R), mix(c.G, other.G), mix(c.B, other.B), true}
}

// readable mixes c with as little of other as gives enough contrast on a background.
func (c Colour) readable(background, other Colour) Colour {
	const steps = 100
	for step := range steps {
		if mixed := c.towards(other, float64(step)/steps); contrast(mixed, background) >= contrastAA {
			return mixed
		}
	}
	return other
}

// AccentContrast returns the contrast of an accent colour such as "#1f6b52" on a light page, by
// WCAG 2.2, and the least that is accepted. It is 0 for a text that is no colour.
func AccentContrast(text string) (got, least float64) {
	if colour, ok := parseColour(text); ok {
		got = contrast(colour, lightBackground)
	}
	return got, contrastAA
}

var (
	black = Colour{0, 0, 0, true}
	white = Colour{255, 255, 255, true}
)

// On returns the colour of text on a button of colour c: white or nearly black,
// whichever has more contrast.
func (c Colour) On() Colour {
	ink := Colour{0x14, 0x18, 0x16, true}
	if contrast(c, white) >= contrast(c, ink) {
		return white
	}
	return ink
}
