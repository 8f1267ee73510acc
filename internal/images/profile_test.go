package images

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	return expect.Value(os.ReadFile("testdata/" + name))(t)
}

// sixColours are those of the six fields of the test pictures, as Little CMS shows them in sRGB.
var sixColours = []color.RGBA{{200, 60, 50, 255}, {60, 160, 80, 255}, {40, 80, 190, 255}, {230, 200, 60, 255},
	{128, 128, 128, 255}, {250, 250, 250, 255}}

func hasSixColours(t *testing.T, name string, picture image.Image) {
	t.Helper()
	field := picture.Bounds().Dx() / 3
	for i, want := range sixColours {
		r, g, b, _ := picture.At(i%3*field+field/2, i/3*field+field/2).RGBA()
		differences := []int{int(r>>8) - int(want.R), int(g>>8) - int(want.G), int(b>>8) - int(want.B)}
		for channel, difference := range differences {
			if max(difference, -difference) > 4 {
				t.Errorf("%s: channel %d of colour %d is off by %d", name, channel, i, difference)
			}
		}
	}
}

// Pictures look the same without their profile. The profiles are of Compact ICC Profiles (CC0).
func TestWideColours(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"p3.png", "p3-curves.png", "p3.webp", "adobe.jpg"} {
		file := testdata(t, name)
		prepared := expect.Value(Prepare(t.Context(), file))(t)
		expect.Same(t, "profile of the prepared "+name, 0, len(profileOf(prepared)))
		hasSixColours(t, name, expect.Value(decode(bytes.NewReader(prepared)))(t))
	}
	// The fields of a test picture, with its profile, in the size of a photo.
	file := testdata(t, "p3.png")
	large := image.NewRGBA(image.Rect(0, 0, 960, 640))
	small := expect.Value(decode(bytes.NewReader(file)))(t)
	for y := range 640 {
		for x := range 960 {
			large.Set(x, y, small.At(x/10, y/10))
		}
	}
	data := expect.Value(encode(large, "image/png", 0))(t)
	const beforePixels = 33 // the signature and the first chunk
	at := bytes.Index(file, []byte("iCCP")) - 4
	end := bytes.Index(file, []byte("IDAT")) - 4
	data = bytes.Join([][]byte{data[:beforePixels], file[at:end], data[beforePixels:]}, nil)
	wide := &content.Image{Type: "image/png", Width: 960, Height: 640, Data: data}
	for _, variant := range expect.Value(Variants(wide, ""))(t) {
		hasSixColours(t, "a variant", expect.Value(decode(bytes.NewReader(variant.Data)))(t))
	}
}

func TestDamagedProfile(t *testing.T) {
	t.Parallel()
	file := testdata(t, "adobe.jpg")
	profile := profileOf(file)
	if _, ok := readGamut(profile); !ok || len(profile) < 300 {
		t.Fatalf("the profile of %d bytes cannot be read", len(profile))
	}
	for at := range profile {
		readGamut(profile[:at])
		for _, value := range []byte{0, 0xff} {
			damaged := bytes.Clone(profile)
			damaged[at] = value
			picture := image.NewRGBA(image.Rect(0, 0, 2, 1))
			picture.Pix = []byte{0, 0, 0, 0, 40, 20, 10, 100}
			toSRGB(picture, append([]byte("\xff\xd8ICC_PROFILE\x00\x01\x01"), damaged...))
			expect.Same(t, "transparent pixel", []byte{0, 0, 0, 0}, picture.Pix[:4])
			for _, channel := range picture.Pix[4:7] {
				if channel > picture.Pix[7] {
					t.Fatalf("a channel of %d is above its alpha", channel)
				}
			}
		}
	}
	for _, cut := range []string{"", "\xff\xd8", "\xff\xd8ICC_PROFILE\x00\x01\x01", "RIFFICCP", "\x89PNGiCCP\x00\x00",
		"\x89PNGiCCP"} {
		expect.Same(t, "profile of "+cut, 0, len(profileOf([]byte(cut))))
	}
}
