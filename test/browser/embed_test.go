package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// hostile is a style sheet that disfigures everything it reaches. It leaves the page itself
// in its place, because nothing in a page that is turned can stand upright.
const hostile = `html { font-size: 40px } :root { --accent: red; --card: red }
* { all: unset !important; display: none !important; font: 60px/3 cursive !important; color: red !important; background: red !important; transform: rotate(9deg) !important; letter-spacing: 1em !important; direction: rtl !important; --accent: red !important }
html, body { display: block !important; transform: none !important }`

// shop is a business's own site, which has the desk on its pages.
type shop struct {
	desk string // the address of the desk
	*httptest.Server
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	script := `<script src="` + s.desk + `/embed.js" async></script>`
	language, style, body := "en", "", script
	switch r.URL.Path {
	case "/strict": // the lines of docs/embed.md, and nothing else
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; script-src %[1]s; connect-src %[1]s; require-trusted-types-for 'script'", s.desk))
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
	case "/hostile":
		style = "<style>" + hostile + "</style>"
	case "/twice":
		language, body = "de-AT", script+strings.Repeat(`<frontdesk-ask><a href="`+s.desk+`/ask">Fragen</a></frontdesk-ask>`, 2)+script
	case "/favicon.ico":
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang=%q><title>Shop</title><meta name="viewport" content="width=device-width">%s<main><h1>Shop</h1><a href="/">Home</a>%s</main></html>`, language, style, body)
}

func inside(n int, selector string) chromedp.JSPath {
	return chromedp.JSPath(fmt.Sprintf(`document.querySelectorAll("frontdesk-ask")[%d].shadowRoot.querySelector(%q)`, n, selector))
}

// focused waits until an element of the desk that floats has the focus. chromedp.Poll
// would need eval, which a strict policy refuses.
func focused(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for {
			has, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`!!document.querySelector("frontdesk-ask").shadowRoot.activeElement?.matches(%q)`, selector)))
			if has || err != nil {
				return err
			}
		}
	})
}

func asked(d *harness.Desk) (paths []string) {
	for line := range strings.Lines(d.Log.String()) {
		if _, rest, ok := strings.Cut(line, `"path":"`); ok {
			path, _, _ := strings.Cut(rest, `"`)
			paths = append(paths, path)
		}
	}
	return paths
}

