package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMCPOfSection4 holds names and versions that are typed from the contract.
func TestMCPOfSection4(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"2025-06-18", "2025-03-26"}, MCPVersions); diff != "" {
		t.Errorf("versions (-contract +got):\n%s", diff)
	}
	if MCPVersionSpoken("2025-11-25") || MCPVersionSpoken("") || !MCPVersionSpoken("2025-03-26") {
		t.Error("MCPVersionSpoken takes other versions than the two")
	}
	tools := []string{ToolListServices, ToolGetService, ToolAskFAQ, ToolRequestPilot, ToolStartTrial}
	if got := strings.Join(tools, " "); got != "list_services get_service ask_faq request_pilot start_trial" {
		t.Errorf("tools = %s", got)
	}
	if RPCInvalidParams != -32602 || RPCResourceNotFound != -32002 {
		t.Error("the codes of JSON-RPC errors are not the contract's")
	}
}

// TestRPCProblem shows both readings of one body.
func TestRPCProblem(t *testing.T) {
	t.Parallel()
	problem := InvalidBody("A batch.", "Send one message.").Problem("https://desk.example")
	for id, want := range map[string]string{`7`: `7`, `"a"`: `"a"`, ``: `null`} {
		refusal := RPCRefusal{Code: RPCInvalidRequest}
		if id != "" {
			refusal.ID = json.RawMessage(id)
		}
		body, err := json.Marshal(refusal.Problem(problem))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if string(got["id"]) != want || string(got["jsonrpc"]) != `"2.0"` || string(got["error"]) != `{"code":-32600,"message":"A batch."}` {
			t.Errorf("as a JSON-RPC error: %s", body)
		}
		if string(got["status"]) != "400" || string(got["code"]) != `"invalid_request"` || string(got["detail"]) != `"A batch."` || string(got["ok"]) != "false" {
			t.Errorf("as a problem record: %s", body)
		}
	}
}

func TestTrialBounds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request TrialRequest
		want    string
	}{
		{"whole", TrialRequest{Business: " AE ", Email: "ada@example.com", Name: "Ada", Segment: "retail"}, ""},
		{"required alone", TrialRequest{Business: "AE", Email: "ada@example.com"}, ""},
		{"empty", TrialRequest{}, "business is required; email is required"},
		{"wrong address", TrialRequest{Business: "AE", Email: "ada"}, "email must be one plain e-mail address of at most 254 ASCII characters"},
		{"long", TrialRequest{Business: strings.Repeat("b", 201), Email: "ada@example.com", Name: strings.Repeat("n", 201)},
			"business must be at most 200 characters; name must be at most 200 characters"},
		{"two lines", TrialRequest{Business: "A\nE", Email: "ada@example.com"}, "business must be one line without control or formatting characters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.request.Normalize()
			var got []string
			for _, field := range Validate(&tt.request) {
				got = append(got, field.Message)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("messages = %q, want %q", got, tt.want)
			}
		})
	}
}
