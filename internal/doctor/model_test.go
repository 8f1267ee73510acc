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
