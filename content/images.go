package content

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // for their dimensions
	_ "image/png"
	"io"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/bep/imagemeta"
	_ "golang.org/x/image/webp" // for its dimensions
)

// Bounds of an image.
const (
	maxImage   = 4 << 20  // bytes of the file
	maxDecoded = 96 << 20 // bytes of memory while a photo is decoded
	// maxScanned is how many pixels the scans of a JPEG have together. A camera writes at most a dozen
	// scans; a decoder visits every pixel again in each.
	maxScanned = 200_000_000
)

// Image is an owner's image.
type Image struct {
	Name          string // in the folder assets, such as "shop.jpg"
	Type          string // its media type
	Width, Height int    // pixels; of an SVG the size that it declares
	Data          []byte
}

// PrefixAssets begins the path of every asset of the site.
const PrefixAssets = "/" + AssetsFolder + "/"

// RouteAsset is the route of the assets.
const RouteAsset = PrefixAssets + "{file}"

// hashLength is how many hexadecimal digits of a SHA-256 name an asset.
const hashLength = 12

// AssetPath returns the path under which the site publishes a file. It holds a hash of the
// bytes, so that the file may be cached for ever.
func AssetPath(name string, data []byte) string {
	ending := path.Ext(name)
	return PrefixAssets + strings.TrimSuffix(name, ending) + "." + sha256Of(data)[:hashLength] + ending
}

// Path returns the path under which the site publishes the image.
func (i *Image) Path() string { return AssetPath(i.Name, i.Data) }

// IsPhoto reports whether smaller variants of the image can be made.
func (i *Image) IsPhoto() bool { return i.Type == "image/jpeg" || i.Type == "image/png" }

// imageTypes are the media types of images by the ending of their names.
var imageTypes = map[string]string{
	".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp",
	".avif": "image/avif", ".svg": "image/svg+xml",
}

// imageName matches names that need no escaping in an address.
var imageName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// images reads the folder of images, if there is one.
func (l *loader) images() {
	if !l.has(AssetsFolder) {
		return
	}
	for _, entry := range l.list(AssetsFolder) {
		l.source(path.Join(AssetsFolder, entry.Name())).readImage()
	}
}

func (s *source) readImage() {
	name := path.Base(s.name)
	mediaType := imageTypes[strings.ToLower(path.Ext(name))]
	switch {
	case mediaType == "":
		s.faultAt(0, "JPEG, PNG, WebP, AVIF or SVG", "this is not an image for the web").as("content.picture")
		return
	case !imageName.MatchString(name):
		s.faultAt(0, "it becomes an address: only letters without accents, digits, point, hyphen and underscore",
			"the name is not valid").as("content.name")
		return
	}
	data, ok := s.bytes(maxImage, "the image", "make it smaller: 2000 pixels of width are enough for any page",
		"content.picture")
	if !ok {
		return
	}
	width, height, err := ImageSize(mediaType, data)
	if err != nil {
		s.faultAt(0, "", "%s", err).as("content.picture")
		return
	}
	s.content.Images = append(s.content.Images,
		Image{Name: name, Type: mediaType, Width: width, Height: height, Data: data})
}

// ErrTooManyPixels is the error for an image that takes too much memory or time to be decoded.
var ErrTooManyPixels = errors.New("the image takes too much memory or time to decode")

// PhotoFormats are the formats of photos by their media types. Browsers turn them upright by their metadata.
var PhotoFormats = map[string]imagemeta.ImageFormat{
	"image/jpeg": imagemeta.JPEG, "image/png": imagemeta.PNG, "image/webp": imagemeta.WebP,
}

// Orientation returns how the camera was held, from 1 to 8 (Exif 3.0, tag 0x0112). It is 1,
// upright, where the file does not say.
func Orientation(mediaType string, file []byte) int {
	found := 1
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(file), ImageFormat: PhotoFormats[mediaType], Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Tag == "Orientation" && tag.Namespace == "IFD0" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if value, ok := tag.Value.(uint16); ok && value >= 1 && value <= 8 {
				found = int(value)
			}
			return nil
		},
	}) // damaged metadata says nothing
	return found
}

