package doctor

import (
	"net/http"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
)

func chosenBy(url, name, key string) func(*config.Settings) {
	return func(s *config.Settings) { s.ModelURL, s.ModelName, s.ModelKey = url, name, key }
}

func TestModel(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("never"))
	status := func(status int) string {
		return listening(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, password, status) })
	}
	finds(t, (*examination).model, []row{
		{"none", nil, Skipped, "none is set"},
		{"good", chosenBy(server.URL(), modeltest.Name, modeltest.Key), OK, modeltest.Name + " at http"},
		{"Ollama's tag", chosenBy(listening(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"data":[{"id":"tiny:latest"}]}`))
		}), "tiny", ""), OK, "tiny at http"},
		{"another name", chosenBy(server.URL(), "boat", modeltest.Key), Warning, "2 models, none of that name"},
		{"another key", chosenBy(server.URL(), modeltest.Name, password), Failed, "status 401"},
		{"no list", chosenBy(status(http.StatusNotFound), "x", ""), Warning, "status 404"},
		{"broken", chosenBy(status(http.StatusBadGateway), "x", ""), Failed, "status 502"},
		{"nothing listens", chosenBy("http://127.0.0.1:1/v1", "x", password), Failed, "refused"},
		{"a page", chosenBy(listening(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(password)) }), "x", ""), Failed, "something else"},
	}...)
	ctx, silent := hanging(t)
	want(t, with(t, chosenBy(silent, "x", "")).model(ctx), Failed, "deadline")
	expect.Same(t, "a choice was asked for", 0, server.Calls())
}
