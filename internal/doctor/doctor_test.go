package doctor

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
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

func chosenBy(url, name, key string) func(*config.Settings) {
	return func(s *config.Settings) { s.ModelURL, s.ModelName, s.ModelKey = url, name, key }
}

func TestModel(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("never"))
	says := func(status int, text string) func(*config.Settings) {
		return chosenBy(listening(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, status) }), "tiny", "")
	}
	finds := finding(t, (*examination).model)
	finds(nil, Skipped, "none is set")
	finds(chosenBy(server.URL(), modeltest.Name, modeltest.Key), OK, modeltest.Name+" at http")
	finds(says(200, `{"data":[{"id":"tiny:latest"}]}`), OK, "tiny at http") // Ollama's tag
	finds(chosenBy(server.URL(), "boat", modeltest.Key), Warning, "2 models, none of that name")
	finds(chosenBy(server.URL(), modeltest.Name, password), Failed, "status 401")
	finds(says(404, password), Warning, "status 404")
	finds(says(502, password), Failed, "status 502")
	finds(chosenBy("http://127.0.0.1:1/v1", "x", password), Failed, "refused")
	finds(says(200, password), Failed, "something else")
	finds(says(200, `{"models":[]}`), Failed, "something else")
	finds(chosenBy(listening(t, http.RedirectHandler("/v1/models", http.StatusFound).ServeHTTP), "x", ""), Failed, "status 302")
	ctx, silent := hanging(t)
	want(t, with(t, chosenBy(silent, "x", "")).model(ctx), Failed, "deadline")
	expect.Same(t, "a choice was asked for", 0, server.Calls())
}
