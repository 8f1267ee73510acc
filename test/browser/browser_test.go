package browser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"frontdesk/test/harness"
)

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
func open(t *testing.T, b browser, script bool) (*harness.Desk, tab) {
	t.Helper()
	d := harness.Start(t, harness.OwnAddress)
	ctx := b.tab(t, wide, script)
	do(t, ctx, chromedp.Navigate(d.BaseURL()))
	return d, ctx
}

func askInABrowser(t *testing.T, b browser, script bool) {
	d, ctx := open(t, b, script)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "who is it for\r"), chromedp.WaitVisible(chromedp.CSS(".answer")))
	want := d.Ask(t, "Who is it for?").Answer
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
	if n := len(d.Mail.Messages()); n != 0 {
		t.Fatalf("a preview has sent %d mails", n)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS(".preview button"), "\r"), chromedp.WaitVisible(chromedp.CSS(".accepted")))
	if got := read(t, ctx, ".accepted"); !strings.Contains(got, "ada@example.com") || !strings.Contains(got, "inq_") {
		t.Errorf("the acceptance says %q", got)
	}
	look(t, ctx, t.Name()+" accepted")
	_, text := d.Mail.Wait(1)[0].Read(t)
	if strings.TrimSpace(text) != strings.TrimSpace(previewed) {
		t.Errorf("the mail is\n%s\nand the preview was\n%s", text, previewed)
	}
	clean(t, ctx, d)
}

// clean checks that a page needs nobody else, sets no cookie and breaks no policy.
func clean(t *testing.T, ctx context.Context, d *harness.Desk) {
	t.Helper()
	for _, address := range evaluate[[]string](t, ctx, `performance.getEntries().map((e) => e.name).filter((n) => n.includes("://"))`) {
		if !strings.HasPrefix(address, d.BaseURL()+"/") {
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
	d := harness.Start(t, harness.OwnAddress)
	for _, width := range []int64{phone, wide} {
		ctx := b.tab(t, width, true)
		for _, colours := range []string{"light", "dark"} {
			do(t, ctx, scheme(colours))
			for _, path := range []string{"/", "/pricing", "/faq", "/developers", "/auth", "/ask", "/contact", "/privacy", "/nowhere"} {
				do(t, ctx, chromedp.Navigate(d.BaseURL()+path))
				look(t, ctx, fmt.Sprintf("%d-%s%s", width, colours, path))
				if got := evaluate[int64](t, ctx, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s is %d pixels wide on a screen of %d", path, got, width)
				}
			}
		}
	}
}
