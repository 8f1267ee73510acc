package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"frontdesk/config"
)

// Widths of a phone and of a desk, in pixels.
const (
	phone = 390
	wide  = 1280
)

// browser is Debian's Chromium without a window. A tab is a context.
type browser struct{ context.Context }

// startBrowser starts Chromium. Without one the test is skipped, but not in CI.
func startBrowser(t *testing.T) browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatal("chromium is not on the PATH, and CI needs it: apt-get install chromium")
	case err != nil:
		t.Skip("chromium is not on the PATH: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()))
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	do(t, ctx)
	return browser{ctx}
}

// reports collects what the content policy refuses.
const reports = `window.refused = [];
document.addEventListener("securitypolicyviolation", (e) => refused.push(e.violatedDirective + " " + e.blockedURI));`

// tab is a tab of the browser, in which pages may run their script or not.
type tab struct {
	context.Context
	script bool
}

// tab opens a tab of the given width. Nothing in it takes longer than a minute.
func (b browser) tab(t *testing.T, width int64, script bool) tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b)
	t.Cleanup(cancel)
	do(t, ctx, chromedp.EmulateViewport(width, 900), call(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: reports}), allowScript(script))
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	return tab{ctx, script}
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// call is a command of the browser's protocol whose result does not matter.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, command, params)
		return err
	})
}

func scheme(name string) chromedp.Action[chromedp.Void] {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

func allowScript(allowed bool) chromedp.Action[chromedp.Void] {
	return call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !allowed})
}

// read waits for an element and returns its text as a reader sees it.
func read(t *testing.T, ctx context.Context, selector chromedp.CSS) string {
	t.Helper()
	text, err := chromedp.Run(ctx, chromedp.Text(selector))
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	return text
}

func evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// ownAddress lets a service publish the address that it listens on, as a browser
// of this machine meets it.
func ownAddress(s *config.Settings) { s.BaseURL = "" }

// typeIn fills in the form of a pilot request.
func typeIn(email string) []chromedp.Action[chromedp.Void] {
	return []chromedp.Action[chromedp.Void]{
		chromedp.SendKeys(chromedp.CSS("#name"), "Ada Lovelace"),
		chromedp.SendKeys(chromedp.CSS("#business"), "Analytical Engines Ltd"),
		chromedp.SendKeys(chromedp.CSS("#email"), email),
		chromedp.SendKeys(chromedp.CSS("#message"), "Hello there,\nwe would like to try one service. ümlaut <b>"),
	}
}

// TestInABrowser uses the site as a person does, by keyboard, with the script and
// without it.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for name, script := range map[string]bool{"with the script": true, "without it": false} {
		t.Run(name, func(t *testing.T) {
			t.Run("ask", func(t *testing.T) { askInABrowser(t, b, script) })
			t.Run("pilot request", func(t *testing.T) { contactInABrowser(t, b, script) })
		})
	}
	t.Run("every page", func(t *testing.T) { everyPageInABrowser(t, b) })
}

// open shows the home page of a new service.
func open(t *testing.T, b browser, script bool) (*desk, tab) {
	t.Helper()
	d := startDesk(t, ownAddress)
	ctx := b.tab(t, wide, script)
	do(t, ctx, chromedp.Navigate(d.config.BaseURL))
	return d, ctx
}

func askInABrowser(t *testing.T, b browser, script bool) {
	d, ctx := open(t, b, script)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "who is it for\r"), chromedp.WaitVisible(chromedp.CSS(".answer")))
	want := d.live.Ask(t.Context(), "Who is it for?").Answer
	if got := read(t, ctx, ".answer .verbatim"); got != want {
		t.Errorf("the page says %q, want the approved text %q", got, want)
	}
	look(t, ctx, t.Name()+" answer")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#q").value = ""`),
		chromedp.SendKeys(chromedp.CSS("#q"), "What is the weather in Paris?\r"),
		chromedp.WaitVisible(chromedp.CSS(`.answer a[href="/contact"]`)))
	for range 4 { // the sixth question of the minute is refused
		do(t, ctx, submitted(script))
	}
	if got := read(t, ctx, "#q-error"); !strings.Contains(got, "More than 5 ask requests in 60 seconds") {
		t.Errorf("the refusal says %q", got)
	}
	look(t, ctx, t.Name()+" refused")
	if got := evaluate[string](t, ctx, `document.querySelector("#q").value`); got != "What is the weather in Paris?" {
		t.Errorf("the question has become %q", got)
	}
	clean(t, ctx, d)
}

// submitted presses Enter in the box of the question and waits for what comes of it:
// with the script the button can be pressed again, without it a new page is there.
func submitted(script bool) chromedp.Action[chromedp.Void] {
	after := chromedp.WaitEnabled(chromedp.CSS("form.ask button"))
	if !script {
		after = chromedp.WaitReady(chromedp.CSS("html:not([data-left])"))
	}
	return chromedp.Steps(chromedp.Evaluate[chromedp.Void](`document.documentElement.dataset.left = ""`),
		chromedp.SendKeys(chromedp.CSS("#q"), "\r"), after)
}

