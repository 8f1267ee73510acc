package images

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func quarters(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	colours := [2][2]color.RGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}}
	for y := range height {
		for x := range width {
			picture.Set(x, y, colours[y*2/height][x*2/width])
		}
	}
	return picture
}

func withExif(file []byte, orientation byte) []byte {
	exif := slices.Concat([]byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x02"),
		[]byte("\x01\x12\x00\x03\x00\x00\x00\x01\x00"), []byte{orientation}, []byte("\x00\x00"),
		[]byte("\x01\x0e\x00\x02\x00\x00\x00\x0d\x00\x00\x00\x26\x00\x00\x00\x00Secret Road\x00\x00"))
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2))
	return slices.Concat(file[:2], segment, exif, file[2:])
}

func encodedJPEG(picture image.Image) []byte {
	var out bytes.Buffer
	_ = jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95})
	return out.Bytes()
}

func encodedPNG(picture image.Image) []byte {
	var out bytes.Buffer
	_ = png.Encode(&out, picture)
	return out.Bytes()
}

func letters(picture image.Image) (names string) {
	size := picture.Bounds().Size()
	for _, at := range []image.Point{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		r, g, b, _ := picture.At(size.X*at.X/4, size.Y*at.Y/4).RGBA()
		switch {
		case r > 0x8000 && g > 0x8000 && b > 0x8000:
			names += "w"
		case r > 0x8000:
			names += "r"
		case g > 0x8000:
			names += "g"
		default:
			names += "b"
		}
	}
	return names
}

