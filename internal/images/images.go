// Package images makes smaller variants of the owner's photos, so that a phone loads
// no more pixels than it shows, and keeps them on disk: making one takes a moment.
package images

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"

	"frontdesk/content"
)

// Widths are those of the variants, in pixels. A photo gets those that are narrower
// than itself.
var Widths = []int{480, 960, 1600}

// Variant is a smaller copy of a photo, of the same type.
type Variant struct {
	Width, Height int
	Data          []byte
}

// quality is that of JPEG variants: no difference is seen at the size of a page.
const quality = 78

// Variants returns the smaller copies of a photo, the narrowest first; of an image
// that is none, nothing. Copies that would take more bytes than the photo are left
// out. They are kept in the folder cache, and made when they are not there; an empty
// cache keeps none. It fails when the photo cannot be decoded.
func Variants(photo *content.Image, cache string) ([]Variant, error) {
	if !photo.IsPhoto() {
		return nil, nil
	}
	var variants []Variant
	var decoded image.Image
	for _, width := range Widths {
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
			_ = keep(file, data) // it is made again when it could not be kept
		}
		if len(data) < len(photo.Data) {
			variants = append(variants, Variant{Width: width, Height: height, Data: data})
		}
	}
	return variants, nil
}

// cachedName is where a variant is kept, by all that it is made of.
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

// keep writes a file that is whole or not there.
func keep(file string, data []byte) error {
	if file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".variant-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
	return err
}
