package browser_test

import (
	"context"
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

// hostile disfigures everything. It does not turn the page itself, because the widget would turn with it.
const hostile = `<style>html { font-size: 40px } :root { --accent: red; --card: red }
* { all: unset !important; display: none !important; font: 60px/3 cursive !important; color: red !important;
	background: red !important; transform: rotate(9deg) !important; letter-spacing: 1em !important;
	direction: rtl !important; --accent: red !important }
html, body { display: block !important; transform: none !important }</style>`

type shop struct {
	desk string // the address of the desk
	*httptest.Server
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	script := `<script src="` + s.desk + `/embed.js" async></script>`
	language, style, body := "en", "", script
	switch r.URL.Path {
	case "/strict": // the lines of docs/embed.md, and nothing else
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src "+s.desk+"; connect-src "+s.desk+
			"; require-trusted-types-for 'script'")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
	case "/hostile":
		style = hostile
	case "/twice":
		own := `<frontdesk-ask><a href="` + s.desk + `/ask">Fragen</a></frontdesk-ask>`
		language, body = "de-AT", script+own+own+script
	case "/favicon.ico":
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang=%q><title>Shop</title><meta name="viewport" content="width=device-width">%s
		<main><h1>Shop</h1><a href="/">Home</a>%s</main></html>`, language, style, body)
}

const (
	desks = `[...document.querySelectorAll("frontdesk-ask")]`
	root  = `document.querySelector("frontdesk-ask").shadowRoot`
)

func within(root, selector string) chromedp.JSPath {
	return chromedp.JSPath(fmt.Sprintf("%s.querySelector(%q)", root, selector))
}

func inside(selector string) chromedp.JSPath { return within(root, selector) }
func shows(selector string) action           { return chromedp.WaitVisible(inside(selector)) }
func click(selector string) action           { return chromedp.Click(inside(selector)) }
func keys(selector, text string) action      { return chromedp.SendKeys(inside(selector), text) }

func key(keys string) action { return chromedp.KeyEvent(keys) }

func textOf(t *testing.T, ctx context.Context, element chromedp.JSPath) string {
	t.Helper()
	return evaluate[string](t, ctx, string(element)+".textContent")
}

// focused waits for the focus. chromedp.Poll would need eval, which a strict policy refuses.
func focused(selector string) action {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for {
			has, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
				fmt.Sprintf("!!%s.activeElement?.matches(%q)", root, selector)))
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
	on := func(name string, width int64, path string, test func(t *testing.T, ctx tab)) {
		t.Run(name, func(t *testing.T) {
			ctx := b.tab(t, width, true)
			do(t, ctx, visit(host.URL+path))
			test(t, ctx)
		})
	}

	on("by keyboard, with a strict policy", wide, "/strict", func(t *testing.T, ctx tab) {
		do(t, ctx, shows(".open"))
		expect.Same(t, "requests before a click", []string{"/embed.js"}, asked(d))
		look(t, ctx, "closed")
		do(t, ctx, key("\t\t"), focused(".open"), key("\r"), focused("[name=q]"),
			key("who is it for\r"), shows(".answer .text"))
		expect.Same(t, "the answer", d.Ask(t, "Who is it for?").Answer, textOf(t, ctx, inside(".answer .text")))
		look(t, ctx, "answer")
		do(t, ctx, key("\x1b"), focused(".open"), key("\r"), focused("[name=q]"),
			keys("[name=q]", "How much is it and do you offer refunds?\r"), shows("details"),
			keys("summary", "\r"), shows("details .text"))
		look(t, ctx, "candidates")
		do(t, ctx, keys(".foot .plain", "\r"), focused("[name=name]"),
			key("Ada Lovelace\tAnalytical Engines Ltd\tada@localhost\t\t\t\r"),
			shows("form:not([hidden]) .error:not(:empty)"))
		look(t, ctx, "faulty")
	})
	on("sent once", phone, "", func(t *testing.T, ctx tab) {
		do(t, ctx, scheme("dark"), click(".open"), click(".foot .plain"),
			keys("[name=name]", "Ada Lovelace"), keys("[name=business]", "Analytical Engines Ltd"),
			keys("[name=message]", "Hello there,\nümlaut <b>"), keys("[name=email]", "ada@example.com\r"),
			focused("h3"), shows("dl"))
		look(t, ctx, "preview")
		previewed := textOf(t, ctx, inside("dd.text"))
		expect.Same(t, "mails sent by a preview", 0, len(d.Mail.Messages()))
		do(t, ctx, chromedp.DoubleClick(inside("form:not([hidden]) dl ~ .row button")), shows("[role=status] > small"))
		look(t, ctx, "sent")
		d.Inquiries(t, 1)
		_, text := d.Mail.Wait(1)[0].Read(t)
		expect.Same(t, "the mail", strings.TrimSpace(previewed), strings.TrimSpace(text))
		expect.Same(t, "mails sent by a double click", 1, len(d.Mail.Messages()))
		expect.Same(t, "cookies", "", evaluate[string](t, ctx, `document.cookie`))
	})
	on("hostile style", 320, "", func(t *testing.T, ctx tab) {
		const looks = `JSON.stringify([...` + root + `.querySelectorAll("*")].map((e) => {
			const { display, position, color, backgroundColor, font, letterSpacing, transform, direction } = getComputedStyle(e);
			return [e.localName, e.getBoundingClientRect(), display, position, color, backgroundColor, font, letterSpacing,
				transform, direction];
		}))`
		var seen []string
		for _, path := range []string{"/", "/hostile"} {
			do(t, ctx, visit(host.URL+path), click(".open"), focused("[name=q]"))
			seen = append(seen, evaluate[string](t, ctx, looks))
			expect.AtMost(t, path+": the desk in pixels", 320, evaluate[int](t, ctx, string(inside("dialog"))+".scrollWidth"))
		}
		expect.Same(t, "the desk among hostile styles", seen[0], seen[1])
	})
	on("twice on a page", 768, "/twice", func(t *testing.T, ctx tab) {
		const second = desks + "[1].shadowRoot"
		do(t, ctx, chromedp.SendKeys(within(second, "[name=q]"), "Weather in Paris?\r"),
			chromedp.WaitVisible(within(second, ".answer")))
		look(t, ctx, "page")
		expect.Same(t, "which desk has an answer", []bool{false, true}, evaluate[[]bool](t, ctx,
			desks+`.map((e) => e.shadowRoot.querySelector(".answer") !== null)`))
		expect.Same(t, "the button", "Fragen", textOf(t, ctx, within(second, "form button")))
	})
	on("navigation without a load", wide, "", func(t *testing.T, ctx tab) {
		const floating = `new Promise((done) => setTimeout(() => done(` + desks + `.map((e) => e.matches("[floating]")))))`
		do(t, ctx, shows(".open"))
		for _, tt := range []struct {
			name, exchange string
			floats         bool // the only desk
		}{
			{"the body, as Turbo does", `document.body.replaceWith(document.createElement("body"))`, true},
			{"what is in the body", `document.body.innerHTML = "<main>C</main>"`, true},
			{"to a desk in a page", `document.querySelector("main").innerHTML = "<frontdesk-ask></frontdesk-ask>"`, false},
			{"to a page without one", `document.querySelector("main").innerHTML = "D"`, true},
			{"the script runs again", `document.body.append(Object.assign(document.createElement("script"), {
				src: "` + host.desk + `/embed.js" }))`, true},
		} {
			expect.Same(t, tt.name, []bool{tt.floats}, evaluate[[]bool](t, ctx, `{`+tt.exchange+`}`+floating))
		}
		do(t, ctx, click(".open"), shows(".often button"))
		look(t, ctx, "open")
	})
	on("asked most", phone, "", func(t *testing.T, ctx tab) {
		do(t, ctx, click(".open"), script(string(inside("dialog"))+".click()")) // its edge
		buttons := func(often string) []string {
			return evaluate[[]string](t, ctx, `[...`+root+`.querySelectorAll("`+often+` button")].map((e) => e.textContent)`)
		}
		questions := buttons(".often")
		if len(questions) != 3 {
			t.Fatalf("it opens with %q", questions)
		}
		do(t, ctx, click(".often button:nth-of-type(2)"), shows(".answer .text"))
		expect.Same(t, "the question", questions[1], textOf(t, ctx, inside(".answer h3")))
		expect.Same(t, "beside the answer", "none", evaluate[string](t, ctx,
			`getComputedStyle(`+string(inside(".often"))+`).display`))
		do(t, ctx, shows(".answer .often button"))
		if related := buttons(".answer .often"); len(related) != 3 || slices.Contains(related, questions[1]) {
			t.Errorf("related to %q are %q", questions[1], related)
		}
		look(t, ctx, "answer")
		do(t, ctx, script(`{
			const native = fetch;
			window.feedback = 0;
			window.fetch = (address, ...rest) => { feedback += /feedback/.test(address); return native(address, ...rest) };
		}`), chromedp.DoubleClick(inside(".answer button")), focused("p.row"))
		expect.Same(t, "feedback of a double click", 1, evaluate[int](t, ctx, `feedback`))
		expect.Same(t, "after a yes", "Thank you", textOf(t, ctx, inside("p.row:focus")))
	})
	on("what trying again does not help", wide, "", func(t *testing.T, ctx tab) {
		const refusal = "message has 2800 characters and too many bytes"
		do(t, ctx, click(".open"), script(`window.fetch = async () => new Response(
			JSON.stringify({ code: "payload_too_large", detail: "`+refusal+`" }), { status: 413 }); 0`),
			keys("[name=q]", "Anything?\r"), shows(".error:not(:empty)"))
		expect.Same(t, "the error", refusal, textOf(t, ctx, inside(".error")))
	})
	on("addresses", wide, "", func(t *testing.T, ctx tab) {
		do(t, ctx, click(".open"))
		for _, tt := range [][2]string{
			{"See https://a.example/x.", "https://a.example/x"},
			{"(https://a.example/x)", "https://a.example/x"},
			{"https://a.example/Foo_(bar) and more", "https://a.example/Foo_(bar)"},
			{"(see https://a.example/Foo_(bar)/baz?q=1)", "https://a.example/Foo_(bar)/baz?q=1"},
			{"詳しくはhttps://a.example/jaをご覧ください。", "https://a.example/ja"},
			{"「https://a.example/（全角）」", "https://a.example/"},
			{"https://ä.example/straße, «https://b.example/é»", "https://ä.example/straße https://b.example/é"},
			{"http:// and ftp://a.example", ""},
		} {
			text := strconv.Quote(tt[0])
			expect.Same(t, tt[0], tt[1], evaluate[string](t, ctx, `(async () => {
				const root = `+root+`;
				window.fetch = async () => new Response(JSON.stringify({ answer: `+text+`, candidates: [] }));
				root.querySelector(".answer")?.replaceChildren();
				root.querySelector("[name=q]").value = "x";
				root.querySelector(".ask form").requestSubmit();
				while (!root.querySelector(".answer .text")) await new Promise(setTimeout);
				const shown = root.querySelector(".answer .text");
				if (shown.textContent != `+text+`) throw shown.textContent;
				return [...shown.querySelectorAll("a")].map((a) => a.textContent).join(" ");
			})()`))
		}
		do(t, ctx, chromedp.MouseClickXY(1, 1))
		expect.Same(t, "open now", false, evaluate[bool](t, ctx, string(inside("dialog"))+`.open`))
	})
	t.Run("origin that is not served", func(t *testing.T) {
		ctx := b.tab(t, wide, true)
		stranger := strings.Replace(host.URL, "127.0.0.1", "localhost", 1)
		do(t, ctx, visit(stranger+"/twice"), visible("frontdesk-ask a"))
		expect.Same(t, "desks", 0, evaluate[int](t, ctx, `document.querySelectorAll("frontdesk-ask:defined").length`))
		do(t, ctx, visit(stranger))
		expect.Same(t, "buttons", 0, evaluate[int](t, ctx, desks+".length"))
		expect.Same(t, "the service", "refuses", evaluate[string](t, ctx, `fetch("`+host.desk+`/v1/ask",
			{method: "POST", body: '{"q":"Who is it for?"}'}).then(() => "answers", () => "refuses")`))
	})
}
