package images

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

// photo is an image of noise: noise does not compress, so that smaller copies always
// take fewer bytes.
func photo(t *testing.T, mediaType string, width, height int) *content.Image {
	t.Helper()
	noise := rand.New(rand.NewPCG(1, 2))
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.Set(x, y, color.RGBA{uint8(noise.IntN(256)), uint8(noise.IntN(256)), uint8(noise.IntN(256)), 255})
		}
	}
	var b bytes.Buffer
	encode := map[string]func() error{
		"image/jpeg": func() error { return jpeg.Encode(&b, picture, nil) },
		"image/png":  func() error { return png.Encode(&b, picture) },
	}[mediaType]
	expect.OK(t, encode())
	return &content.Image{Name: "photo", Type: mediaType, Width: width, Height: height, Data: b.Bytes()}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		mediaType     string
		width, height int
		want          []image.Point
	}{
		{"a JPEG", "image/jpeg", 1000, 500, []image.Point{{480, 240}, {960, 480}}},
		{"a PNG", "image/png", 500, 250, []image.Point{{480, 240}}},
		{"as wide as a variant", "image/png", 480, 10, nil},
		{"very flat", "image/png", 500, 1, []image.Point{{480, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			variants, err := Variants(photo(t, tt.mediaType, tt.width, tt.height), "")
			var got []image.Point
			for _, v := range variants {
				got = append(got, image.Pt(v.Width, v.Height))
				config, format, decodeErr := image.DecodeConfig(bytes.NewReader(v.Data))
				if decodeErr != nil || "image/"+format != tt.mediaType || config.Width != v.Width || config.Height != v.Height {
					t.Errorf("the variant %d × %d is a %s of %d × %d, %v", v.Width, v.Height, format, config.Width, config.Height, decodeErr)
				}
			}
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("variants %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

// TestOtherImages checks that only photos have variants: browsers scale SVG, and the
// program cannot encode WebP and AVIF.
func TestOtherImages(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{"image/svg+xml", "image/webp", "image/avif"} {
		if variants, err := Variants(&content.Image{Type: mediaType, Width: 4000, Height: 4000}, ""); variants != nil || err != nil {
			t.Errorf("%s: %d variants, %v", mediaType, len(variants), err)
		}
	}
	if _, err := Variants(&content.Image{Name: "x.png", Type: "image/png", Width: 4000, Height: 4000, Data: []byte("no picture")}, ""); err == nil {
		t.Error("a damaged photo is accepted")
	}
}

// TestVariantsAreCached reads a variant from the cache: the second call must return what
// the file holds, even though it is not the photo's.
func TestVariantsAreCached(t *testing.T) {
	t.Parallel()
	cache, original := t.TempDir(), photo(t, "image/png", 500, 250)
	expect.OK(t, expect.ErrorOf(Variants(original, cache)))
	file := cachedName(original, 480, cache)
	expect.OK(t, os.WriteFile(file, []byte("cached"), 0o600))
	variants, err := Variants(original, cache)
	if err != nil || len(variants) != 1 || string(variants[0].Data) != "cached" {
		t.Errorf("variants %+v, %v; want the cached one", variants, err)
	}
}

// TestMemoryOfVariants counts the bytes that the variants of a screenshot take: those
// of the decoded image and of the copies, and nothing that grows with the width of a copy
// and the height of the image.
func TestMemoryOfVariants(t *testing.T) { // not parallel: it counts what the process allocates
	expect.SkipInRace(t, "it scales one picture after the other")
	const width, height = 1700, 600
	var b bytes.Buffer
	expect.OK(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	screenshot := &content.Image{Name: "a.png", Type: "image/png", Width: width, Height: height, Data: b.Bytes()}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Variants(screenshot, "")
	runtime.ReadMemStats(&after)
	const most = width * height * (1 + 3*4) // of decoded gray and three smaller copies in RGBA
	if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > most {
		t.Errorf("%d bytes are allocated, %v; want at most %d", got, err, most)
	}
}

// TestPrune keeps the variants of the photos of the content, and what is no variant.
func TestPrune(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	kept, gone := photo(t, "image/png", 500, 250), photo(t, "image/png", 500, 251)
	for _, p := range []*content.Image{kept, gone} {
		expect.OK(t, expect.ErrorOf(Variants(p, cache)))
	}
	for _, name := range []string{".new-1", "notes.txt"} {
		expect.OK(t, os.WriteFile(filepath.Join(cache, name), nil, 0o600))
	}
	Prune([]content.Image{*kept}, cache)
	entries, err := os.ReadDir(cache)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{filepath.Base(cachedName(kept, 480, cache)), "notes.txt"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("files %v, %v; want %v", names, err, want)
	}
}
