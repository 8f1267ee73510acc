package content

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"frontdesk/internal/expect"
)

// avif is the beginning of an AVIF file: its type, and an ispe property with a size.
func avif(width, height uint32) []byte {
	file := append(binary.BigEndian.AppendUint32(nil, 24), "ftypavif\x00\x00\x00\x00avifmif1"...)
	file = append(binary.BigEndian.AppendUint32(file, 20), "ispe\x00\x00\x00\x00"...)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(file, width), height)
}

func TestDimensions(t *testing.T) {
	t.Parallel()
	lossy := expect.Value(base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="))(t)
	wide := slices.Clone(lossy)
	binary.LittleEndian.PutUint16(wide[26:], 1200) // the size in the VP8 frame header (RFC 6386 9.1)
	binary.LittleEndian.PutUint16(wide[28:], 630)
	for _, tt := range []struct {
		mediaType     string
		data          []byte
		width, height int
		fault         string
	}{
		{"image/png", []byte(picture(t, 7, 5)), 7, 5, ""},
		{"image/webp", lossy, 1, 1, ""},
		{"image/webp", wide, 1200, 630, ""},
		{"image/webp", lossy[:20], 0, 0, "damaged"},
		{"image/avif", avif(1600, 900), 1600, 900, ""},
		{"image/avif", avif(1600, 900)[:40], 0, 0, "does not say how large"},
		{"image/avif", avif(1600, 900)[:24], 0, 0, "does not say how large"},
		{"image/avif", []byte(picture(t, 7, 5)), 0, 0, "not an AVIF file"},
		{"image/svg+xml", []byte(strings.Replace(svgBegin, "1 1", "40 30", 1) + "/>"), 40, 30, ""},
	} {
		width, height, _, err := dimensions(tt.mediaType, tt.data)
		what := fmt.Sprint(tt.mediaType, " of ", len(tt.data))
		expect.Says(t, what, err, tt.fault)
		expect.Same(t, what, [2]int{tt.width, tt.height}, [2]int{width, height})
	}
}

func pngHeader(width, height uint32, bits, interlace byte) string {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	header = append(header, bits, 6, 0, 0, interlace)
	return "\x89PNG\r\n\x1a\n\x00\x00\x00\r" + string(binary.BigEndian.AppendUint32(header, crc32.ChecksumIEEE(header)))
}

// jpegHeader is a JPEG without its pixels: 0xc0 begins a baseline one, 0xc2 a progressive
// one. The first component has these sampling factors, the others 0x11.
func jpegHeader(frame, factors byte, width, height uint16, components byte) string {
	header := []byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, frame, 0, 8 + 3*components, 8}
	header = append(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(header, height), width), components)
	for i := range components {
		header = append(header, i+1, factors, 0)
		factors = 0x11
	}
	return string(append(header, 0xff, 0xda, 0, 2)) // the header of the first scan
}