// ImageSize returns the size in pixels of an image that is turned upright. It fails if the image is damaged, and with
// ErrTooManyPixels if decoding would take too much memory or time.
func ImageSize(mediaType string, data []byte) (width, height int, err error) {
	width, height, perPixel, err := dimensions(mediaType, data)
	if err != nil {
		return 0, 0, fmt.Errorf("the image cannot be used: %w", err)
	}
	if Orientation(mediaType, data) > 4 { // on its side
		width, height = height, width
	}
	scans := 0
	if mediaType == "image/jpeg" { // an upper bound: a preview in the metadata may contain the marker too
		scans = bytes.Count(data, []byte{0xff, 0xda})
	}
	// share is the factor by which each side must shrink to fit.
	share := math.Sqrt(maxDecoded / (float64(width) * float64(height) * perPixel))
	switch {
	case share < 1:
		err = fmt.Errorf("%w: %d × %d (make it at most %d × %d)", ErrTooManyPixels, width, height,
			max(1, int(share*float64(width))), max(1, int(share*float64(height))))
	case scans > maxScanned/max(1, width*height):
		err = fmt.Errorf("%w: %d × %d in %d scans (save it again as a plain JPEG)", ErrTooManyPixels, width, height, scans)
	}
	return width, height, err
}

// dimensions returns the size of an image in pixels, and how many bytes of memory each
// pixel takes while the image is decoded. The type comes from the name of the file.
func dimensions(mediaType string, data []byte) (width, height int, perPixel float64, err error) {
	switch mediaType {
	case "image/svg+xml":
		width, height, err = svgSize(data)
		return width, height, 1, err
	case "image/avif":
		width, height, err = avifSize(data)
		return width, height, 4, err
	}
	const interlaced = 28 // the byte of a PNG that says whether it is
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	perPixel = 4
	switch model := config.ColorModel; {
	case err != nil:
		err = errors.New("it is damaged, or its name has the ending of another type")
	case "image/"+format != mediaType:
		err = fmt.Errorf("it is a file of the type %s: rename it", format)
	case format == "jpeg":
		perPixel = jpegBytes(data)
	case model == color.RGBA64Model, model == color.NRGBA64Model:
		perPixel = 8
	case format == "png" && data[interlaced] != 0:
		perPixel = 6
	}
	return config.Width, config.Height, perPixel, err
}

// jpegBytes returns how many bytes each pixel of a JPEG takes: one for each sample of its
// colours, and of a progressive one four more for each coefficient until the last scan.
func jpegBytes(data []byte) float64 {
	const unknown = 15 // a progressive one with three samples for each pixel
	for at := 2; at+10 < len(data) && data[at] == 0xff; {
		marker := data[at+1]
		switch {
		case marker == 0xff: // fills
			at++
			continue
		case marker < 0xc0 || marker > 0xc2: // no frame that the standard library decodes
			at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
			continue
		}
		samples, largest := 0, 1
		for i := range int(data[at+9]) {
			if at+11+3*i >= len(data) {
				return unknown
			}
			factors := data[at+11+3*i]
			area := int(factors>>4) * int(factors&15)
			samples, largest = samples+area, max(largest, area)
		}
		perPixel := float64(samples) / float64(largest)
		if marker == 0xc2 {
			perPixel *= 5
		}
		if data[at+9] == 4 { // is converted
			perPixel += 4
		}
		return perPixel
	}
	return unknown
}

// avifSize reads the first ispe property, which belongs to the main image.
func avifSize(data []byte) (width, height int, err error) {
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return 0, 0, errors.New("it is not an AVIF file")
	}
	at := bytes.Index(data, []byte("ispe"))
	if at < 0 || len(data) < at+16 {
		return 0, 0, errors.New("the AVIF file does not say how large it is")
	}
	return int(binary.BigEndian.Uint32(data[at+8:])), int(binary.BigEndian.Uint32(data[at+12:])), nil
}

