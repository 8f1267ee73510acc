package discovery

import (
	"frontdesk/internal/expect"
	"testing"
)

func TestPageLinks(t *testing.T) {
	t.Parallel()
	const documents = `<https://desk.example/llms.txt>; rel="describedby"; type="text/plain", ` +
		`<https://desk.example/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json", ` +
		`<https://desk.example/openapi.json>; rel="service-desc"; type="application/json", ` +
		`<https://desk.example/developers>; rel="service-doc"; type="text/html", ` +
		`<https://desk.example/v1/health>; rel="status"; type="application/json", ` +
		`<https://desk.example/.well-known/ard.json>; rel="ard"; type="application/json"`
	tests := []struct{ path, html, markdown string }{
		{"/pricing", `<https://desk.example/pricing.md>; rel="alternate"; type="text/markdown"`,
			`<https://desk.example/pricing>; rel="canonical"; type="text/html"`},
		{"/", `<https://desk.example/index.md>; rel="alternate"; type="text/markdown"`,
			`<https://desk.example/>; rel="canonical"; type="text/html"`},
	}
	for _, tt := range tests {
		html, markdown := Addresses{Base: "https://desk.example"}.pageLinks(tt.path)
		got := []string{html, markdown}
		want := []string{tt.html + ", " + documents, tt.markdown + ", " + documents}
		expect.Same(t, tt.path, want, got)
	}
}
