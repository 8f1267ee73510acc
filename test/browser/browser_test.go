package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"frontdesk/content"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

func TestInABrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) {
			t.Run("ask", func(t *testing.T) { askInABrowser(t, b, scripts) })
			t.Run("pilot request", func(t *testing.T) { contactInABrowser(t, b, scripts) })
		})
	}
	t.Run("search", func(t *testing.T) { searchInABrowser(t, b) })
	t.Run("every page", func(t *testing.T) {
		everyPageInABrowser(t, b, "", "/ /pricing /faq /developers /auth /ask /contact /privacy /terms /nowhere")
	})
	t.Run("bakery", func(t *testing.T) {
		everyPageInABrowser(t, b, "bakery",
			"/ /pricing /faq /ask /contact /anfahrt /nutzungsbedingungen /en /en/faq /en/nowhere")
	})
	t.Run("eight languages", func(t *testing.T) { everyLanguageInABrowser(t, b) })
	t.Run("long words", func(t *testing.T) { longWordsInABrowser(t, b) })
	t.Run("owner's text", func(t *testing.T) { ownersTextInABrowser(t, b) })
	t.Run("on paper", func(t *testing.T) { onPaper(t, b) })
}

func open(t *testing.T, b browser, scripts bool, path string) (*harness.Desk, tab) {
	t.Helper()
	d := harness.Start(t, harness.OwnAddress)
	ctx := b.tab(t, wide, scripts)
	do(t, ctx, visit(d.BaseURL()+path))
	return d, ctx
}

func pressed(selector string) action {
	return chromedp.Steps(script(`document.documentElement.dataset.left = ""`), typed(selector, "\r"),
		ready("html:not([data-left])"))
}

func askInABrowser(t *testing.T, b browser, scripts bool) {
	d, ctx := open(t, b, scripts, "/")
	do(t, ctx, typed("#q", "who is it for\r"), visible(".answer"))
	expect.Same(t, "the approved text", d.Ask(t, "Who is it for?").Answer, read(t, ctx, ".answer .verbatim"))
	look(t, ctx, "answer")
	do(t, ctx, pressed(".helpful button"))
	expect.Same(t, "after good feedback the page says", "We are glad it helped.", read(t, ctx, ".intro"))
	look(t, ctx, "helpful")
	do(t, ctx, visit(d.BaseURL()+"/ask"),
		typed("#q", "What is the weather in Paris?"), pressed("#q"), visible(".person .write-on button"))
	look(t, ctx, "missed")
	for range 4 { // the sixth question of the minute is refused, and feedback counts
		do(t, ctx, pressed("#q"))
	}
	expect.Holds(t, "the refusal", read(t, ctx, "#q-error"), "That was quick. Please wait ")
	look(t, ctx, "refused")
	expect.Same(t, "the question", "What is the weather in Paris?",
		evaluate[string](t, ctx, `document.querySelector("#q").value`))
	clean(t, ctx, d.BaseURL()+"/")
}

func contactInABrowser(t *testing.T, b browser, scripts bool) {
	d, ctx := open(t, b, scripts, "/contact")
	do(t, ctx, typed("#name", "Ada Lovelace"), typed("#business", "Analytical Engines Ltd"),
		typed("#email", "ada@localhost"), typed("#message", "Hello there,\nwe would like to try one service. ümlaut <b>"),
		typed("#segment", "\r"))
	expect.Holds(t, "the error", read(t, ctx, "#email-error"), "Please enter an e-mail address we can reply to")
	do(t, ctx, ready("#email:focus")) // the field that is wrong, once the first frame is drawn
	look(t, ctx, "faulty")
	expect.Holds(t, "the message", evaluate[string](t, ctx, `document.querySelector("#message").value`), "Hello there,\n")
	do(t, ctx, script(`document.querySelector("#email").value = ""`), typed("#email", "ada@example.com\r"),
		visible(".preview"))
	look(t, ctx, "preview")
	do(t, ctx, pressed(".preview button.plain"), visible("#message"), pressed("#name"), visible(".preview"))
	previewed := read(t, ctx, ".preview .text dd")
	expect.Same(t, "mails of a preview", 0, len(d.Mail.Messages()))
	do(t, ctx, typed(".preview button", "\r"), visible(".accepted"))
	expect.Holds(t, "the acceptance", read(t, ctx, ".accepted"), "ada@example.com", "inq_")
	look(t, ctx, "accepted")
	_, text := d.Mail.Wait(1)[0].Read(t)
	expect.Same(t, "the mail beside its preview", strings.TrimSpace(previewed), strings.TrimSpace(text))
	clean(t, ctx, d.BaseURL()+"/")
}

