package mutants

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"

	"frontdesk/contract"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

func withoutAliases(r *routes.Route, _ routes.Limiters) { r.Aliases = nil }

// routeMutants break sections 4, 7 and 9: paths, methods, caps and their order.
func routeMutants() []Mutant {
	cap_ := func(by int64, path string) change {
		return routed(func(r *routes.Route, _ routes.Limiters) { r.BodyCap += by }, path)
	}
	return []Mutant{
		{"no /agents.json", "9.5", "catalog-alias-is-the-same", routed(withoutAliases, contract.PathCatalog)},
		{"no /api/ask", "9.5", "ask-alias-works", routed(withoutAliases, contract.PathAsk)},
		{"no /api/contact", "9.5", "contact-alias-works", routed(withoutAliases, contract.PathContact)},
		{"the cap of ask is one byte too large", "8.3", "ask-body-has-its-cap", cap_(1, contract.PathAsk)},
		{"the cap of ask is one byte too small", "8.3", "ask-body-has-its-cap", cap_(-1, contract.PathAsk)},
		{"the cap of contact is one byte too large", "8.3", "contact-body-has-its-cap", cap_(1, contract.PathContact)},
		{"the cap of contact is one byte too small", "8.3", "contact-body-has-its-cap", cap_(-1, contract.PathContact)},
		{"the cap of MCP is one byte too large", "4.mcp", "mcp-body-has-its-cap", cap_(1, contract.PathMCP)},
		{"the cap of feedback is that of contact", "D.answers", "feedback-has-bounds",
			cap_(contract.CapContact-contract.CapFeedback, contract.PathFeedback)},
		{"a chunked body has no cap", "8.3", "contact-body-has-its-cap", requests(func(r *http.Request) {
			if r.ContentLength < 0 && r.URL.Path == contract.PathContact {
				setBody(r, []byte(harness.ContactBody(`,"dry_run":true`)))
			}
		})},

		// Paths and methods.
		{"a trailing slash is dropped", "D.rules", "path-is-not-cleaned", requests(func(r *http.Request) {
			if r.URL.Path != "/" {
				r.URL.Path = strings.TrimSuffix(r.URL.Path, "/")
			}
		})},
		{"a trailing slash is redirected", "D.rules", "path-is-not-cleaned", replies(func(a *reply) {
			if given := a.request.URL.Path; given != "/" && strings.HasSuffix(given, "/") {
				a.status, a.header["Location"] = http.StatusPermanentRedirect, []string{strings.TrimSuffix(given, "/")}
			}
		})},
		{"a page's Location has the query of the request", "D.rules", "path-page-slash", replies(func(a *reply) {
			if a.status == http.StatusPermanentRedirect {
				a.header["Location"] = []string{a.header["Location"][0] + "?" + a.request.URL.RawQuery}
			}
		})},
		{"a page with a slash is not found", "D.rules", "path-page-slash",
			restatus(http.StatusPermanentRedirect, http.StatusNotFound)},
		{"double slashes are merged", "D.rules", "path-is-not-cleaned", requests(func(r *http.Request) {
			r.URL.Path = strings.ReplaceAll(r.URL.Path, "//", "/")
		})},
		{"dots are resolved", "D.rules", "path-is-not-cleaned", requests(func(r *http.Request) {
			if strings.Contains(r.URL.Path, "/.") && !strings.Contains(r.URL.Path, "/.well-known") {
				r.URL.Path = path.Clean(r.URL.Path)
			}
		})},
		{"paths are read in any case", "7", "path-is-exact", requests(func(r *http.Request) {
			r.URL.Path = strings.ToLower(r.URL.Path)
		})},
		{"a method may be overridden", "D.rules", "no-method-override", requests(func(r *http.Request) {
			if method := r.Header.Get("X-Http-Method-Override"); method != "" {
				r.Method = method
			}
		})},
		{"OPTIONS is 200", "7", "other-methods-at-v1-contact", answered(http.StatusOK, func(a *reply) bool {
			return a.request.Method == http.MethodOptions && a.status == http.StatusMethodNotAllowed
		})},
		{"HEAD has a body", "D.rules", "head-is-answered", fronted(headBody)},
		{"HEAD is refused", "D.rules", "head-is-answered", answered(http.StatusMethodNotAllowed, func(a *reply) bool {
			return a.request.Method == http.MethodHead
		})},
		{"ask answers GET", "7", "other-methods-at-v1-ask", answersGet(contract.PathAsk)},

		// The order of errors, and what they reveal.
		{"the cap is checked before the method", "D.rules", "refusals-have-an-order",
			answered(http.StatusRequestEntityTooLarge, func(a *reply) bool {
				return a.status == http.StatusMethodNotAllowed && a.request.ContentLength > contract.CapContact
			})},
		{"the body is validated before the cap", "D.rules", "refusals-have-an-order", replies(func(a *reply) {
			if a.status == http.StatusRequestEntityTooLarge {
				a.status = http.StatusBadRequest
				a.body = edited(a.body, func(r map[string]any) { r["status"], r["code"] = 400, contract.InvalidRequest })
			}
		})},
		{"404 is a page if Accept names HTML", "7", "every-error-is-a-problem-record", replies(func(a *reply) {
			if a.status == http.StatusNotFound && strings.Contains(a.request.Header.Get("Accept"), contract.TypeHTML) {
				a.header["Content-Type"], a.body = []string{contract.TypeHTML}, []byte("<h1>Not found</h1>")
			}
		})},
		{"a panic is answered with its stack", "7", "invalid-request",
			at(func(_ middleware.HandlerFunc, _ routes.Limiters, w http.ResponseWriter, _ *http.Request) error {
				http.Error(w, "panic: runtime error\ngoroutine 7 [running]:", http.StatusInternalServerError)
				return nil
			}, contract.PathContact)},
		{"an error reveals its place in the code", "D.problem", "errors-show-nothing-inside",
			problems(func(record map[string]any) {
				record["trace"] = "goroutine 7 [running]: main.go:12"
			})},
	}
}

// answersGet adds a route that answers GET with an empty 200.
func answersGet(path string) change {
	return tabled(func(table []routes.Route, _ routes.Limiters) []routes.Route {
		return append(table, routes.Route{Method: http.MethodGet, Path: path,
			Handler: func(http.ResponseWriter, *http.Request) error {
				return nil
			}})
	})
}

// headBody answers HEAD with the body of GET. It bypasses net/http, which drops bodies of
// HEAD.
func headBody(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodHead || r.URL.Path != contract.PathHealth {
		next.ServeHTTP(w, r)
		return
	}
	recorder := httptest.NewRecorder()
	next.ServeHTTP(recorder, r)
	conn, out, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprint(out, "HTTP/1.1 200 OK\r\nConnection: close\r\n")
	_ = recorder.Header().Write(out)
	fmt.Fprintf(out, "\r\n%s", recorder.Body)
	_ = out.Flush() // fails when the client has gone
}