// The orientations of Exif, in the order of the standard.
func TestUpright(t *testing.T) {
	expect.SkipInRace(t, "it scales one picture after the other")
	t.Parallel()
	for i, want := range []string{"rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"} {
		orientation := i + 1
		file := withExif(encodedJPEG(quarters(40, 80)), byte(orientation))
		expect.Holds(t, "the photo", file, "Exif", "Secret Road")
		prepared := expect.Value(Prepare(t.Context(), file))(t)
		picture, format, err := image.Decode(bytes.NewReader(prepared))
		expect.OK(t, err)
		size := image.Pt(40, 80)
		if orientation > 4 {
			size = image.Pt(80, 40)
		}
		expect.Same(t, fmt.Sprint("orientation ", orientation), []any{want, "jpeg", size},
			[]any{letters(picture), format, picture.Bounds().Size()})
		expect.Lacks(t, "the prepared photo", prepared, "Secret", "Exif")

		file = withExif(encodedJPEG(quarters(500, 1000)), byte(orientation))
		width, height, err := content.ImageSize("image/jpeg", file)
		expect.OK(t, err)
		variants := expect.Value(Variants(&content.Image{Type: "image/jpeg", Width: width, Height: height, Data: file}, ""))(t)
		picture, err = jpeg.Decode(bytes.NewReader(variants[0].Data))
		expect.OK(t, err)
		expect.Same(t, "a variant", []any{want, size.X < size.Y}, []any{letters(picture), width < height})
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	square := quarters(40, 40)
	logo, small := encodedPNG(square), encodedJPEG(square)
	square.Set(0, 0, color.RGBA{})
	const webP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	for _, tt := range []struct {
		name, want string
		file       []byte
	}{
		{"a large photo", "jpeg 2000×1500", encodedJPEG(quarters(2200, 1650))},
		{"a tall one", "jpeg 6×2000", encodedJPEG(quarters(10, 3000))},
		{"a logo", "png 40×40", logo},
		{"a transparent one", "png 40×40", encodedPNG(square)},
		{"a transparent one as WebP", "png 1×1", expect.Value(base64.StdEncoding.DecodeString(webP))(t)},
		{"a photo as PNG", "jpeg 700×700", photo("image/png", 700, 700).Data},
		{"damaged metadata", "jpeg 40×40", withExif(small, 77)},
		{"a script behind a photo", "jpeg 40×40", slices.Concat(small, []byte("<script>alert(1)</script>"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			prepared := expect.Value(Prepare(t.Context(), tt.file))(t)
			expect.Same(t, "the picture", tt.want, shape(prepared))
			expect.Lacks(t, "the picture", prepared, "script") // that was behind it
		})
	}
}

func TestUnusable(t *testing.T) {
	t.Parallel()
	huge := encodedJPEG(quarters(8, 8))
	copy(huge[bytes.Index(huge, []byte{0xff, 0xc0})+5:], "\xea\x60\xea\x60") // 60000 × 60000 pixels
	for _, tt := range []struct {
		name, file string
		want       error
	}{
		{"HEIC", "\x00\x00\x00\x18ftypheic" + strings.Repeat("\x00", 40), ErrHEIC},
		{"GIF", "GIF89a" + strings.Repeat("\x00", 40), ErrGIF},
		{"SVG", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`, ErrSVG},
		{"SVG without a declaration", "<svg/>", ErrSVG},
		{"too many pixels", string(huge), ErrLarge},
		{"nothing", "", ErrNoPicture},
		{"a page", "<!doctype html><p>x", ErrNoPicture},
		{"a page that begins like a photo", "\xff\xd8\xff<!doctype html><p>x", ErrNoPicture},
		{"a cut photo", string(encodedJPEG(quarters(400, 400))[:700]), ErrNoPicture},
	} {
		prepared, err := Prepare(t.Context(), []byte(tt.file))
		expect.Error(t, tt.name, err, tt.want)
		expect.Error(t, tt.name, err, ErrNoPicture)
		expect.Same(t, tt.name, 0, len(prepared))
	}
}

func TestStretch(t *testing.T) {
	t.Parallel()
	bright, colour := []byte{0, 16, 126, 235, 255}, []byte{0, 16, 128, 240, 255}
	stretch(bright, 16, 219, 0)
	stretch(colour, 128, 224, 128)
	want := []byte{0, 0, 128, 255, 255}
	expect.Same(t, "brightness and colours", [][]byte{want, want}, [][]byte{bright, colour})
}

// Variants are made while uploads wait.
func TestPrepareEndsWithItsRequest(t *testing.T) { // not parallel: it holds the queue
	file := encodedJPEG(quarters(500, 400))
	uploading <- struct{}{}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- expect.ErrorOf(Prepare(ctx, file)) }()
	variants := expect.Value(Variants(photo("image/jpeg", 500, 400), ""))(t)
	expect.Same(t, "variants while an upload is decoded", 1, len(variants))
	leave()
	expect.Error(t, "a client that left the queue", <-ended, context.Canceled)
	<-uploading
	_, err := untilDone{ctx, bytes.NewReader(file)}.Read(make([]byte, 1))
	expect.Error(t, "decoding", err, context.Canceled)
}

// The steps of decoding a JPEG are its scans times its pixels.
func FuzzPrepare(f *testing.F) {
	f.Add(withExif(encodedJPEG(quarters(8, 8)), 6))
	f.Add(encodedPNG(quarters(8, 8)))
	adobe := testdata(f, "adobe.jpg")
	f.Add(adobe)
	frame := bytes.Index(adobe, []byte{0xff, 0xc0})
	large := slices.Concat(adobe[:frame+5], []byte{12, 0, 16, 0}, adobe[frame+9:]) // 3072 × 4096
	f.Add(slices.Concat(large, bytes.Repeat([]byte{0xff, 0xda, 0, 2}, 2500)))
	f.Fuzz(func(t *testing.T, file []byte) {
		given, _, _ := image.DecodeConfig(bytes.NewReader(file))
		pixels := uint64(given.Width) * uint64(given.Height)
		var prepared []byte
		var err error
		const fixed, each, most = 1 << 20, 64, 400 << 20 // bytes: in any case, for a pixel or a byte, and in all
		got := allocated(func() { prepared, err = Prepare(t.Context(), file) })
		if got > min(fixed+each*(pixels+uint64(len(file))), most) {
			t.Errorf("%d bytes, %d pixels: %d bytes of memory", len(file), pixels, got)
		}
		scans := uint64(bytes.Count(file, []byte{0xff, 0xda}))
		if _, _, err := content.ImageSize("image/jpeg", file); err == nil && scans*pixels > 200_000_000 {
			t.Errorf("%d scans of %d pixels are decoded", scans, pixels)
		}
		if err != nil {
			return
		}
		expect.Lacks(t, "what is prepared", prepared, "Exif")
		config, format, err := image.DecodeConfig(bytes.NewReader(prepared))
		if err != nil || format != "png" && format != "jpeg" || max(config.Width, config.Height) > longestSide {
			t.Errorf("a %s of %d × %d, %v", format, config.Width, config.Height, err)
		}
	})
}
