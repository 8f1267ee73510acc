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

	"golang.org/x/image/draw"
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
		slices.Contains([]string{"heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"}, string(begin[8:12]))
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

// Accepted lists the media types of pictures that can be uploaded, as a field of a form does.
var Accepted = strings.Join(slices.Sorted(maps.Keys(content.PhotoFormats)), ",")

// Prepare returns an uploaded picture as the site can publish it: turned upright, not larger
// than a page shows, in the colours of sRGB, and without its metadata, such as where it was taken. It is a JPEG; or a
// PNG, if it was one of few bytes or parts of it are transparent. One upload is decoded at a
// time. The error is ErrNoPicture, or that of ctx when it ends first.
func Prepare(ctx context.Context, file []byte) ([]byte, error) {
	mediaType := http.DetectContentType(file)
	if _, ok := content.PhotoFormats[mediaType]; !ok {
		return nil, cmp.Or(foreignFormat(file, mediaType), fmt.Errorf("%w: %s", ErrNoPicture, mediaType))
	}
	width, height, err := content.ImageSize(mediaType, file)
	if errors.Is(err, content.ErrTooManyPixels) {
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
	scale := min(1, longestSide/float64(max(width, height)))
	picture := upright(source, content.Orientation(mediaType, file),
		max(1, int(float64(width)*scale)), max(1, int(float64(height)*scale)))
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

// turns are how the axes of a picture become those of an upright one, by its orientation: the
// signs of x and y in the new x, then in the new y.
var turns = [9][4]float64{
	1: {1, 0, 0, 1}, 2: {-1, 0, 0, 1}, 3: {-1, 0, 0, -1}, 4: {1, 0, 0, -1},
	5: {0, 1, 1, 0}, 6: {0, -1, 1, 0}, 7: {0, -1, -1, 0}, 8: {0, 1, -1, 0},
}

// upright returns a copy of a picture with an orientation: turned, and of a size. Unlike draw.Scale, Transform holds no
// rows in between, which would take 32 bytes for each pixel of the copy's width and the image's height.
func upright(source image.Image, orientation, width, height int) *image.RGBA {
	turn, from, to := turns[orientation], source.Bounds(), image.NewRGBA(image.Rect(0, 0, width, height))
	x, y := float64(width), float64(height)
	fromX, fromY := float64(from.Dx()), float64(from.Dy())
	draw.CatmullRom.Transform(to, f64.Aff3{
		turn[0] * x / fromX, turn[1] * x / fromY, -min(0, turn[0], turn[1]) * x,
		turn[2] * y / fromX, turn[3] * y / fromY, -min(0, turn[2], turn[3]) * y,
	}, source, from, draw.Src, nil)
	return to
}