// svgSize reads the size of an SVG and refuses one that could run a script or load
// anything from elsewhere.
func svgSize(data []byte) (width, height int, err error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	var style strings.Builder // of the elements of that name
	for root, inStyle := true, false; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && !root {
			break
		}
		if err != nil {
			return 0, 0, errors.New("it is not a well-formed SVG")
		}
		switch token := token.(type) {
		case xml.Directive:
			return 0, 0, errors.New("an SVG with a document type is not accepted")
		case xml.ProcInst:
			if token.Target != "xml" {
				return 0, 0, errors.New("an SVG with <?" + token.Target +
					"?> is not accepted: it could load something from elsewhere")
			}
		case xml.CharData:
			if inStyle {
				style.Write(token)
			}
		case xml.EndElement:
			inStyle = false
		case xml.StartElement:
			if root {
				width, height = svgBox(token)
			}
			if reason := dangerous(token); reason != "" {
				return 0, 0, errors.New(reason)
			} else if root && token.Name.Local != "svg" {
				return 0, 0, errors.New("it is not an SVG")
			}
			root, inStyle = false, strings.EqualFold(token.Name.Local, "style")
		}
	}
	switch {
	case hasExternalReference(style.String()):
		return 0, 0, errors.New(loadsElsewhere)
	case width <= 0 || height <= 0:
		return 0, 0, errors.New("the SVG has neither width and height nor a viewBox")
	}
	return width, height, nil
}

const loadsElsewhere = "an SVG that loads something from elsewhere is not accepted"

// Parts of a style sheet: those that it brings along, and those that load anything. A
// backslash could hide one.
var (
	bringsAlong = regexp.MustCompile(`(?i)url\(\s*["']?(#|data:)`)
	loads       = regexp.MustCompile(`(?i)@import|url\(|image-set\(|\\`)
)

// hasExternalReference reports whether a style sheet or an attribute could load something from
// elsewhere.
func hasExternalReference(style string) bool {
	return loads.MatchString(bringsAlong.ReplaceAllString(style, ""))
}

// dangerous says why an element of an SVG is refused, or returns "".
func dangerous(element xml.StartElement) string {
	switch strings.ToLower(element.Name.Local) {
	case "script", "foreignobject", "iframe", "handler":
		return "an SVG with <" + element.Name.Local + "> is not accepted: it could run code"
	}
	for _, attribute := range element.Attr {
		name, value := strings.ToLower(attribute.Name.Local), strings.ToLower(strings.TrimSpace(attribute.Value))
		switch {
		case strings.HasPrefix(name, "on"):
			return "an SVG with " + attribute.Name.Local + "=… is not accepted: it could run code"
		case name == "attributename" && (strings.HasSuffix(value, "href") || strings.HasPrefix(value, "on")):
			return "an SVG that animates " + attribute.Value + " is not accepted: it could lead elsewhere"
		case name == "href" && !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/"),
			(name == "style" || strings.Contains(value, "url(")) && hasExternalReference(value):
			return loadsElsewhere
		}
	}
	return ""
}

// svgBox returns the size of the root element in whole pixels.
func svgBox(root xml.StartElement) (width, height int) {
	size := func(text string) int {
		value, err := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
		if err != nil { // such as 1e400, of which an infinite value is returned
			return 0
		}
		return int(value + 0.5)
	}
	attributes := map[string]string{}
	for _, attribute := range root.Attr {
		attributes[attribute.Name.Local] = attribute.Value
	}
	width, height = size(attributes["width"]), size(attributes["height"])
	box := strings.Fields(strings.ReplaceAll(attributes["viewBox"], ",", " "))
	if (width <= 0 || height <= 0) && len(box) == 4 {
		return size(box[2]), size(box[3])
	}
	return width, height
}