func searchInABrowser(t *testing.T, b browser) {
	d, ctx := open(t, b, true, "/faq")
	const shown = `document.querySelectorAll(".faq details:not([hidden])").length`
	all := evaluate[int](t, ctx, shown)
	do(t, ctx, typed("#q", "refund"))
	if few := evaluate[int](t, ctx, shown); few == 0 || few >= all/4 {
		t.Errorf("a search leaves %d of %d questions", few, all)
	}
	do(t, ctx, typed("#q", " zebra"), visible("#nothing"))
	clean(t, ctx, d.BaseURL()+"/")
}

func clean(t *testing.T, ctx context.Context, own string) {
	t.Helper()
	expect.Same(t, "the page loads from elsewhere", []string{}, evaluate[[]string](t, ctx, `performance.getEntries()
		.map((e) => e.name).filter((n) => n.includes("://") && !n.startsWith("`+own+`"))`))
	expect.Same(t, "the content policy refuses", []string{}, evaluate[[]string](t, ctx, `window.refused || []`))
	expect.Same(t, "the page sets the cookies", "", evaluate[string](t, ctx, `document.cookie`))
}

func startSample(t *testing.T, sample string, files map[string]string) *harness.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	expect.OK(t, expect.ErrorOf(content.Init(dir, sample)))
	for name, text := range files {
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return harness.Start(t, func(s *config.Settings) {
		harness.OwnAddress(s)
		s.Content = dir
	})
}

func everyPageInABrowser(t *testing.T, b browser, sample, pages string) {
	d, paths := startSample(t, sample, nil), strings.Fields(pages)
	seePages(t, b, d, screen{phone, "light"}, sample, paths)
	seePages(t, b, d, screen{phone, "dark"}, sample, paths)
	seePages(t, b, d, screen{wide, "dark"}, sample, paths, 768, 1920)
}

func seePages(t *testing.T, b browser, d *harness.Desk, s screen, name string, paths []string, others ...int64) {
	ctx := b.tab(t, s.width, true)
	do(t, ctx, scheme(s.colours))
	for _, path := range paths {
		do(t, ctx, visit(d.BaseURL()+path))
		look(t, ctx, fmt.Sprintf("%s-%d-%s%s", name, s.width, s.colours, path))
		for _, width := range append(others, s.width) {
			do(t, ctx, chromedp.EmulateViewport(width, 900))
			fits(t, ctx, path, width)
		}
	}
	clean(t, ctx, d.BaseURL()+"/")
}

func fits(t *testing.T, ctx tab, what string, width int64) {
	t.Helper()
	expect.AtMost(t, what+" in pixels", width, evaluate[int64](t, ctx, `document.documentElement.scrollWidth`))
}

func everyLanguageInABrowser(t *testing.T, b browser) {
	const languages = "languages: [en]"
	catalog := string(expect.Value(fs.ReadFile(content.SampleNamed("workshop"), "catalog.yaml"))(t))
	expect.Holds(t, "the catalog", catalog, languages)
	all := "languages: [" + strings.Join(i18n.Languages(), ", ") + "]"
	d := startSample(t, "workshop", map[string]string{"catalog.yaml": strings.Replace(catalog, languages, all, 1)})
	for i, language := range i18n.Languages() {
		paths := strings.Fields("/ /pricing /faq /ask /contact /nowhere")
		for n := range paths {
			if i > 0 {
				paths[n] = strings.TrimSuffix("/"+language+paths[n], "/")
			}
		}
		seePages(t, b, d, screen{320, []string{"light", "dark"}[i%2]}, language, paths)
	}
}

