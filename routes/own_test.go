package routes_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// mark is a layer that adds its name to the answer, and stops a request to /v1/stop.
func mark(name string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Add("X-Layer", name)
			if r.URL.Path != "/v1/stop" {
				next.ServeHTTP(w, r)
			}
		})
	}
}

func TestOwnRoutes(t *testing.T) {
	t.Parallel()
	read := func(w http.ResponseWriter, r *http.Request) error {
		if r.URL.RawQuery == "panic" {
			panic("as asked")
		}
		body, err := io.ReadAll(r.Body)
		if err == nil && len(body) == 0 && r.Method == "POST" {
			return contract.Invalid("body", "body is required")
		}
		fmt.Fprintf(w, "%s %s", r.Method, body)
		return err
	}
	own := routes.Own{Layers: []func(http.Handler) http.Handler{mark("a"), mark("b")}}
	for _, at := range []string{"GET /v1/own", "POST /v1/own", "DELETE " + contract.PathAsk, "GET /privacy"} {
		method, path, _ := strings.Cut(at, " ")
		own.Routes = append(own.Routes, routes.OwnRoute(method, path, "a test", read))
	}
	f := front{harness.NewFront(t, io.Discard, func(s *config.Settings) { s.BaseURL.Text = base }, harness.Changes{Own: own})}
	for _, tt := range []struct {
		method, path, body, origin string
		status                     int
		want                       string // of the body
		allow                      string
	}{
		{"GET", "/v1/own", "", "", 200, "GET ", ""},
		{"HEAD", "/v1/own", "", base, 200, "", ""},
		{"POST", "/v1/own", "Hello", "", 200, "POST Hello", ""},
		{"POST", "/v1/own", "", base, 400, `"body is required."`, ""},
		{"POST", "/v1/own", strings.Repeat("x", 8193), base, 413, "", ""},
		{"PUT", "/v1/own", "", base, 405, "", "GET, HEAD, POST"},
		{"PUT", contract.PathAsk, "", base, 405, "", "DELETE, POST"},
		{"GET", "/v1/own?panic", "", base, 500, string(contract.InternalError), ""},
		{"GET", "/v1/own", "", "https://other.example", 403, "", ""},
		{"GET", "/v1/stop", "", "https://other.example", 200, "", ""}, // a layer comes before the origin
		{"GET", "/privacy", "", base, 200, "GET ", ""},
		{"GET", "/v1/none", "", base, 404, "", ""},
	} {
		var header []string
		if tt.origin != "" {
			header = append(header, "Origin: "+tt.origin)
		}
		w := f.send(t, alice, tt.method, tt.path, tt.body, header...)
		got := w.Header()
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) || got.Get("Allow") != tt.allow ||
			strings.Join(got["X-Layer"], "") != "ab" && tt.path != "/v1/stop" || got.Get(contract.HeaderRequestID) == "" ||
			(got.Get(contract.HeaderAPIVersion) != "") != strings.HasPrefix(tt.path, "/v1/") {
			t.Errorf("%s %s: %d %v\n%s", tt.method, tt.path, w.Code, got, w.Body)
		}
	}
	expect.Lacks(t, "the description", f.send(t, alice, "GET", contract.PathOpenAPI, "").Body.String(), "/v1/own")
}

func TestWrongOwnRoutes(t *testing.T) {
	t.Parallel()
	handler := func(http.ResponseWriter, *http.Request) error { return nil }
	table := routes.Table(&handlers.API{}, routes.MCP{}, routes.Limiters{})
	var own routes.Own
	add := func(method, path string) { own.Routes = append(own.Routes, routes.OwnRoute(method, path, "", handler)) }
	for _, path := range []string{"", "own", "/own/", "//own", "/own/../own", "/{own}", "/*", "/o wn", "/own?x"} {
		add("GET", path)
	}
	for _, method := range []string{"", "get", "HEAD", "OPTIONS"} {
		add(method, "/own")
	}
	add("POST", contract.PathAsk)
	add("POST", contract.PathAskAlias)
	add("GET", "/own")
	own.Routes = append(own.Routes, routes.OwnRoute("PUT", "/own", "", nil))
	wrong := len(own.Routes) - 1 // all but GET /own
	add("GET", "/own")
	_, err := own.With(table)
	text := fmt.Sprint(err)
	expect.Same(t, "errors in "+text, wrong+1, strings.Count(text, "desk.Handle: "))
	expect.Holds(t, "the text", text, "desk.Handle: POST /v1/ask: another route", "desk.Handle: GET /own: another route", "desk.Handle: PUT /own: the handler is nil")
}
