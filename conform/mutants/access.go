package mutants

import (
	"net/http"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/middleware"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

// accessMutants break section 5.
func accessMutants() []Mutant {
	return []Mutant{
		{"the origin is compared with Host", "5.7", "origin-is-not-compared-with-host",
			deaf("Origin", func(r *http.Request, origin string) bool {
				_, host, _ := strings.Cut(origin, "://")
				return host == r.Host
			})},
		{"an origin that begins with the service's own is accepted", "5.7", "origin-foreign",
			deaf("Origin", func(_ *http.Request, origin string) bool {
				return strings.HasPrefix(origin, harness.Base)
			})},
		{"an origin that ends with the service's own is accepted", "5.7", "origin-foreign",
			deaf("Origin", func(_ *http.Request, origin string) bool {
				return strings.HasSuffix(origin, strings.TrimPrefix(harness.Base, "http://"))
			})},
		{"an origin on another port is accepted", "5.7", "origin-foreign", deaf("Origin", equal("http://localhost:1"))},
		{"the origin null is accepted", "D.origin", "origin-malformed", deaf("Origin", equal("null"))},
		{"an empty origin is accepted", "D.origin", "origin-malformed", deaf("Origin", equal(""))},
		{"only the first of two origins is checked", "D.origin", "origin-malformed", requests(func(r *http.Request) {
			if given := r.Header["Origin"]; len(given) > 1 {
				r.Header["Origin"] = given[:1]
			}
		})},
		{"GET is allowed for every origin", "5.7", "origin-foreign-everywhere",
			deaf("Origin", func(r *http.Request, _ string) bool {
				return r.Method == http.MethodGet
			})},
		{"the MCP server ignores origins", "4.mcp", "mcp-origins", deaf("Origin", atPath(contract.PathMCP))},
		{"the workspace's server ignores origins", "4.workspace", "workspace-origins",
			deaf("Origin", atPath(contract.PathWorkspaceMCP))},
		{"the route is checked before the origin", "D.origin", "origin-goes-before-the-route",
			deaf("Origin", atPath("/v1/nope"))},
		{"the service's own origin is refused", "5.7", "origin-own", wired(func(w *app.Wiring) {
			w.Layers.Origins = middleware.Origins{Base: "https://desk.example"}
		})},
		{"every origin may read answers", "5.7", "origin-foreign", with("Access-Control-Allow-Origin", "*")},
		{"discovery documents are closed to other origins", "D.origin", "discovery-is-open-to-all",
			routed(func(r *routes.Route, _ routes.Limiters) {
				r.AnyOrigin = false
			}, contract.PathAPICatalog)},
		{"a bearer token is required", "5.3", "ignored-authorization", answered(http.StatusUnauthorized, func(a *reply) bool {
			return a.request.Header.Get("Authorization") != ""
		})},
		{"a malformed token is 400", "5.3", "ignored-authorization", answered(http.StatusBadRequest, func(a *reply) bool {
			return strings.HasPrefix(a.request.Header.Get("Authorization"), "Basic !")
		})},
		{"an invalid signature is 401", "5.8", "signatures-are-not-checked",
			answered(http.StatusUnauthorized, func(a *reply) bool {
				return a.request.Header.Get("Signature") != ""
			})},
		{"the key directory publishes the private key", "5.8", "key-directory-holds-public-keys",
			documents(func(object map[string]any) {
				for _, key := range object["keys"].([]any) {
					key.(map[string]any)["d"] = "c2VjcmV0"
				}
			}, contract.PathKeyDirectory)},
		{"the key directory is signed for any host", "D.origin", "nothing-is-signed-for-a-foreign-host",
			requests(func(r *http.Request) {
				if r.URL.Path == contract.PathKeyDirectory {
					r.Host = strings.TrimPrefix(harness.Base, "http://")
				}
			})},
		{"auth.md offers OAuth", "5.4", "identity-is-anonymous", rewritten(`"anonymous"`, `"oauth"`, contract.PathAuthGuide)},
	}
}
