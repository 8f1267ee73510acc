package images

import (
	"image"
	"image/color"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func TestIsDark(t *testing.T) {
	t.Parallel()
	black, clear := color.NRGBA{A: 255}, color.NRGBA{}
	for name, tt := range map[string]struct {
		part, ground color.NRGBA
		want         bool
	}{
		"black":          {black, clear, true},
		"navy":           {color.NRGBA{B: 110, A: 255}, clear, true},
		"gold":           {color.NRGBA{R: 220, G: 180, A: 255}, clear, false},
		"black on white": {black, color.NRGBA{255, 255, 255, 255}, false}, "nothing": {clear, clear, false},
	} {
		logo := image.NewNRGBA(image.Rect(0, 0, 200, 80))
		for y := range 80 {
			for x := range 200 {
				logo.SetNRGBA(x, y, tt.ground)
				if x < 100 {
					logo.SetNRGBA(x, y, tt.part)
				}
			}
		}
		expect.Same(t, name, tt.want, IsDark(&content.Image{Type: "image/png", Data: encodedPNG(logo)}))
	}
	for svg, want := range map[string]bool{
		`<path d="M0 0"/>`: true, `<path fill="#123"/>`: true, `<path fill="#102030"/><path fill="#ffcc00"/>`: false,
		`<path fill="white"/>`: false, `<path fill="#000" stroke="rgb(255,255,255)"/>`: false,
		`<svg><image href="data:image/png;base64,AA=="/></svg>`: false, `<path fill="#fff8"/>`: false,
		`<path fill="#FFFFFF80"/>`: false, `<path fill="#000f"/><path fill="#101010ff"/>`: true,
	} {
		expect.Same(t, svg, want, IsDark(&content.Image{Type: "image/svg+xml", Data: []byte(svg)}))
	}
	expect.Same(t, "a damaged file", false, IsDark(&content.Image{Type: "image/png", Data: []byte("PNG")}))
}
