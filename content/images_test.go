package content

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// avif is the beginning of an AVIF file: its type, and an ispe property with a size.
func avif(width, height uint32) []byte {
	file := append(binary.BigEndian.AppendUint32(nil, 24), "ftypavif\x00\x00\x00\x00avifmif1"...)
	file = append(binary.BigEndian.AppendUint32(file, 20), "ispe\x00\x00\x00\x00"...)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(file, width), height)
}

// TestDimensions reads the size of every type of image, which pages need before an image
// is loaded.
func TestDimensions(t *testing.T) {
	t.Parallel()
	lossy, err := base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=")
	if err != nil {
		t.Fatal(err)
	}
	wide := slices.Clone(lossy)
	binary.LittleEndian.PutUint16(wide[26:], 1200) // the size in the VP8 frame header (RFC 6386 9.1)
	binary.LittleEndian.PutUint16(wide[28:], 630)
	for name, tt := range map[string]struct {
		mediaType     string
		data          []byte
		width, height int
		fault         string
	}{
		"PNG":                   {"image/png", []byte(picture(t, 7, 5)), 7, 5, ""},
		"WebP":                  {"image/webp", lossy, 1, 1, ""},
		"larger WebP":           {"image/webp", wide, 1200, 630, ""},
		"WebP cut off":          {"image/webp", lossy[:20], 0, 0, "damaged"},
		"WebP called PNG":       {"image/png", lossy, 0, 0, "a file of the type webp"},
		"AVIF":                  {"image/avif", avif(1600, 900), 1600, 900, ""},
		"AVIF cut in its size":  {"image/avif", avif(1600, 900)[:40], 0, 0, "does not say how large"},
		"AVIF without its size": {"image/avif", avif(1600, 900)[:24], 0, 0, "does not say how large"},
		"PNG called AVIF":       {"image/avif", []byte(picture(t, 7, 5)), 0, 0, "not an AVIF file"},
		"SVG":                   {"image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"/>`), 40, 30, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			width, height, err := dimensions(tt.mediaType, tt.data)
			if width != tt.width || height != tt.height || (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%d × %d, %v; want %d × %d and %q", width, height, err, tt.width, tt.height, tt.fault)
			}
		})
	}
}
