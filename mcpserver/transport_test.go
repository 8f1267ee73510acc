package mcpserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestHeaders checks the headers of a message; a refusal repeats the id.
func TestHeaders(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	const version, accept = "Mcp-Protocol-Version: ", "Accept: "
	tests := []struct {
		name   string
		header []string
		status int
	}{
		{"none", nil, 200},
		{"newer version", []string{version + "2025-06-18"}, 200},
		{"older version", []string{version + "2025-03-26"}, 200},
		{"both versions", []string{version + "2025-03-26", version + "2025-06-18"}, 200},
		{"version before", []string{version + "2024-11-05"}, 400},
		{"version after", []string{version + "2025-11-25"}, 400},
		{"version without a handshake", []string{version + "2026-07-28"}, 400},
		{"nonsense version", []string{version + "abc"}, 400},
		{"empty version", []string{version}, 400},
		{"one version is wrong", []string{version + "2025-06-18", version + "1999-01-01"}, 400},
		{"versions in one line", []string{version + "2025-06-18, 2025-03-26"}, 400},
		{"what clients send", []string{accept + "application/json, text/event-stream"}, 200},
		{"only JSON", []string{accept + "application/json"}, 200},
		{"anything", []string{accept + "*/*"}, 200},
		{"any application", []string{accept + "application/*;q=0.1"}, 200},
		{"in another case", []string{accept + "Application/JSON"}, 200},
		{"only streams", []string{accept + "text/event-stream"}, 406},
		{"pages", []string{accept + "text/html"}, 406},
		{"JSON excluded", []string{accept + "application/json;q=0, */*"}, 406},
		{"all excluded", []string{accept + "*/*;q=0"}, 406},
		{"another JSON", []string{accept + "application/problem+json"}, 406},
		{"a session of another server", []string{"Mcp-Session-Id: x"}, 200},
		{"any content type", []string{"Content-Type: text/plain"}, 200},
		{"coded", []string{"Content-Encoding: br"}, 400},
		{"version and Accept", []string{version + "x", accept + "text/html"}, 400},
	}
	for _, tt := range tests {
		for _, method := range []string{"ping", "initialize"} {
			t.Run(tt.name+"/"+method, func(t *testing.T) {
				t.Parallel()
				w := f.website.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"a","method":%q}`, method), tt.header...)
				if w.Code != tt.status {
					t.Fatalf("status %d, want %d: %s", w.Code, tt.status, w.Body)
				}
				got := replyOf(t, w)
				wantCode := map[int]int{200: 0, 400: contract.RPCServerError, 406: contract.RPCServerError}[tt.status]
				if tt.name == "coded" {
					wantCode = contract.RPCInvalidRequest
				}
				if string(got.ID) != `"a"` || (got.Error != nil) != (wantCode != 0) || got.Error != nil && got.Error.Code != wantCode {
					t.Errorf("answer = %s, want code %d", w.Body, wantCode)
				}
			})
		}
	}
	if w := f.website.post(t, `[]`, accept+"text/html"); w.Code != 406 {
		t.Errorf("a batch with a wrong Accept: %d, want 406", w.Code)
	}
}

// TestNegotiation checks that initialize may repeat its proposed version in the header,
// but name no other unsupported one there.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	hello := func(version string) string { return rpc("initialize", fmt.Sprintf(`{"protocolVersion":%q}`, version)) }
	tests := []struct {
		name, body, header string
		agreed             string // empty: refused with -32000
	}{
		{"newer", hello("2025-11-25"), "2025-11-25", "2025-06-18"},
		{"newest", hello("2026-07-28"), "2026-07-28", "2025-06-18"},
		{"older", hello("2024-11-05"), "2024-11-05", "2025-06-18"},
		{"the older of the two", hello("2025-03-26"), "2025-03-26", "2025-03-26"},
		{"the two, crossed", hello("2025-03-26"), "2025-06-18", "2025-03-26"},
		{"newer, header spoken", hello("2025-11-25"), "2025-06-18", "2025-06-18"},
		{"header differs", hello("2025-11-25"), "2026-07-28", ""},
		{"header foreign, params spoken", hello("2025-06-18"), "2025-11-25", ""},
		{"both empty", hello(""), "", ""},
		{"no params", rpc("initialize", `null`), "2025-11-25", ""},
		{"another method", rpc("ping", `{"protocolVersion":"2025-11-25"}`), "2025-11-25", ""},
		{"no JSON", `{`, "2025-11-25", ""},
		{"meta", rpc("ping", meta+`"2026-07-28"}}`), "2025-06-18", ""},
	}
	for _, tt := range tests {
		for name, server := range f.servers() {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := server.post(t, tt.body, "Mcp-Protocol-Version: "+tt.header)
				got := replyOf(t, w)
				if tt.agreed != "" {
					if w.Code != 200 || !strings.Contains(string(got.Result), `"protocolVersion":"`+tt.agreed+`"`) {
						t.Errorf("%d %s, want %s", w.Code, w.Body, tt.agreed)
					}
					return
				}
				if w.Code != 400 || got.Error == nil || got.Error.Code != -32000 || !slices.Equal(got.Error.Data.Supported, contract.MCPVersions) {
					t.Errorf("%d %s, want 400 with -32000 and the two versions", w.Code, w.Body)
				}
			})
		}
	}
}

// TestTypeOfErrors checks that a client that lists JSON but not problem+json gets JSON.
func TestTypeOfErrors(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil)
	for accept, want := range map[string]string{
		"": contract.TypeProblem, "*/*": contract.TypeProblem, "application/*": contract.TypeProblem,
		"application/json": contract.TypeJSON, "application/json, text/event-stream": contract.TypeJSON,
		"Application/JSON;q=0.5, */*":                     contract.TypeJSON,
		"application/json, application/problem+json":      contract.TypeProblem,
		"application/json;q=0, */*":                       contract.TypeProblem,
		"application/json, application/problem+json;q=0":  contract.TypeJSON,
		"text/event-stream":                               contract.TypeProblem,
		"application/problem+json, application/json;q=.1": contract.TypeProblem,
	} {
		for name, server := range f.servers() {
			var header []string
			if accept != "" {
				header = []string{"Accept: " + accept}
			}
			w := server.post(t, `[]`, header...)
			if got := w.Header().Get("Content-Type"); got != want || w.Code < 400 {
				t.Errorf("%s, Accept: %s: %d %s, want %s", name, accept, w.Code, got, want)
			}
		}
	}
}