// No word of the owner's makes a page wider than the screen.
func longWordsInABrowser(t *testing.T, b browser) {
	const long = "Wohnungseigentumsverwaltungsgesellschaft"
	catalog := string(expect.Value(fs.ReadFile(content.SampleNamed("workshop"), "catalog.yaml"))(t))
	for _, text := range []string{"Copper Lane Cycles", "Example", "Bristol", "hello", "Punctures"} {
		catalog = strings.ReplaceAll(catalog, text, long)
	}
	d := startSample(t, "workshop", map[string]string{"catalog.yaml": catalog})
	seePages(t, b, d, screen{320, "light"}, "long", strings.Fields("/ /pricing /faq /ask /contact"),
		160, 360, 412, 768, 1280)
}

// A list item that begins with a picture has its bullet beside the top of it.
func ownersTextInABrowser(t *testing.T, b browser) {
	d := startSample(t, "bakery", map[string]string{"pages/laden.md": `![Brot](loaf.svg)

# Der [Laden](/contact)

- ![Brot](loaf.svg)

  Mehr: [Preise](/pricing).
- Zweitens
`})
	ctx := b.tab(t, 320, true)
	do(t, ctx, visit(d.BaseURL()+"/laden"))
	look(t, ctx, "page")
	expect.Same(t, "headings and links", []string{"Der Laden", "Preise"}, evaluate[[]string](t, ctx,
		`[...document.querySelectorAll("main h1, .prose a")].map((e) => e.innerText)`))
	// What is left of the item's first line is the bullet, or nothing but the paper.
	box := evaluate[map[string]int](t, ctx, `(() => {
		const { left, top } = document.querySelector(".prose li").getBoundingClientRect();
		return { left: Math.round(left + scrollX), top: Math.round(top + scrollY) };
	})()`)
	shot := expect.Value(png.Decode(bytes.NewReader(expect.Value(chromedp.Run(ctx, chromedp.FullScreenshot(100)))(t))))(t)
	colours := map[color.Color]bool{}
	for x := box["left"] - 14; x < box["left"]; x++ {
		for y := box["top"]; y < box["top"]+30; y++ {
			colours[shot.At(x, y)] = true
		}
	}
	if len(colours) < 2 {
		t.Errorf("there is no bullet beside the picture at %v", box)
	}
}

// A printed page has nothing to press, nothing that is true only for today, and every answer open.
func onPaper(t *testing.T, b browser) {
	d := startSample(t, "bakery", nil)
	ctx := b.tab(t, 718, true) // A4 without margins
	const answers = `(() => {
		const all = [...document.querySelectorAll(".faq .verbatim")];
		return [all.length, all.filter((e) => e.checkVisibility()).length];
	})()`
	for _, path := range []string{"/faq", "/", "/pricing", "/contact", "/ask", "/anfahrt", "/nowhere"} {
		do(t, ctx, scheme("light"), visit(d.BaseURL()+path))
		screen := evaluate[[]int](t, ctx, answers)
		do(t, ctx, call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
		shoot(t, ctx, "print"+path)
		expect.Same(t, path+": printed controls", []string{}, evaluate[[]string](t, ctx, `[...document.querySelectorAll(
			"button, input, textarea, form, nav, .button, .status, .more")]
			.filter((e) => e.checkVisibility()).map((e) => e.outerHTML)`))
		printed := evaluate[[]int](t, ctx, answers)
		if path == "/faq" && (screen[0] < 10 || screen[1] > 0 || printed[1] != printed[0]) {
			t.Errorf("answers and shown: %v on screen, %v on paper", screen, printed)
		}
	}
}
