package site

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
)

const (
	maxEmbed = 8600
	maxStyle = 9000
)

func embedOf(s *Site) []byte {
	s.Origins = []string{base, "https://www.shop.example", "https://shop.example"}
	return s.Embed()
}

func TestEmbedIsSmall(t *testing.T) {
	t.Parallel()
	for _, sample := range content.SampleNames() {
		for _, tone := range []string{"", i18n.Formal, i18n.Informal} {
			loaded := load(t, sample)
			loaded.Tone, loaded.Images, loaded.Brand.Logo = tone, nil, nil // the script shows no picture
			size := compressed(t, embedOf(siteOf(t, loaded)))
			expect.AtMost(t, sample+" "+tone+": bytes of embed.js, compressed", maxEmbed, size)
		}
	}
}

func compressed(t *testing.T, file []byte) int {
	t.Helper()
	var packed bytes.Buffer
	writer := expect.Value(gzip.NewWriterLevel(&packed, gzip.BestCompression))(t)
	expect.Value(writer.Write(file))(t)
	expect.OK(t, writer.Close())
	return packed.Len()
}

func TestStyleIsSmall(t *testing.T) {
	t.Parallel()
	s := siteOf(t, load(t, "bakery"))
	for _, asset := range s.Assets() {
		if asset.Path == s.assets.style {
			expect.AtMost(t, "bytes of the style sheet, compressed", maxStyle, compressed(t, asset.Bytes))
		}
	}
}

func TestEmbedHasWhatItShows(t *testing.T) {
	t.Parallel()
	script := string(embedOf(sampleSite(t, func(c *content.Content) { c.AskBusiness = false })))
	for _, language := range i18n.Languages() {
		for _, key := range []string{"ask.home", "problem.wait.text", "preview.text"} {
			expect.Holds(t, language, script, i18n.For(language).Format(key))
		}
	}
	expect.Holds(t, "the script", script, `"https://shop.example"`, `"business":"-"`, "section{color-scheme:light dark;", "--accent:",
		`dir: "auto"`)
	expect.Lacks(t, "the script", strings.ReplaceAll(script, "https://", ""), "innerHTML", "cookie", "Storage", "//",
		":root")
	script = string(embedOf(sampleSite(t, func(c *content.Content) {
		c.SiteLanguages, c.FAQ.Entries = []string{"tr", "en"}, []content.Entry{{Question: "Ne?"}, {Question: "What?", Lang: "en"}}
	})))
	expect.Holds(t, "the English words", script, `["What?"],"That`)
}
