package browser_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

const (
	phone = 390
	wide  = 1280
)

type browser struct{ context.Context }

// startBrowser starts Chromium. Without Chromium the test is skipped, but fails in CI.
func startBrowser(t *testing.T, flags ...chromedp.ExecAllocatorOption) browser {
	t.Helper()
	expect.SkipInRace(t, "it waits for the browser; the service is raced in its own packages")
	path := programs.Find(t, "chromium", "apt-get install chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("force-prefers-reduced-motion", true),
		chromedp.UserDataDir(t.TempDir()))
	options = append(options, flags...)
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	do(t, ctx)
	return browser{ctx}
}

const reports = `window.refused = [];
document.addEventListener("securitypolicyviolation", (e) => refused.push(e.violatedDirective + " " + e.blockedURI));`

type tab struct {
	context.Context
	script bool
}

func (b browser) tab(t *testing.T, width int64, script bool) tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b)
	t.Cleanup(cancel)
	do(t, ctx, chromedp.EmulateViewport(width, 900), call(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: reports}), allowScript(script))
	return tab{ctx, script}
}

type action = chromedp.Action[chromedp.Void]

func visit(url string) action      { return chromedp.Navigate(url) }
func ready(selector string) action { return chromedp.WaitReady(chromedp.CSS(selector)) }
func script(text string) action    { return chromedp.Evaluate[chromedp.Void](text) }

func typed(selector, text string) action { return chromedp.SendKeys(chromedp.CSS(selector), text) }

func visible(selector string) action { return chromedp.WaitVisible(chromedp.CSS(selector)) }

func do(t *testing.T, ctx context.Context, steps ...action) {
	t.Helper()
	expect.OK(t, chromedp.Do(ctx, steps...))
}

func call[P, R any](command cdp.Command[P, R], params P) action {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, command, params)
		return err
	})
}

type screen struct {
	width   int64
	colours string
}

func scheme(name string) action {
	return call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

func allowScript(allowed bool) action {
	return call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !allowed})
}

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
	return expect.Value(chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise)))(t)
}

var axePath = filepath.Join(".ci", "npm-browser", "node_modules", "axe-core", "axe.min.js")

// look checks a page with axe-core. It saves a screenshot in the folder FRONTDESK_SCREENSHOTS if that is set.
func look(t *testing.T, ctx tab, what string) {
	t.Helper()
	what = t.Name() + " " + what
	shoot(t, ctx, what)
	axe, err := os.ReadFile(axePath)
	if err != nil {
		programs.Missing(t, "axe-core", ".ci/browser installs it")
	}
	// axe-core needs timers. The page's own script was skipped when the page was loaded.
	do(t, ctx, allowScript(true), script(string(axe)+";0"))
	defer do(t, ctx, allowScript(ctx.script))
	for _, violation := range evaluate[[]string](t, ctx, `axe.run({ resultTypes: ["violations"] }).then((r) =>
		r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.failureSummary + " " + n.html)))`) {
		t.Errorf("%s: %s", what, violation)
	}
}

func shoot(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	if folder := os.Getenv("FRONTDESK_SCREENSHOTS"); folder != "" {
		do(t, ctx, allowScript(true))
		// One page fades into the next.
		evaluate[bool](t, ctx, `Promise.allSettled(document.getAnimations().map((a) => a.finished)).then(() => true)`)
		file := filepath.Join(folder, strings.NewReplacer("/", "-", " ", "-").Replace(what)+".png")
		expect.OK(t, os.WriteFile(file, expect.Value(chromedp.Run(ctx, chromedp.FullScreenshot(100)))(t), 0o644))
	}
}
