package doctor

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
)

// password is in every secret of the tests: no finding may contain it.
const password = "s3cr3t-p4ssword"

func with(t *testing.T, change func(*config.Settings)) *examination {
	t.Helper()
	settings := config.Settings{DataFolder: config.DataFolder{Data: t.TempDir()}}
	if change != nil {
		change(&settings)
	}
	e := examine(settings, nil)
	e.checkContent = func(context.Context) (live.Checked, error) { return live.Checked{Summary: "7 services"}, nil }
	return e
}

// A warning or failure must have a hint.
func want(t *testing.T, got Finding, result Result, part string) {
	t.Helper()
	expect.Same(t, got.What, result, got.Result)
	expect.Holds(t, "the finding", got.What, part)
	if (result == Failed || result == Warning) && got.Hint == "" {
		t.Errorf("%q has no hint", got.What)
	}
	expect.Lacks(t, "the finding", got.What+got.Hint, password)
}

// hanging never answers. Its context ends with the first request, as at a deadline.
func hanging(t *testing.T) (context.Context, string) {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	return ctx, listening(t, func(_ http.ResponseWriter, r *http.Request) {
		end(context.DeadlineExceeded)
		<-r.Context().Done()
	})
}

func listening(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func healthy(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != contract.PathHealth {
		http.NotFound(w, r)
		return
	}
	w.Header()[contract.HeaderAPIVersion] = []string{contract.APIVersion}
	_, _ = w.Write([]byte(`{"status":"ok"}`))
}

func finding(t *testing.T, check func(*examination, context.Context) Finding) func(func(*config.Settings), Result, string) {
	return func(change func(*config.Settings), result Result, part string) {
		t.Helper()
		want(t, check(with(t, change), t.Context()), result, part)
	}
}
