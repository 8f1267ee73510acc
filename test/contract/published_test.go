package contract_test

import (
	"encoding/json"
	"encoding/xml"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts are the documents that repeat the contract in words.
var texts = []string{"/llms.txt", "/auth.md", "/developers.md"}

// TestWordsAgreeWithTheContract looks for every number, path and rule of the
// contract in the documents that agents read.
func TestWordsAgreeWithTheContract(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	words := map[string]string{}
	for _, path := range append([]string{"/.well-known/agent-skills/front-desk/SKILL.md"}, texts...) {
		words[path] = document(t, d, path)
	}
	words["/openapi.json"] = loadDescription(t).Info.Description
	tests := []struct {
		documents []string
		needs     []string
	}{
		{[]string{"/llms.txt", "/developers.md"}, []string{
			"/v1/health", "/v1/catalog", "/agents.json", "/v1/ask", "/api/ask", "/api/ask/feedback", "/v1/contact", "/api/contact",
			"/mcp", "/api/public/mcp", "/openapi.json", "Service-API-Version: 1", "start_trial",
		}},
		{texts, []string{`"ask";q=5;w=60`, `"contact";q=3;w=60`, "Retry-After"}},
		{[]string{"/llms.txt", "/openapi.json"}, []string{
			"`business` is required", "`/v2`", "`Deprecation`", "`Sunset`", "at least 6 months before its removal", "Nothing is deprecated now",
			"It is not in a package registry yet", "A bearer token is ignored", "A person provisions accounts|a person provisions them", "start_trial",
		}},
		{[]string{"/llms.txt"}, []string{"up to 300 characters"}},
		{[]string{"/developers.md"}, []string{"300", "200", "5000", "254", "400", "2048", "8192"}},
		{[]string{"/developers.md", "/auth.md"}, []string{
			"invalid_request", "forbidden", "not_found", "method_not_allowed", "payload_too_large", "rate_limited", "internal_error", "bad_gateway",
		}},
		{[]string{"/auth.md"}, []string{"# auth.md", "`business` is required", "no authorization server", "no token endpoint", "must not create workspace accounts"}},
		{[]string{"/.well-known/agent-skills/front-desk/SKILL.md"}, []string{"name: front-desk", "up to 300 characters", "Do not create a workspace account"}},
	}
	for _, tt := range tests {
		for _, document := range tt.documents {
			for _, need := range tt.needs {
				if !slices.ContainsFunc(strings.Split(need, "|"), func(s string) bool { return strings.Contains(words[document], s) }) {
					t.Errorf("%s does not say %s", document, need)
				}
			}
		}
	}
}

// document fetches a document, which must be there.
func document(t *testing.T, d *harness.Desk, path string) string {
	t.Helper()
	got := d.Send(t, harness.NewClient(t), http.MethodGet, path, "")
	harness.WantStatus(t, got, http.StatusOK)
	return string(got.Text)
}

// TestAgentAuthIsSection5 reads the descriptor from /auth.md. claim_uri is at the top
// level too (decisions, Documents).
func TestAgentAuthIsSection5(t *testing.T) {
	t.Parallel()
	guide := document(t, harness.Start(t, nil), "/auth.md")
	_, rest, _ := strings.Cut(guide, "```json\n")
	block, _, found := strings.Cut(rest, "```")
	var got any
	if err := json.Unmarshal([]byte(block), &got); err != nil || !found {
		t.Fatalf("no JSON in /auth.md: %v", err)
	}
	want := map[string]any{"agent_auth": map[string]any{
		"skill":                    "http://localhost:8080/auth.md",
		"register_uri":             "http://localhost:8080/v1/contact",
		"claim_uri":                "http://localhost:8080/v1/catalog",
		"identity_types_supported": []any{"anonymous"},
		"anonymous": map[string]any{
			"credential_types_supported": []any{"none"}, "claim_uri": "http://localhost:8080/v1/catalog",
		},
	}}
	expect.Same(t, "difference", any(want), got)
}

// TestServerCardIsWhatInitializeSays compares the card, which is the same at each of its
// paths, with the running server (SEP-2127: a card should not contradict serverInfo). A
// transcript shows the rest of it.
func TestServerCardIsWhatInitializeSays(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	got := d.Send(t, harness.NewClient(t), http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	harness.WantStatus(t, got, http.StatusOK)
	type info struct{ Name, Version, Title string }
	initialized := expect.JSON[struct{ Result struct{ ServerInfo info } }](t, got.Text)
	for _, path := range []string{"/mcp/server-card", "/.well-known/mcp/server-card.json", "/.well-known/mcp.json"} {
		card := expect.JSON[struct {
			info
			ServerInfo info
		}](t, []byte(document(t, d, path)))
		if server := initialized.Result.ServerInfo; server != card.info || server != card.ServerInfo {
			t.Errorf("initialize says %+v, %s %+v", server, path, card)
		}
	}
}

// TestListsOfPagesAgree compares sitemap, llms.txt and llms-full.txt with the pages of
// the service.
func TestListsOfPagesAgree(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	var sitemap struct {
		Locations []string `xml:"url>loc"`
	}
	expect.OK(t, xml.Unmarshal([]byte(document(t, d, "/sitemap.xml")), &sitemap))
	var want, twins, whole []string
	for _, path := range []string{"/", "/developers", "/pricing", "/faq", "/auth", "/privacy", "/terms"} {
		want = append(want, harness.Base+path)
		whole = append(whole, "Source: "+harness.Base+path)
		twins = append(twins, strings.Replace(harness.Base+path+".md", "8080/.md", "8080/index.md", 1))
	}
	expect.Same(t, "sitemap", want, sitemap.Locations)
	linked := regexp.MustCompile(`(?m)^- \[[^\]]+\]\(([^)]+)\)`)
	var listed []string
	for _, link := range linked.FindAllStringSubmatch(document(t, d, "/llms.txt"), -1) {
		listed = append(listed, link[1])
	}
	expect.Same(t, "llms.txt", twins, listed)
	full := regexp.MustCompile(`(?m)^Source: .*$`).FindAllString(document(t, d, "/llms-full.txt"), -1)
	expect.Same(t, "llms-full.txt", whole, full)
}

// address matches addresses of this service in a document.
var address = regexp.MustCompile(regexp.QuoteMeta(harness.Base) + `(/[A-Za-z0-9._/-]*)?`)

// TestEveryPublishedAddressAnswers follows every address of the service that any
// document or page names.
func TestEveryPublishedAddressAnswers(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, func(s *config.Settings) { s.MCPRegistryAuth, s.OpenAIAppsChallenge = "v=MCPv1", "token" })
	client := harness.NewClient(t)
	sources := []string{"/", "/developers", "/pricing", "/faq", "/auth", "/privacy", "/ask", "/contact"}
	for _, route := range routeTable() {
		if route.Method == http.MethodGet && !strings.Contains(route.Path, "{") {
			sources = append(sources, route.Paths()...)
		}
	}
	seen := map[string]bool{}
	for _, source := range sources {
		for _, match := range address.FindAllStringSubmatch(document(t, d, source), -1) {
			path := strings.TrimRight(match[1], ".")
			if seen[path] || path == "/v1" || slices.Contains(mcpPaths, path) {
				continue
			}
			seen[path] = true
			if got := d.Send(t, client, http.MethodGet, "/"+strings.TrimPrefix(path, "/"), ""); got.StatusCode == http.StatusNotFound {
				t.Errorf("%s names %s, which does not exist", source, path)
			}
		}
	}
	if len(seen) < 25 {
		t.Errorf("only %d addresses were found", len(seen))
	}
}