// Memory bounds an image, not the length of a side.
func TestImagesWithinMemory(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, data, want string }{
		{"a long screenshot", "a.png", pngHeader(1700, 9000, 8, 0), ""},
		{"a photo of 48 megapixels", "a.jpg", jpegHeader(0xc0, 0x22, 8000, 6000, 3), ""},
		{"a progressive photo of 12 megapixels", "a.jpg", jpegHeader(0xc2, 0x22, 4000, 3000, 3), ""},
		{"a scan of 600 dpi", "a.png", pngHeader(4960, 7016, 8, 0), "a.png: the image takes too much memory or time to decode: 4960 × 7016 (make it at most 4217 × 5966)"},
		{"a scan of 16 bits", "a.png", pngHeader(4960, 7016, 16, 0), "at most 2982 × 4218"},
		{"an interlaced scan", "a.png", pngHeader(4960, 7016, 8, 1), "at most 3443 × 4871"},
		{"a progressive photo of 48 megapixels", "a.jpg", jpegHeader(0xc2, 0x22, 8000, 6000, 3), "at most 4230 × 3172"},
		{"a progressive photo of full colour", "a.jpg", jpegHeader(0xc2, 0x11, 4000, 3000, 3), "at most 2991 × 2243"},
		{"a photo for print", "a.jpg", jpegHeader(0xc0, 0x11, 8000, 6000, 4), "at most 4096 × 3072"},
		{"a photo of 2,500 scans", "a.jpg", jpegHeader(0xc2, 0x22, 4000, 3000, 3) + strings.Repeat("\xff\xda\x00\x02", 2499),
			"a.jpg: the image takes too much memory or time to decode: 4000 × 3000 in 2500 scans (save it again as a plain JPEG)"},
		{"a progressive photo of a camera", "a.jpg", jpegHeader(0xc2, 0x22, 4000, 3000, 3) + strings.Repeat("\xff\xda\x00\x02", 11), ""},
		{"a line", "a.png", pngHeader(1<<30, 1, 8, 0), "at most 164382474 × 1"},
		{"an SVG as large as a country", "a.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="1e12" height="1e12"/>`, "at most 10033 × 10033"},
	} {
		expect.Says(t, tt.name, expect.ErrorOf(Load(files{"assets/" + tt.file: tt.data})), tt.want)
	}
}

const svgBegin = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"`

func TestSVGIsHarmless(t *testing.T) {
	t.Parallel()
	const runsCode, leadsElsewhere = " is not accepted: it could run code", " is not accepted: it could lead elsewhere"
	svg := func(inner string) error {
		_, _, err := svgSize([]byte(`<?xml version="1.0"?>` + svgBegin + ">" + inner + "</svg>"))
		return err
	}
	for _, tt := range []struct{ inner, fault string }{
		{`<style>.a{fill:url(#b)} .c{fill:url('#d');src:url(data:font/woff2;base64,AA)}</style><text>@import</text>`, ""},
		{`<animate attributeName="x" values="0;1"/><path fill="url(#a)"/>`, ""},
		{`<script>alert(1)</script>`, "an SVG with <script>" + runsCode},
		{`<g onload="x()"/>`, "an SVG with onload=…" + runsCode},
		{`<?xml-stylesheet href="https://x.example/a.css"?>`, "xml-stylesheet"},
		{`<animate attributeName="href" values="javascript:x()"/>`, "an SVG that animates href" + leadsElsewhere},
		{`<set attributeName="xlink:href" to="javascript:x()"/>`, "an SVG that animates xlink:href" + leadsElsewhere},
	} {
		expect.Says(t, tt.inner, svg(tt.inner), tt.fault)
	}
	for _, inner := range []string{
		`<image href="https://x.example/a.png"/>`,
		`<style>@import "https://x.example/a.css";</style>`,
		`<style>@im<![CDATA[port]]> "https://x.example";</style>`,
		`<style>@\69mport "https://x.example/a.css";</style>`,
		`<style>.a{fill:URL( "https://x.example/a")}</style>`,
		`<g style="background:image-set('https://x.example' 1x)"/>`,
		`<g style="fill:url(#a);mask:url(https://x.example/a)"/>`,
	} {
		expect.Says(t, inner, svg(inner), loadsElsewhere)
	}
	for svg, fault := range map[string]string{
		svgBegin + ` onload="x()"/>`:                                          "an SVG with onload=…" + runsCode,
		`<?xml-stylesheet href="https://x.example/a.css"?>` + svgBegin + "/>": "xml-stylesheet",
	} {
		_, _, err := svgSize([]byte(svg))
		expect.Says(t, svg, err, fault)
	}
}

