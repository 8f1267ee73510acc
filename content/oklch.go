package content

import "math"

// lit returns the colour of c on dark pages: the same hue and chroma, light enough to read easily. Mixing c with white
// would take away chroma, and make a link look disabled.
func (c Colour) lit() Colour {
	l, chroma, hue := c.oklch()
	if chroma > greyish {
		chroma = max(chroma, leastChroma)
	}
	for ; l < 1; l += 0.005 {
		if lit := fromOKLCH(l, chroma, hue); contrast(lit, darkBackground) >= contrastLit {
			return lit
		}
	}
	return white
}

const (
	contrastLit = 6    // more than AA: light text on dark looks thinner
	greyish     = 0.03 // below this chroma a colour is a grey, which stays one
	leastChroma = 0.1
)

// Shade returns a colour of the hue of c with another lightness (of OKLCH, 0 to 1) and at most the given chroma: a
// surface that goes with c.
func (c Colour) Shade(lightness, chroma float64) Colour {
	_, own, hue := c.oklch()
	return fromOKLCH(lightness, min(own, chroma), hue)
}

// oklch returns lightness, chroma, and hue in radians (CSS Color 4, section 9.2).
func (c Colour) oklch() (lightness, chroma, hue float64) {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	x, y := 1.9779984951*l-2.4285922050*m+0.4505937099*s, 0.0259040371*l+0.7827717662*m-0.8086757660*s
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s, math.Hypot(x, y), math.Atan2(y, x)
}

// fromOKLCH returns a colour, with less chroma where sRGB does not have that much.
func fromOKLCH(lightness, chroma, hue float64) Colour {
	for ; ; chroma -= 0.004 {
		x, y := max(chroma, 0)*math.Cos(hue), max(chroma, 0)*math.Sin(hue)
		l := math.Pow(lightness+0.3963377774*x+0.2158037573*y, 3)
		m := math.Pow(lightness-0.1055613458*x-0.0638541728*y, 3)
		s := math.Pow(lightness-0.0894841775*x-1.2914855480*y, 3)
		r := 4.0767416621*l - 3.3077115913*m + 0.2309699292*s
		g := -1.2684380046*l + 2.6097574011*m - 0.3413193965*s
		b := -0.0041960863*l - 0.7034186147*m + 1.7076147010*s
		const rounding = 0.0005
		if chroma <= 0 || min(r, g, b) > -rounding && max(r, g, b) < 1+rounding {
			return Colour{Gamma(r), Gamma(g), Gamma(b), true}
		}
	}
}

// linear returns the light of a channel of sRGB, from 0 to 1.
func linear(channel uint8) float64 {
	v := float64(channel) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Gamma returns the sRGB channel value of a linear light from 0 to 1. It reverses linear.
func Gamma(light float64) uint8 {
	light = min(max(light, 0), 1)
	if light <= 0.0031308 {
		return uint8(math.Round(255 * 12.92 * light))
	}
	return uint8(math.Round(255 * (1.055*math.Pow(light, 1/2.4) - 0.055)))
}
