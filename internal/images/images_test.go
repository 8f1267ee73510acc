package images

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

// photo is an image of noise: smaller copies always take fewer bytes.
func photo(mediaType string, width, height int) *content.Image {
	noise := rand.New(rand.NewPCG(1, 2))
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(noise.IntN(256))
		if i%4 == 3 { // alpha
			picture.Pix[i] = 255
		}
	}
	encode := map[string]func(image.Image) []byte{"image/jpeg": encodedJPEG, "image/png": encodedPNG}[mediaType]
	return &content.Image{Name: "photo", Type: mediaType, Width: width, Height: height, Data: encode(picture)}
}

func shape(file []byte) string {
	config, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s %d×%d", format, config.Width, config.Height)
}

func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestVariants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format        string
		width, height int
		want          []string
	}{
		{"jpeg", 1000, 500, []string{"jpeg 480×240", "jpeg 960×480"}},
		{"png", 500, 250, []string{"png 480×240"}},
		{"png", 480, 10, nil}, // as wide as a variant
		{"png", 500, 1, []string{"png 480×1"}},
	} {
		var got []string
		for _, v := range expect.Value(Variants(photo("image/"+tt.format, tt.width, tt.height), ""))(t) {
			got = append(got, shape(v.Data))
			expect.Holds(t, "the variant", got[len(got)-1], fmt.Sprintf("%s %d×", tt.format, v.Width))
		}
		expect.Same(t, fmt.Sprint(tt), tt.want, got)
	}
}

// Only photos have variants. Browsers scale SVG, and the program cannot encode WebP and AVIF.
func TestOtherImages(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{"image/svg+xml", "image/webp", "image/avif"} {
		variants := expect.Value(Variants(&content.Image{Type: mediaType, Width: 4000, Height: 4000}, ""))(t)
		expect.Same(t, mediaType+": variants", 0, len(variants))
	}
	damaged := &content.Image{Name: "x.png", Type: "image/png", Width: 4000, Height: 4000, Data: []byte("no picture")}
	if _, err := Variants(damaged, ""); err == nil {
		t.Error("a damaged photo is accepted")
	}
}

func TestVariantsAreCached(t *testing.T) {
	t.Parallel()
	cache, original := t.TempDir(), photo("image/png", 500, 250)
	expect.Value(Variants(original, cache))(t)
	file := cachedName(original, 480, cache)
	expect.Write(t, file, "cached")
	variants := expect.Value(Variants(original, cache))(t)
	if len(variants) != 1 || string(variants[0].Data) != "cached" {
		t.Errorf("variants %+v, want the cached one", variants)
	}
}

func TestMemoryOfVariants(t *testing.T) { // not parallel: it counts what the process allocates
	expect.SkipInRace(t, "it scales one picture after the other")
	const width, height = 1700, 600
	file := encodedPNG(image.NewGray(image.Rect(0, 0, width, height)))
	screenshot := &content.Image{Name: "a.png", Type: "image/png", Width: width, Height: height, Data: file}
	got := allocated(func() { expect.Value(Variants(screenshot, ""))(t) })
	expect.AtMost(t, "bytes for decoded gray and three copies in RGBA", width*height*(1+3*4), int64(got))
}

func TestPrune(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	kept, gone := photo("image/png", 500, 250), photo("image/png", 500, 251)
	for _, p := range []*content.Image{kept, gone} {
		expect.Value(Variants(p, cache))(t)
	}
	for _, name := range []string{".new-1", "notes.txt"} {
		expect.Write(t, filepath.Join(cache, name), "")
	}
	Prune([]content.Image{*kept}, cache)
	left := expect.Value(filepath.Glob(cache + "/*"))(t)
	expect.Same(t, "files that are left", []string{cachedName(kept, 480, cache), filepath.Join(cache, "notes.txt")}, left)
}

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
