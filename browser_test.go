package main

import (
	"context"
	"encoding/json"
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

// tab opens a tab of the given width. Nothing in it takes longer than a minute.
func (b browser) tab(t *testing.T, width int64) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b)
	t.Cleanup(cancel)
	do(t, ctx, chromedp.EmulateViewport(width, 900), call(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: reports}))
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	return ctx
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

var withoutScript = call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})

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
	for _, script := range []bool{true, false} {
		name := map[bool]string{true: "script", false: "no script"}[script]
		t.Run(name+": ask", func(t *testing.T) { askInABrowser(t, b, script) })
		t.Run(name+": pilot request", func(t *testing.T) { contactInABrowser(t, b, script) })
	}
	t.Run("accessible", func(t *testing.T) { accessible(t, b) })
}

// open shows the home page of a new service.
func open(t *testing.T, b browser, script bool) (*desk, context.Context) {
	t.Helper()
	d := startDesk(t, ownAddress)
	ctx := b.tab(t, 1280)
	if !script {
		do(t, ctx, withoutScript)
	}
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
	shoot(t, ctx, "/answer", t.Name(), 1280)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#q").value = ""`),
		chromedp.SendKeys(chromedp.CSS("#q"), "What is the weather in Paris?\r"),
		chromedp.WaitVisible(chromedp.CSS(`.answer a[href="/contact"]`)))
	for range 4 { // the sixth question of the minute is refused
		do(t, ctx, submitted(script))
	}
	if got := read(t, ctx, "#q-error"); !strings.Contains(got, "More than 5 ask requests in 60 seconds") {
		t.Errorf("the refusal says %q", got)
	}
	shoot(t, ctx, "/refused", t.Name(), 1280)
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
	shoot(t, ctx, "/faulty", t.Name(), 1280)
	if got := evaluate[string](t, ctx, `document.querySelector("#message").value`); !strings.HasPrefix(got, "Hello there,\n") {
		t.Errorf("the message has become %q", got)
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#email").value = ""`),
		chromedp.SendKeys(chromedp.CSS("#email"), "ada@example.com\r"), chromedp.WaitVisible(chromedp.CSS(".preview")))
	shoot(t, ctx, "/preview", t.Name(), 1280)
	previewed := read(t, ctx, ".preview .text dd")
	if n := len(d.mail.Messages()); n != 0 {
		t.Fatalf("a preview has sent %d mails", n)
	}
	do(t, ctx, chromedp.Click(chromedp.CSS(".preview button")), chromedp.WaitVisible(chromedp.CSS(".accepted")))
	if got := read(t, ctx, ".accepted"); !strings.Contains(got, "ada@example.com") || !strings.Contains(got, "inq_") {
		t.Errorf("the acceptance says %q", got)
	}
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

// axePath is where .ci/npm puts axe-core, the checker of accessibility.
var axePath = filepath.Join(".ci", "npm", "node_modules", "axe-core", "axe.min.js")

// accessible lets axe-core look at every page, on a phone and at a desk, in both
// colour schemes. With FRONTDESK_SCREENSHOTS set to a folder it leaves a picture of
// each there.
func accessible(t *testing.T, b browser) {
	axe, err := os.ReadFile(axePath)
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatalf("axe-core is not installed, and CI needs it: npm ci in .ci/npm: %v", err)
	case err != nil:
		t.Skip("axe-core is not installed: npm ci in .ci/npm")
	}
	d := startDesk(t, ownAddress)
	for _, width := range []int64{390, 1280} {
		ctx := b.tab(t, width)
		for _, colours := range []string{"light", "dark"} {
			for _, path := range []string{"/", "/pricing", "/faq", "/developers", "/ask", "/contact", "/privacy", "/nowhere"} {
				do(t, ctx, scheme(colours), chromedp.Navigate(d.config.BaseURL+path))
				shoot(t, ctx, path, colours, width)
				do(t, ctx, chromedp.Evaluate[chromedp.Void](string(axe)+";0"))
				found := evaluate[string](t, ctx, `axe.run().then((r) => JSON.stringify(
					r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.failureSummary + " " + n.html))))`)
				var violations []string
				if err := json.Unmarshal([]byte(found), &violations); err != nil {
					t.Fatal(err)
				}
				for _, violation := range violations {
					t.Errorf("%s at %d pixels, %s: %s", path, width, colours, violation)
				}
				if wide := evaluate[int](t, ctx, `document.documentElement.scrollWidth`); int64(wide) > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", path, wide, width)
				}
			}
		}
	}
}

func shoot(t *testing.T, ctx context.Context, path, colours string, width int64) {
	t.Helper()
	folder := os.Getenv("FRONTDESK_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	name := map[int64]string{390: "phone", 1280: "desk"}[width] + "-" + colours + path + ".png"
	name = strings.NewReplacer("/", "-", " ", "-", ":", "").Replace(name)
	if err := os.WriteFile(filepath.Join(folder, name), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
