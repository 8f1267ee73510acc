package images

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/bep/imagemeta"
	"golang.org/x/image/math/f64"

	"frontdesk/content"
)

const (
	// MaxUpload is how many bytes a picture may have that is uploaded: a photo of a phone
	// takes 3 to 12 MB.
	MaxUpload = 20 << 20
	// longestSide is how many pixels a prepared picture has at most: more are seen on no page.
	longestSide = 2000
	// uploadQuality is the JPEG quality of a prepared picture, of which variants are made.
	uploadQuality = 88
	// maxPNG is how many bytes a prepared PNG has at most if it can be a JPEG.
	maxPNG = 1 << 20
)

// ErrNoPicture reports a file that cannot be published as a picture.
var ErrNoPicture = errors.New("the file is no picture that can be used")

// Errors that say more: each is ErrNoPicture too.
var (
	ErrHEIC  = fmt.Errorf("%w: HEIC", ErrNoPicture)
	ErrGIF   = fmt.Errorf("%w: GIF", ErrNoPicture)
	ErrSVG   = fmt.Errorf("%w: SVG", ErrNoPicture)
	ErrLarge = fmt.Errorf("%w: it has too many pixels", ErrNoPicture)
)

// foreignFormat names a picture whose format cannot be used, nil for other files.
func foreignFormat(file []byte, mediaType string) error {
	begin := file[:min(len(file), 512)]
	isHEIF := len(begin) > 12 && string(begin[4:8]) == "ftyp" &&
		slices.Contains([]string{"heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif"}, string(begin[8:12]))
	switch {
	case isHEIF:
		return ErrHEIC
	case mediaType == "image/gif":
		return ErrGIF
	case bytes.Contains(begin, []byte("<svg")):
		return ErrSVG
	}
	return nil
}

// uploadFormats are the formats of pictures that can be uploaded, by their media types.
var uploadFormats = map[string]imagemeta.ImageFormat{
	"image/jpeg": imagemeta.JPEG, "image/png": imagemeta.PNG, "image/webp": imagemeta.WebP,
}

// Accepted lists these types as a field of a form does.
var Accepted = strings.Join(slices.Sorted(maps.Keys(uploadFormats)), ",")

// Prepare returns an uploaded picture as the site can publish it: turned upright, not larger
// than a page shows, in the colours of sRGB, and without its metadata, such as where it was taken. It is a JPEG; or a
// PNG, if it was one of few bytes or parts of it are transparent. One upload is decoded at a
// time. The error is ErrNoPicture, or that of ctx when it ends first.
func Prepare(ctx context.Context, file []byte) ([]byte, error) {
	mediaType := http.DetectContentType(file)
	format, ok := uploadFormats[mediaType]
	if !ok {
		return nil, cmp.Or(foreignFormat(file, mediaType), fmt.Errorf("%w: %s", ErrNoPicture, mediaType))
	}
	if _, _, err := content.ImageSize(mediaType, file); errors.Is(err, content.ErrTooManyPixels) {
		return nil, ErrLarge
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPicture, err)
	}
	select {
	case uploading <- struct{}{}:
		defer func() { <-uploading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	source, err := decode(untilDone{ctx, bytes.NewReader(file)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoPicture, err)
	}
	picture := upright(source, orientation(file, format))
	toSRGB(picture, file)
	if mediaType == "image/png" || !picture.Opaque() {
		if data, err := encode(picture, "image/png", 0); err != nil || len(data) <= maxPNG || !picture.Opaque() {
			return data, err
		}
	}
	return encode(picture, "image/jpeg", uploadQuality)
}

// uploading is the queue of uploads that are decoded, so that the memory of one is enough.
var uploading = make(chan struct{}, 1)

// untilDone reads until its context ends, so that a picture is not decoded for a client that left.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}

// orientation returns how the camera was held, from 1 to 8 (Exif 3.0, tag 0x0112). It is 1,
// upright, where the file does not say.
func orientation(file []byte, format imagemeta.ImageFormat) int {
	found := 1
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(file), ImageFormat: format, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Tag == "Orientation" && tag.Namespace == "IFD0" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, ok := tag.Value.(uint16); ok && int(value) < len(turns) && value > 0 {
				found = int(value)
			}
			return nil
		},
	}) // damaged metadata says nothing
	return found
}

// turns are how the axes of a picture become those of an upright one, by its orientation: the
// signs of x and y in the new x, then in the new y.
var turns = [9][4]float64{
	1: {1, 0, 0, 1}, 2: {-1, 0, 0, 1}, 3: {-1, 0, 0, -1}, 4: {1, 0, 0, -1},
	5: {0, 1, 1, 0}, 6: {0, -1, 1, 0}, 7: {0, -1, -1, 0}, 8: {0, 1, -1, 0},
}

// upright returns a copy of a picture with an orientation, turned and scaled down to
// longestSide.
func upright(source image.Image, orientation int) *image.RGBA {
	turn, from := turns[orientation], source.Bounds()
	scale := min(1, longestSide/float64(max(from.Dx(), from.Dy())))
	// along is where an axis of the copy begins, and how many pixels it has.
	along := func(signs []float64) (begin, length float64) {
		for i, side := range []int{from.Dx(), from.Dy()} {
			begin -= min(0, signs[i]) * float64(side) * scale
			length += max(signs[i], -signs[i]) * float64(side) * scale
		}
		return begin, max(1, length)
	}
	left, width := along(turn[:2])
	top, height := along(turn[2:])
	return transformed(source, int(width), int(height), f64.Aff3{
		turn[0] * scale, turn[1] * scale, left, turn[2] * scale, turn[3] * scale, top,
	})
}
