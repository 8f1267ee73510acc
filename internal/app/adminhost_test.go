package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOnlyPrivateHosts(t *testing.T) {
	t.Parallel()
	handler := onlyPrivateHosts("ops.example.com:9090", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, want := range map[string]int{
		"127.0.0.1:9090":            200,
		"[::1]:9090":                200,
		"[::1]":                     200,
		"10.1.2.3":                  200,
		"localhost:9090":            200,
		"LOCALHOST":                 200,
		"frontdesk:9090":            200,
		"frontdesk.shop.svc:9090":   200,
		"host.docker.internal:9090": 200,
		"ops.example.com":           200,
		"OPS.example.com.:9090":     200,
		"evil.example:9090":         403,
		"localhost.evil.example":    403,
		"127.0.0.1.evil.example":    403,
		"internal.example":          403,
		"":                          200, // HTTP/1.0: no browser sends it
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	}
}
