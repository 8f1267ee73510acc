package model

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
)

func TestModels(t *testing.T) {
	t.Parallel()
	server := modeltest.Listen(t, modeltest.Pick("never"))
	endpoint := Endpoint{URL: server.URL(), Name: modeltest.Name, Key: modeltest.Key}
	models, err := endpoint.Models(t.Context())
	expect.OK(t, err)
	expect.Same(t, "difference", []string{"another-model", modeltest.Name}, models)
	expect.Same(t, "completions were asked for", 0, server.Calls())
	endpoint.Key = "sk-wrong"
	_, err = endpoint.Models(t.Context())
	refused, ok := errors.AsType[*StatusError](err)
	if !ok || refused.Status != 401 || strings.Contains(err.Error(), "sk-") {
		t.Errorf("with a wrong key: %v, want status 401 and no key", err)
	}
}

func TestModelsFail(t *testing.T) {
	t.Parallel()
	text := func(body string) string {
		return answering(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
	}
	tests := []struct {
		name, url, want string
	}{
		{"nothing listens", "http://127.0.0.1:1", "refused"},
		{"no list", answering(t, http.NotFound), "status 404"},
		{"a redirect", answering(t, http.RedirectHandler("/v1/models", http.StatusFound).ServeHTTP), "status 302"},
		{"a page", text("<html>"), "something else"},
		{"another object", text(`{"models":[]}`), "something else"},
	}
	for _, tt := range tests {
		_, err := Endpoint{URL: tt.url}.Models(t.Context())
		expect.Says(t, tt.name, err, tt.want)
	}
}

func answering(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}
