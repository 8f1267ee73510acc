// Package images makes smaller variants of the owner's photos, so that a phone loads
// no more pixels than it shows. It caches them on disk, because making one is slow.
package images

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"frontdesk/content"
	"frontdesk/internal/disk"
)

// Folder is the subfolder of the data folder that caches the variants.
const Folder = "images"

// widths of the variants, in pixels. A photo gets those narrower than itself.
var widths = []int{480, 960, 1600}

// Variant is a smaller copy of a photo, of the same type.
type Variant struct {
	Width int
	Data  []byte
}

// quality is the JPEG quality of variants: no difference is visible at the size of a page.
const quality = 78

// scaling is held while variants are made, so that the memory of one photo is enough. Uploads
// have a queue of their own, so that a reload does not wait for them.
var scaling sync.Mutex

// Variants returns the smaller copies of a photo, the narrowest first, or nothing for
// another image. It leaves out copies that take more bytes than the photo. The copies are
// cached in the folder cache; an empty name means no cache. It fails when the photo cannot
// be decoded.
func Variants(photo *content.Image, cache string) ([]Variant, error) {
	if !photo.IsPhoto() {
		return nil, nil
	}
	scaling.Lock()
	defer scaling.Unlock()
	var variants []Variant
	var source image.Image // the photo, or the last variant that was made of it
	for _, width := range slices.Backward(widths) {
		if width >= photo.Width {
			continue
		}
		height := max(1, (photo.Height*width+photo.Width/2)/photo.Width)
		file := cachedName(photo, width, cache)
		data, err := os.ReadFile(file)
		if err != nil {
			isFirst, orientation := source == nil, 1
			if isFirst {
				orientation = content.Orientation(photo.Type, photo.Data)
				if source, err = decode(bytes.NewReader(photo.Data)); err != nil {
					return nil, fmt.Errorf("%s: %w", photo.Name, err)
				}
			}
			smaller := upright(source, orientation, width, height)
			if isFirst {
				toSRGB(smaller, photo.Data)
			}
			source = smaller
			if data, err = encode(source, photo.Type, quality); err != nil {
				return nil, fmt.Errorf("%s: %w", photo.Name, err)
			}
			if file != "" {
				_ = disk.WriteFile(file, data) // without a cached file it is made again
			}
		}
		if len(data) < len(photo.Data) {
			variants = append(variants, Variant{Width: width, Data: data})
		}
	}
	slices.Reverse(variants)
	return variants, nil
}

// cachedFile matches the names of variants, and of those that a crash left half-written.
var cachedFile = regexp.MustCompile(`^([0-9a-f]{24}-[0-9]+-[0-9]+|\.new-.*)$`)

// Prune removes the variants of other photos from the folder cache, as far as it can.
func Prune(photos []content.Image, cache string) {
	scaling.Lock()
	defer scaling.Unlock()
	entries, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	inUse := map[string]bool{}
	for i := range photos {
		for _, width := range widths {
			inUse[cachedName(&photos[i], width, cache)] = true
		}
	}
	for _, entry := range entries {
		if file := filepath.Join(cache, entry.Name()); cachedFile.MatchString(entry.Name()) && !inUse[file] {
			_ = os.Remove(file)
		}
	}
}

// cachedName returns the file of a variant, named after everything that determines it.
func cachedName(photo *content.Image, width int, cache string) string {
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, fmt.Sprintf("%.12x-%d-%d", sha256.Sum256(photo.Data), width, quality))
}

// encode writes a PNG, or a JPEG of a quality.
func encode(picture image.Image, mediaType string, quality int) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if mediaType == "image/png" {
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture)
	} else {
		err = jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality})
	}
	return out.Bytes(), err
}

// decode decodes a picture. Lossy WebP has its brightness from 16 to 235 and its colours from 16 to 240
// (RFC 9649, section 2.5), which package webp hands on as if they were from 0 to 255: they are stretched.
func decode(r io.Reader) (image.Image, error) {
	picture, format, err := image.Decode(r)
	if err != nil || format != "webp" {
		return picture, err
	}
	var planes *image.YCbCr
	switch picture := picture.(type) {
	case *image.YCbCr:
		planes = picture
	case *image.NYCbCrA:
		planes = &picture.YCbCr
	default: // lossless
		return picture, nil
	}
	stretch(planes.Y, 16, 219, 0)
	stretch(planes.Cb, 128, 224, 128)
	stretch(planes.Cr, 128, 224, 128)
	return picture, nil
}

// stretch makes span of the values around from 255 around to.
func stretch(plane []byte, from, span, to int) {
	for i, value := range plane {
		plane[i] = byte(min(max(math.Round(float64(int(value)-from)*255/float64(span))+float64(to), 0), 255))
	}
}
