package images

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"frontdesk/content"
)

// leastLight is the brightness, of 255, below which a part of a logo is hard to see on a dark page.
const leastLight = 90

// IsDark reports whether a logo with a transparent ground has only dark parts, so that it needs a light ground on dark
// pages. It is false for a picture that it cannot read.
func IsDark(logo *content.Image) bool {
	if logo.Type == "image/svg+xml" {
		return isDarkDrawing(string(logo.Data))
	}
	decoded, err := decode(bytes.NewReader(logo.Data))
	if err != nil {
		return false
	}
	const samples = 64 // along each side
	hasGround, bounds := false, decoded.Bounds()
	light, parts := 0, 0
	for y := bounds.Min.Y; y < bounds.Max.Y; y += max(bounds.Dy()/samples, 1) {
		for x := bounds.Min.X; x < bounds.Max.X; x += max(bounds.Dx()/samples, 1) {
			if r, g, b, alpha := decoded.At(x, y).RGBA(); alpha < 0x8000 {
				hasGround = true
			} else {
				light += int(brightness(r, g, b)) >> 8
				parts++
			}
		}
	}
	return hasGround && parts > 0 && light/parts < leastLight
}

var (
	hexColour   = regexp.MustCompile(`#(?:[0-9a-fA-F]{2}){3,4}\b|#[0-9a-fA-F]{3,4}\b`) // the last of four is the opacity
	lightColour = regexp.MustCompile(`<image\b|\b(?:white|rgba?\(|hsla?\(|url\()`)
)

// isDarkDrawing reads the colours that an SVG file has. A shape without one is black.
func isDarkDrawing(svg string) bool {
	for _, found := range hexColour.FindAllString(svg, -1) {
		if len(found) < len("#rrggbb") {
			found = "#" + strings.Repeat(found[1:2], 2) + strings.Repeat(found[2:3], 2) + strings.Repeat(found[3:4], 2)
		}
		value, _ := strconv.ParseUint(found[1:7], 16, 24) // the pattern makes it a number
		if brightness(uint32(value>>16), uint32(value>>8&255), uint32(value&255)) >= leastLight {
			return false
		}
	}
	return !lightColour.MatchString(svg)
}

// brightness returns the brightness of a colour, in the unit of its channels.
func brightness(r, g, b uint32) uint32 { return (2*r + 5*g + b) / 8 }