// On these texts the parser of Markdown takes minutes.
func TestCostlyMarkdown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"many links", strings.Repeat("[a](/faq)\n\n", 5000), ""},
		{"a ruler", strings.Repeat("-", 200), ""},
		{"half links", "Begin.\n\n" + strings.Repeat("[a](", 3000), "pages/a.md:5: more than 1000 links or brackets without an empty line between them"},
		{"half links in lines", strings.Repeat("[a](\n", 3000), "pages/a.md:1003: more than 1000 links"},
		{"a large table", "|a|b|\n" + strings.Repeat("|-", 200) + "\n" + strings.Repeat("|\n", 200), "pages/a.md:104: the tables of the page have more than 20000 cells (make several pages of it)"},
		{"a table in a quote", "> |a|\n> " + strings.Repeat("|-", 200) + "\n" + strings.Repeat("> |\n", 200), "more than 20000 cells"},
		{"a table with lines of no-break spaces", strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|\n\u00a0\n", 2000), "more than 20000 cells"},
		{"brackets", strings.Repeat("[", 3000) + strings.Repeat("]", 3000), "pages/a.md:3: more than 1000 links"},
		{"definitions of links", strings.Repeat("[a]: b\n", 3000), "pages/a.md:1003: more than 1000 links"},
		{"indented lists", strings.Repeat(" ", 300) + "- " + strings.Repeat(" ", 300) + "- a", "pages/a.md:3: more than 400 spaces and list marks before the text of the line (indent the line less)"},
		{"a price list", "|a|b|\n|-|-|\n" + strings.Repeat("|**a**|b|\n", 900), ""},
		{"half emphasis", strings.Repeat("a**b", 3000), "pages/a.md:3: more than 2000 marks of emphasis (*, _, ~) without an empty line between them (put an empty line"},
		{"half emphasis in lines", strings.Repeat("c* \n", 3000), "pages/a.md:2003: more than 2000 marks"},
		{"much emphasis", strings.Repeat("*a* and __b__\n\n", 5000), ""},
		{"a book", strings.Repeat("word \n\n", 80_000), "pages/a.md: the page has more than 512 kB (make several pages of it)"},
		{"deep quotes", strings.Repeat("> ", 3000), "pages/a.md:3: the line begins with more than 200 marks of quotes and lists"},
		{"deep lists", strings.Repeat("- 1. ", 3000) + "a", "pages/a.md:3: the line begins with more than 200 marks"},
	} {
		expect.Says(t, tt.name, expect.ErrorOf(Load(files{"pages/a.md": "# A\n\n" + tt.text})), tt.want)
	}
}

// The steps for a block grow with the square of its links and of its emphasis.
func FuzzMarkdownCost(f *testing.F) {
	for _, text := range []string{"|a|b|\n|-|-|\n|c|d|\n", "> - *a* [b](c)\n", "**a _b_** ~~c~~", "```\na\n```", "1. a\n   - b", "|a|\n|-|\n\u00a0\n", "[a]: b\n", "[[]]", "[a](", "c* "} {
		f.Add(text, 1)
		f.Add(text, 50)
		f.Add(text, 3000)
	}
	f.Add("|a|b|\n"+strings.Repeat("|-", 500)+"\n"+strings.Repeat("|\n", 1000), 1)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(1, times), 100_000/(len(text)+1)))
		s := source{loader: &loader{}}
		if s.costly(text, 0) {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		expect.OK(t, markdown.Convert([]byte(text), io.Discard))
		runtime.ReadMemStats(&after)
		const each, cell = 4096, 2048 // bytes for a byte of text, and for a cell of a table
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(each*len(text)+cell*maxCells) {
			t.Errorf("%d bytes of Markdown take %d bytes of memory", len(text), got)
		}
		_ = ast.Walk(markdown.Parser().Parse(gmtext.NewReader([]byte(text))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && n.Type() == ast.TypeBlock && !n.IsRaw() {
				block := n.Lines().Value([]byte(text))
				links, marks := bytes.Count(block, []byte("[")), len(emphasis.FindAll(block, -1))
				if links > maxLinksTogether || marks > maxEmphasisTogether {
					t.Errorf("a block with %d links and %d marks of emphasis is parsed", links, marks)
				}
			}
			return ast.WalkContinue, nil
		})
	})
}