// TestInsideAnotherSite uses the desk on pages of another origin.
func TestInsideAnotherSite(t *testing.T) {
	t.Parallel()
	host := &shop{}
	host.Server = httptest.NewServer(host)
	t.Cleanup(host.Close)
	d := harness.Start(t, func(s *config.Settings) {
		harness.OwnAddress(s)
		s.Origins = []string{host.URL}
	})
	host.desk = d.BaseURL()
	b := startBrowser(t)

	t.Run("by keyboard, with a strict policy", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		do(t, ctx, chromedp.Navigate(host.URL+"/strict"), chromedp.WaitVisible(inside(0, ".open")))
		expect.Same(t, "requests before a click", []string{"/embed.js"}, asked(d))
		look(t, ctx, t.Name()+" closed")
		do(t, ctx, chromedp.KeyEvent("\t\t"), focused(".open"), chromedp.KeyEvent("\r"), focused("[name=q]"),
			chromedp.KeyEvent("who is it for\r"), chromedp.WaitVisible(inside(0, ".answer .text")))
		got := evaluate[string](t, ctx, string(inside(0, ".answer .text"))+".textContent")
		expect.Same(t, "the answer", d.Ask(t, "Who is it for?").Answer, got)
		look(t, ctx, t.Name()+" answer")
		do(t, ctx, chromedp.KeyEvent("\x1b"), focused(".open"), chromedp.KeyEvent("\r"), focused("[name=q]"),
			chromedp.SendKeys(inside(0, "[name=q]"), "How much is it and do you offer refunds?\r"), chromedp.WaitVisible(inside(0, "details")),
			chromedp.SendKeys(inside(0, "summary"), "\r"), chromedp.WaitVisible(inside(0, "details .text")))
		look(t, ctx, t.Name()+" candidates")
		do(t, ctx, chromedp.SendKeys(inside(0, ".foot .plain"), "\r"), focused("[name=name]"),
			chromedp.KeyEvent("Ada Lovelace\tAnalytical Engines Ltd\tada@localhost\t\t\t\r"),
			chromedp.WaitVisible(inside(0, "form:not([hidden]) .error:not(:empty)")))
		look(t, ctx, t.Name()+" faulty")
	})
	t.Run("sent once", func(t *testing.T) {
		ctx := b.tab(t, phone, true)
		do(t, ctx, scheme("dark"), chromedp.Navigate(host.URL), chromedp.Click(inside(0, ".open")), chromedp.Click(inside(0, ".foot .plain")),
			chromedp.SendKeys(inside(0, "[name=name]"), "Ada Lovelace"), chromedp.SendKeys(inside(0, "[name=business]"), "Analytical Engines Ltd"),
			chromedp.SendKeys(inside(0, "[name=message]"), "Hello there,\nümlaut <b>"), chromedp.SendKeys(inside(0, "[name=email]"), "ada@example.com\r"),
			focused("h3"), chromedp.WaitVisible(inside(0, "dl")))
		look(t, ctx, t.Name()+" preview")
		previewed := evaluate[string](t, ctx, string(inside(0, "dd.text"))+".textContent")
		expect.Same(t, "mails sent by a preview", 0, len(d.Mail.Messages()))
		do(t, ctx, chromedp.DoubleClick(inside(0, "form:not([hidden]) dl ~ .row button")), chromedp.WaitVisible(inside(0, "small")))
		look(t, ctx, t.Name()+" sent")
		d.Inquiries(t, 1)
		_, text := d.Mail.Wait(1)[0].Read(t)
		expect.Same(t, "the mail", strings.TrimSpace(previewed), strings.TrimSpace(text))
		expect.Same(t, "mails sent by a double click", 1, len(d.Mail.Messages()))
		expect.Same(t, "cookies", "", evaluate[string](t, ctx, `document.cookie`))
	})
	t.Run("hostile style", func(t *testing.T) {
		ctx := b.tab(t, 320, true)
		const looks = `JSON.stringify([...document.querySelector("frontdesk-ask").shadowRoot.querySelectorAll("*")].map((e) => {
			const { display, position, color, backgroundColor, font, letterSpacing, transform, direction } = getComputedStyle(e);
			return [e.localName, e.getBoundingClientRect(), display, position, color, backgroundColor, font, letterSpacing, transform, direction];
		}))`
		var seen []string
		for _, path := range []string{"/", "/hostile"} {
			do(t, ctx, chromedp.Navigate(host.URL+path), chromedp.Click(inside(0, ".open")), focused("[name=q]"))
			seen = append(seen, evaluate[string](t, ctx, looks))
			if got := evaluate[int](t, ctx, string(inside(0, "dialog"))+".scrollWidth"); got > 320 {
				t.Errorf("%s: the desk is %d pixels wide on a screen of 320", path, got)
			}
		}
		expect.Same(t, "the desk among hostile styles", seen[0], seen[1])
	})
	t.Run("twice on a page", func(t *testing.T) {
		ctx := b.tab(t, 768, true)
		do(t, ctx, chromedp.Navigate(host.URL+"/twice"), chromedp.SendKeys(inside(1, "[name=q]"), "Weather in Paris?\r"),
			chromedp.WaitVisible(inside(1, ".answer")))
		look(t, ctx, t.Name())
		expect.Same(t, "desks, and those with an answer", []int{2, 1}, evaluate[[]int](t, ctx, `(() => {
			const desks = [...document.querySelectorAll("frontdesk-ask")];
			return [desks.length, desks.filter((e) => e.shadowRoot.querySelector(".answer")).length];
		})()`))
		expect.Same(t, "the button", "Fragen", evaluate[string](t, ctx, string(inside(1, "form button"))+".textContent"))
	})
	t.Run("origin that is not served", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		stranger := strings.Replace(host.URL, "127.0.0.1", "localhost", 1)
		do(t, ctx, chromedp.Navigate(stranger+"/twice"), chromedp.WaitVisible(chromedp.CSS("frontdesk-ask a")))
		expect.Same(t, "desks", 0, evaluate[int](t, ctx, `document.querySelectorAll("frontdesk-ask:defined").length`))
		do(t, ctx, chromedp.Navigate(stranger))
		expect.Same(t, "buttons", 0, evaluate[int](t, ctx, `document.querySelectorAll("frontdesk-ask").length`))
		expect.Same(t, "the service", "refuses", evaluate[string](t, ctx, `fetch("`+d.BaseURL()+`/v1/ask", {method: "POST", body: '{"q":"Who is it for?"}'}).then(() => "answers", () => "refuses")`))
	})
}
