// Package images makes smaller variants of the owner's photos, so that a phone loads
// no more pixels than it shows. It caches them on disk, because making one is slow.
package images

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"

	"frontdesk/content"
	"frontdesk/internal/durable"
)

// widths of the variants, in pixels. A photo gets those narrower than itself.
var widths = []int{480, 960, 1600}

// Variant is a smaller copy of a photo, of the same type.
type Variant struct {
	Width, Height int
	Data          []byte
}

// quality is the JPEG quality of variants: no difference is visible at the size of a page.
const quality = 78

// Variants returns the smaller copies of a photo, the narrowest first, or nothing for
// another image. It leaves out copies that take more bytes than the photo. The copies are
// cached in the folder cache; an empty name means no cache. It fails when the photo cannot
// be decoded.
func Variants(photo *content.Image, cache string) ([]Variant, error) {
	if !photo.IsPhoto() {
		return nil, nil
	}
	var variants []Variant
	var decoded image.Image
	for _, width := range widths {
		if width >= photo.Width {
			break
		}
		height := max(1, (photo.Height*width+photo.Width/2)/photo.Width)
		file := cachedName(photo, width, cache)
		data, err := os.ReadFile(file)
		if err != nil {
			if decoded == nil {
				if decoded, _, err = image.Decode(bytes.NewReader(photo.Data)); err != nil {
					return nil, fmt.Errorf("%s: %w", photo.Name, err)
				}
			}
			if data, err = encode(decoded, photo.Type, width, height); err != nil {
				return nil, fmt.Errorf("%s: %w", photo.Name, err)
			}
			if file != "" {
				_ = durable.WriteFile(file, data) // without a cached file it is made again
			}
		}
		if len(data) < len(photo.Data) {
			variants = append(variants, Variant{Width: width, Height: height, Data: data})
		}
	}
	return variants, nil
}

// cachedName returns the file of a variant, named after everything that determines it.
func cachedName(photo *content.Image, width int, cache string) string {
	if cache == "" {
		return ""
	}
	sum := sha256.Sum256(photo.Data)
	return filepath.Join(cache, fmt.Sprintf("%s-%d-%d", hex.EncodeToString(sum[:12]), width, quality))
}

func encode(source image.Image, mediaType string, width, height int) ([]byte, error) {
	scaled := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), source, source.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	var err error
	if mediaType == "image/png" {
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, scaled)
	} else {
		err = jpeg.Encode(&out, scaled, &jpeg.Options{Quality: quality})
	}
	return out.Bytes(), err
}