func contactInABrowser(t *testing.T, b browser, script bool) {
	d, ctx := open(t, b, script)
	do(t, ctx, typeIn("ada@localhost")...)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#segment"), "\r"), chromedp.WaitVisible(chromedp.CSS("#email-error")))
	if got := read(t, ctx, "#email-error"); !strings.HasPrefix(got, "email must be one plain e-mail address") {
		t.Errorf("beside the field stands %q", got)
	}
	look(t, ctx, t.Name()+" faulty")
	if got := evaluate[string](t, ctx, `document.querySelector("#message").value`); !strings.HasPrefix(got, "Hello there,\n") {
		t.Errorf("the message has become %q", got)
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#email").value = ""`),
		chromedp.SendKeys(chromedp.CSS("#email"), "ada@example.com\r"), chromedp.WaitVisible(chromedp.CSS(".preview")))
	look(t, ctx, t.Name()+" preview")
	previewed := read(t, ctx, ".preview .text dd")
	if n := len(d.mail.Messages()); n != 0 {
		t.Fatalf("a preview has sent %d mails", n)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS(".preview button"), "\r"), chromedp.WaitVisible(chromedp.CSS(".accepted")))
	if got := read(t, ctx, ".accepted"); !strings.Contains(got, "ada@example.com") || !strings.Contains(got, "inq_") {
		t.Errorf("the acceptance says %q", got)
	}
	look(t, ctx, t.Name()+" accepted")
	_, text := d.mail.Wait(1)[0].Read(t)
	if strings.TrimSpace(text) != strings.TrimSpace(previewed) {
		t.Errorf("the mail is\n%s\nand the preview was\n%s", text, previewed)
	}
	clean(t, ctx, d)
}

// clean checks that a page needs nobody else, sets no cookie and breaks no policy.
func clean(t *testing.T, ctx context.Context, d *desk) {
	t.Helper()
	for _, address := range evaluate[[]string](t, ctx, `performance.getEntries().map((e) => e.name).filter((n) => n.includes("://"))`) {
		if !strings.HasPrefix(address, d.config.BaseURL+"/") {
			t.Errorf("the page asks %s", address)
		}
	}
	if refused := evaluate[[]string](t, ctx, `window.refused || []`); len(refused) > 0 {
		t.Errorf("the content policy refuses %v", refused)
	}
	if cookies := evaluate[string](t, ctx, `document.cookie`); cookies != "" {
		t.Errorf("the page sets the cookies %q", cookies)
	}
}

// everyPageInABrowser looks at every page on a phone and at a desk, in both colour
// schemes.
func everyPageInABrowser(t *testing.T, b browser) {
	d := startDesk(t, ownAddress)
	for _, width := range []int64{phone, wide} {
		ctx := b.tab(t, width, true)
		for _, colours := range []string{"light", "dark"} {
			do(t, ctx, scheme(colours))
			for _, path := range []string{"/", "/pricing", "/faq", "/developers", "/auth", "/ask", "/contact", "/privacy", "/nowhere"} {
				do(t, ctx, chromedp.Navigate(d.config.BaseURL+path))
				look(t, ctx, fmt.Sprintf("%d-%s%s", width, colours, path))
				if got := evaluate[int64](t, ctx, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", path, got, width)
				}
			}
		}
	}
}

// axePath is where .ci/browser puts axe-core, the checker of accessibility.
var axePath = filepath.Join(".ci", "npm-browser", "node_modules", "axe-core", "axe.min.js")

// look lets axe-core look at what a tab shows. With FRONTDESK_SCREENSHOTS set to a
// folder it leaves a picture there.
func look(t *testing.T, ctx tab, what string) {
	t.Helper()
	if folder := os.Getenv("FRONTDESK_SCREENSHOTS"); folder != "" {
		shoot(t, ctx, filepath.Join(folder, strings.NewReplacer("/", "-", " ", "-").Replace(what)+".png"))
	}
	axe, err := os.ReadFile(axePath)
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("axe-core is not installed, and CI needs it: .ci/browser installs it: %v", err)
	} else if err != nil {
		t.Skip("axe-core is not installed: .ci/browser installs it")
	}
	// axe-core needs timers, which a tab without scripts does not have. The page's own
	// script is not run by that: it was passed over when the page was read.
	do(t, ctx, allowScript(true), chromedp.Evaluate[chromedp.Void](string(axe)+";0"))
	defer do(t, ctx, allowScript(ctx.script))
	for _, violation := range evaluate[[]string](t, ctx, `axe.run().then((r) =>
		r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.failureSummary + " " + n.html)))`) {
		t.Errorf("%s: %s", what, violation)
	}
}

func shoot(t *testing.T, ctx context.Context, file string) {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
