package images

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"frontdesk/content"
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
	if err := encode(); err != nil {
		t.Fatal(err)
	}
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
	if _, err := Variants(original, cache); err != nil {
		t.Fatal(err)
	}
	file := cachedName(original, 480, cache)
	if err := os.WriteFile(file, []byte("cached"), 0o600); err != nil {
		t.Fatal(err)
	}
	variants, err := Variants(original, cache)
	if err != nil || len(variants) != 1 || string(variants[0].Data) != "cached" {
		t.Errorf("variants %+v, %v; want the cached one", variants, err)
	}
}
