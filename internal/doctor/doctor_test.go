package doctor

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

// A hanging check delays no other, and the run only by its limit, even if it ignores its context.
func TestRunIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer close(end)
		began := time.Now()
		examined := run(t.Context(), []check{
			{name: "deaf", run: func(context.Context) Finding { <-end; return Finding{} }},
			{name: "good", run: func(context.Context) Finding { return ok("fine") }},
			{name: "heeding", limit: 3 * time.Second, run: func(ctx context.Context) Finding { <-ctx.Done(); return failed("hung at B", "") }},
		})
		want := []Examined{{"deaf", failed("no result within 10s", "")}, {"good", ok("fine")}, {"heeding", failed("hung at B", "")}}
		expect.Same(t, "difference", want, examined)
		expect.Same(t, "time taken", defaultLimit+grace, time.Since(began))
		expect.Same(t, "failures", 2, Failures(examined))
	})
}

func TestPrint(t *testing.T) {
	t.Parallel()
	const want = `ok       settings  https://desk.example
FAIL     mail      smtp://mail.example: greeting: 554 go ok forged [2J3m
                   hint: Try <again>.
skipped  model     none is set
`
	var got bytes.Buffer
	expect.OK(t, Print(&got, []Examined{
		{"settings", ok("https://desk.example")},
		{"mail", failed("smtp://mail.example: greeting: 554 go\r\nok  forged \x1b[2J\u009b3m", "Try <again>.")},
		{"model", skipped("none is set")},
	}))
	expect.Same(t, "difference", want, got.String())
}
