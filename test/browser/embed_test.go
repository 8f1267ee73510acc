package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
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
		do(t, ctx, chromedp.DoubleClick(inside(0, "form:not([hidden]) dl ~ .row button")), chromedp.WaitVisible(inside(0, "[role=status] > small")))
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
			expect.AtMost(t, path+": the desk in pixels", 320, evaluate[int](t, ctx, string(inside(0, "dialog"))+".scrollWidth"))
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
	t.Run("navigation without a load", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		const buttons = `new Promise((done) => setTimeout(() => done([document.querySelectorAll("frontdesk-ask").length,
			document.querySelectorAll("frontdesk-ask[floating]").length])))`
		do(t, ctx, chromedp.Navigate(host.URL), chromedp.WaitVisible(inside(0, ".open")))
		for _, tt := range []struct {
			name, exchange string
			want           []int // desks, and those that float
		}{
			{"the body, as Turbo does", `document.body.replaceWith(document.createElement("body"))`, []int{1, 1}},
			{"what is in the body", `document.body.innerHTML = "<main>C</main>"`, []int{1, 1}},
			{"to a page with a desk in it", `document.querySelector("main").innerHTML = "<frontdesk-ask></frontdesk-ask>"`,
				[]int{1, 0}},
			{"to a page without one", `document.querySelector("main").innerHTML = "D"`, []int{1, 1}},
			{"the script runs again", `document.body.append(Object.assign(document.createElement("script"), {
				src: "` + host.desk + `/embed.js" }))`, []int{1, 1}},
		} {
			expect.Same(t, tt.name, tt.want, evaluate[[]int](t, ctx, `{`+tt.exchange+`}`+buttons))
		}
		do(t, ctx, chromedp.Click(inside(0, ".open")), chromedp.WaitVisible(inside(0, ".often button")))
		look(t, ctx, t.Name()+" open")
	})
	t.Run("asked most", func(t *testing.T) {
		ctx := b.tab(t, phone, true)
		do(t, ctx, chromedp.Navigate(host.URL), chromedp.Click(inside(0, ".open")))
		questions := evaluate[[]string](t, ctx, `[...`+string(inside(0, ".often"))+`.querySelectorAll("button")].map((e) => e.textContent)`)
		if len(questions) != 3 {
			t.Fatalf("it opens with %q", questions)
		}
		do(t, ctx, chromedp.Click(inside(0, ".often button:nth-of-type(2)")), chromedp.WaitVisible(inside(0, ".answer .text")))
		expect.Same(t, "the question", questions[1], evaluate[string](t, ctx, string(inside(0, ".answer h3"))+".textContent"))
		expect.Same(t, "beside the answer", "none", evaluate[string](t, ctx,
			`getComputedStyle(`+string(inside(0, ".often"))+`).display`))
		do(t, ctx, chromedp.WaitVisible(inside(0, ".answer .often button")))
		related := evaluate[[]string](t, ctx, `[...`+string(inside(0, ".answer .often"))+`.querySelectorAll("button")].map((e) => e.textContent)`)
		if len(related) != 3 || slices.Contains(related, questions[1]) {
			t.Errorf("related to %q are %q", questions[1], related)
		}
		look(t, ctx, t.Name()+" answer")
		do(t, ctx, chromedp.Evaluate[chromedp.Void](`{
			const native = fetch;
			window.feedback = 0;
			window.fetch = (address, ...rest) => { feedback += /feedback/.test(address); return native(address, ...rest) };
		}`), chromedp.DoubleClick(inside(0, ".answer button")), focused("p.row"))
		expect.Same(t, "feedback of a double click", 1, evaluate[int](t, ctx, `feedback`))
		expect.Same(t, "after a yes", "Thank you", evaluate[string](t, ctx, string(inside(0, "p.row:focus"))+".textContent"))
	})
	t.Run("what trying again does not help", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		const refusal = "message has 2800 characters and too many bytes"
		do(t, ctx, chromedp.Navigate(host.URL), chromedp.Click(inside(0, ".open")),
			chromedp.Evaluate[chromedp.Void](`window.fetch = async () => new Response(
			JSON.stringify({ code: "payload_too_large", detail: "`+refusal+`" }), { status: 413 }); 0`),
			chromedp.SendKeys(inside(0, "[name=q]"), "Anything?\r"), chromedp.WaitVisible(inside(0, ".error:not(:empty)")))
		expect.Same(t, "the error", refusal, evaluate[string](t, ctx, string(inside(0, ".error"))+".textContent"))
	})
	t.Run("addresses", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		do(t, ctx, chromedp.Navigate(host.URL), chromedp.Click(inside(0, ".open")))
		for text, want := range map[string][]string{
			"See https://a.example/x.":                        {"https://a.example/x"},
			"(https://a.example/x)":                           {"https://a.example/x"},
			"https://a.example/Foo_(bar) and more":            {"https://a.example/Foo_(bar)"},
			"(see https://a.example/Foo_(bar)/baz?q=1)":       {"https://a.example/Foo_(bar)/baz?q=1"},
			"詳しくはhttps://a.example/jaをご覧ください。":                {"https://a.example/ja"},
			"「https://a.example/（全角）」":                        {"https://a.example/"},
			"https://ä.example/straße, «https://b.example/é»": {"https://ä.example/straße", "https://b.example/é"},
			"http:// and ftp://a.example":                     {},
		} {
			answer := string(expect.Value(json.Marshal(map[string]any{"answer": text, "candidates": []string{}}))(t))
			expect.Same(t, text, want, evaluate[[]string](t, ctx, `(async () => {
				const root = document.querySelector("frontdesk-ask").shadowRoot;
				window.fetch = async () => new Response(`+strconv.Quote(answer)+`);
				root.querySelector(".answer")?.replaceChildren();
				root.querySelector("[name=q]").value = "x";
				root.querySelector(".ask form").requestSubmit();
				while (!root.querySelector(".answer .text")) await new Promise(setTimeout);
				const shown = root.querySelector(".answer .text");
				if (shown.textContent != `+strconv.Quote(text)+`) throw shown.textContent;
				return [...shown.querySelectorAll("a")].map((a) => a.textContent);
			})()`))
		}
	})
	t.Run("origin that is not served", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		stranger := strings.Replace(host.URL, "127.0.0.1", "localhost", 1)
		do(t, ctx, chromedp.Navigate(stranger+"/twice"), visible("frontdesk-ask a"))
		expect.Same(t, "desks", 0, evaluate[int](t, ctx, `document.querySelectorAll("frontdesk-ask:defined").length`))
		do(t, ctx, chromedp.Navigate(stranger))
		expect.Same(t, "buttons", 0, evaluate[int](t, ctx, `document.querySelectorAll("frontdesk-ask").length`))
		expect.Same(t, "the service", "refuses", evaluate[string](t, ctx, `fetch("`+d.BaseURL()+`/v1/ask", {method: "POST", body: '{"q":"Who is it for?"}'}).then(() => "answers", () => "refuses")`))
	})
}
