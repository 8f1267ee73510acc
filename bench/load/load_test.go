package load

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func idle() (time.Duration, error) { return 0, nil }

func serve(t *testing.T, handler http.HandlerFunc) (addr string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestSend(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("x"), 100_000)
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   int
		wrong  int
	}{
		{"small", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) }, 200, 0},
		{"large and chunked", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large) }, 200, 0},
		{"without a body", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, 304, 0},
		{"another status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, 200, 50},
		{"closing", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") }, 200, 0},
		{"no answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 200, 50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var served atomic.Int64
			addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
				served.Add(1)
				tt.answer(w, r)
			})
			driver, err := NewDriver(t.Context(), addr, 4, idle)
			if err != nil {
				t.Fatal(err)
			}
			defer driver.Close()
			batch, err := driver.Send(t.Context(), &Request{Method: "POST", Path: "/", Body: "{}"}, 50, tt.want)
			if err != nil || batch.Wrong != tt.wrong || served.Load() != 50 {
				t.Errorf("%d served, batch %+v, %v; want 50 with %d wrong", served.Load(), batch, err, tt.wrong)
			}
			if batch.P50 <= 0 || batch.P99 < batch.P50 || batch.Wall < batch.P99 {
				t.Errorf("times do not fit together: %+v", batch)
			}
		})
	}
}

func TestWire(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != "hello" || r.URL.Path != "/ask" || r.Header.Get("Accept") != "a/b" {
			w.WriteHeader(400)
		}
		mu.Lock()
		defer mu.Unlock()
		seen[r.Header.Get("X-Forwarded-For")]++
	})
	driver, err := NewDriver(t.Context(), addr, 2, idle)
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	request := Request{Method: "POST", Path: "/ask", Header: []string{"Accept", "a/b"}, Body: "hello"}
	for range 2 {
		if batch, err := driver.Send(t.Context(), &request, 150, 200); err != nil || batch.Wrong > 0 {
			t.Fatalf("%+v, %v", batch, err)
		}
	}
	if len(seen) != 300 {
		t.Errorf("%d clients for 300 requests", len(seen))
	}
	for client := range seen {
		if _, err := netip.ParseAddr(client); err != nil || client == TheOneClient {
			t.Errorf("client %q", client)
		}
	}
	request.From = OneClient
	if batch, err := driver.Send(t.Context(), &request, 10, 200); err != nil || batch.Wrong > 0 || seen[TheOneClient] != 10 {
		t.Errorf("%+v, %v: %d requests of the one client, want 10", batch, err, seen[TheOneClient])
	}
}
