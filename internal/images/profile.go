package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"io"
	"math"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
)

// Published pictures carry no colour profile, so their colours must be sRGB. Cameras and phones also write pictures
// with another profile, such as Display P3 or Adobe RGB: three primaries and three curves (ICC.1:2022, annex F.3).

// maxProfile is the largest profile that is read, in bytes; usual ones have a few hundred to a few thousand.
const maxProfile = 64 << 10

// profileOf returns the colour profile in the file of a picture; nil if there is none.
func profileOf(file []byte) (profile []byte) {
	switch {
	case bytes.HasPrefix(file, []byte{0xff, 0xd8}): // JPEG
		_, profile, _ = bytes.Cut(file, []byte("ICC_PROFILE\x00\x01\x01")) // the first part of one
	case bytes.HasPrefix(file, []byte("RIFF")): // WebP
		_, profile, _ = bytes.Cut(file, []byte("ICCP"))
		profile = profile[min(4, len(profile)):] // after its length
	default: // PNG
		_, packed, _ := bytes.Cut(file, []byte("iCCP"))
		_, packed, _ = bytes.Cut(packed, []byte{0, 0}) // after its name and the method
		if reader, err := zlib.NewReader(bytes.NewReader(packed)); err == nil {
			profile, _ = io.ReadAll(io.LimitReader(reader, maxProfile))
		}
	}
	return profile[:min(len(profile), maxProfile)]
}

// gamut converts colours of a profile to sRGB.
type gamut struct {
	light  [3][256]float64 // by the values of each channel
	matrix [3][3]float64   // from this light to that of sRGB
}

// toLinear converts XYZ (white point D50), the profile's connection space, to linear sRGB.
var toLinear = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146}, {-0.9787684, 1.9161415, 0.0334540}, {0.0719453, -0.2289914, 1.4052427},
}

// readGamut reads a profile. It reports false for one of another kind, and for a damaged one.
func readGamut(profile []byte) (g gamut, ok bool) {
	const header, entry = 132, 12
	if len(profile) < header || string(profile[16:24]) != "RGB XYZ " || string(profile[36:40]) != "acsp" {
		return g, false
	}
	tags := map[string][]byte{}
	count := min(int(binary.BigEndian.Uint32(profile[header-4:])), (len(profile)-header)/entry)
	for at := header; at < header+count*entry; at += entry {
		from := uint64(binary.BigEndian.Uint32(profile[at+4:]))
		to := from + uint64(binary.BigEndian.Uint32(profile[at+8:]))
		if to > uint64(len(profile)) {
			return g, false
		}
		tags[string(profile[at:at+4])] = profile[from:to]
	}
	for channel, name := range []string{"r", "g", "b"} {
		primary := numbersOf(tags[name+"XYZ"], 8, 3)
		if primary == nil || !readCurve(tags[name+"TRC"], &g.light[channel]) {
			return g, false
		}
		for i := range toLinear {
			for j, value := range primary {
				g.matrix[i][channel] += toLinear[i][j] * value
			}
		}
	}
	return g, true
}

// numbersOf returns numbers of a tag, each of four bytes with a fraction of two; nil if it is too short.
func numbersOf(tag []byte, at, count int) (numbers []float64) {
	if len(tag) < at+4*count {
		return nil
	}
	for i := range count {
		numbers = append(numbers, float64(int32(binary.BigEndian.Uint32(tag[at+4*i:])))/(1<<16))
	}
	return numbers
}

// readCurve reads the light of the values of a channel: a power, a power with a straight beginning, or a table.
func readCurve(tag []byte, light *[256]float64) bool {
	if len(tag) < 12 {
		return false
	}
	p := []float64{1, 1, 0, 0, -1} // of (ax + b)^g from d on, and cx below: g, a, b, c and d
	var table []byte
	switch kind, count := string(tag[:4]), int(binary.BigEndian.Uint32(tag[8:])); {
	case kind == "para" && tag[9] == 0 && len(tag) >= 16:
		p[0] = numbersOf(tag, 12, 1)[0]
	case kind == "para" && tag[9] == 3 && len(tag) >= 32:
		p = numbersOf(tag, 12, 5)
	case kind != "curv" || count > (len(tag)-12)/2:
		return false
	case count == 1:
		p[0] = float64(binary.BigEndian.Uint16(tag[12:])) / (1 << 8)
	case count > 1:
		table = tag[12 : 12+2*count]
	}
	for value := range light {
		x := float64(value) / 255
		switch {
		case table != nil:
			last := len(table)/2 - 1
			at, part := math.Modf(x * float64(last))
			step := func(i int) float64 { return float64(binary.BigEndian.Uint16(table[2*min(i, last):])) / math.MaxUint16 }
			light[value] = step(int(at))*(1-part) + step(int(at)+1)*part
		case x >= p[4]:
			light[value] = math.Pow(p[1]*x+p[2], p[0])
		default:
			light[value] = p[3] * x
		}
		if !(light[value] >= 0 && light[value] <= 2) { // also refuses NaN
			return false
		}
	}
	return true
}

// channels maps linear light, in 4096 steps, to the values of sRGB channels.
var channels = sync.OnceValue(func() (values [1 << 12]uint8) {
	for i := range values {
		light := float64(i) / float64(len(values)-1)
		values[i], _, _ = colorful.LinearRgb(light, light, light).RGB255()
	}
	return values
})

// toSRGB converts picture, which was decoded from file, to sRGB. A missing or unreadable profile counts as sRGB.
func toSRGB(picture *image.RGBA, file []byte) {
	g, ok := readGamut(profileOf(file))
	if !ok {
		return
	}
	encoded := channels()
	for at := 0; at+3 < len(picture.Pix); at += 4 {
		pixel := picture.Pix[at : at+4 : at+4]
		alpha := int(pixel[3])
		if alpha == 0 {
			continue
		}
		var light [3]float64
		for channel := range light {
			light[channel] = g.light[channel][min(int(pixel[channel])*255/alpha, 255)]
		}
		for channel, row := range g.matrix {
			value := row[0]*light[0] + row[1]*light[1] + row[2]*light[2]
			value = min(max(value, 0), 1) * float64(len(encoded)-1)
			pixel[channel] = uint8(int(encoded[int(value+0.5)]) * alpha / 255)
		}
	}
}
