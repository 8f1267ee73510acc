package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/records"
)

// callTool calls a tool over real HTTP.
func (d *desk) callTool(t testing.TB, client *http.Client, path, tool, arguments string, header ...string) answer {
	t.Helper()
	return d.send(t, client, http.MethodPost, path, toolCall(tool, arguments), header...)
}

// TestToolsAnswerAsHTTPDoes compares what a tool returns with what the HTTP API
// answers, field by field.
func TestToolsAnswerAsHTTPDoes(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	tests := []struct {
		tool, arguments string
		method, path    string
		body            string
	}{
		{"list_services", `{}`, http.MethodGet, "/v1/catalog", ""},
		{"ask_faq", question("Who is it for?"), http.MethodPost, "/v1/ask", question("Who is it for?")},
		{"ask_faq", question("Do you fix bicycles?"), http.MethodPost, "/v1/ask", question("Do you fix bicycles?")},
		{"request_pilot", contactBody(`,"dry_run":true`), http.MethodPost, "/v1/contact", contactBody(`,"dry_run":true`)},
	}
	for _, tt := range tests {
		overHTTP := d.send(t, client, tt.method, tt.path, tt.body, jsonType)
		wantStatus(t, overHTTP, http.StatusOK)
		var got struct {
			Result struct{ StructuredContent json.RawMessage }
		}
		if err := json.Unmarshal(d.callTool(t, client, contract.PathMCP, tt.tool, tt.arguments).body, &got); err != nil {
			t.Fatal(err)
		}
		if want := string(bytes.TrimSpace(overHTTP.body)); string(got.Result.StructuredContent) != want {
			t.Errorf("%s %s:\n%s\nover HTTP:\n%s", tt.tool, tt.arguments, got.Result.StructuredContent, want)
		}
	}
}

// TestPreviewOverBothFaces approves a dry run of one face and sends on the other.
func TestPreviewOverBothFaces(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	var preview contract.Preview
	if err := json.Unmarshal(d.send(t, client, http.MethodPost, "/v1/contact", contactBody(`,"dry_run":true`), jsonType).body, &preview); err != nil {
		t.Fatal(err)
	}
	sent := d.callTool(t, client, contract.PathMCP, "request_pilot", contactBody(fmt.Sprintf(`,"preview":%q`, preview.Digest)))
	if !bytes.Contains(sent.body, []byte(`"status":"accepted"`)) {
		t.Fatalf("answer = %s", sent.body)
	}
	mails := d.mail.Messages()
	if len(mails) != 1 {
		t.Fatalf("%d mails, want 1", len(mails))
	}
	if _, text := mails[0].Read(t); strings.TrimSpace(text) != strings.TrimSpace(preview.WouldSend.Text) {
		t.Errorf("the mail is not the one that was approved:\n%s", text)
	}
}

// TestSixAskOverBothFaces asks at the same time over both faces: five are answered,
// whichever they are.
func TestSixAskOverBothFaces(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	codes := make([]int, 12)
	var group sync.WaitGroup
	for i := range codes {
		group.Go(func() {
			if i%2 == 0 {
				codes[i] = d.send(t, client, http.MethodPost, "/v1/ask", question("Who is it for?")).StatusCode
				return
			}
			codes[i] = d.callTool(t, client, contract.PathMCP, "ask_faq", question("Who is it for?")).StatusCode
		})
	}
	group.Wait()
	slices.Sort(codes)
	if codes[4] != 200 || codes[5] != 429 {
		t.Errorf("statuses = %v, want five 200", codes)
	}
}

// TestHeaderNamesOfMCPOnTheWire reads the bytes of an answer: the names are spelled
// as the contract does.
func TestHeaderNamesOfMCPOnTheWire(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	conn, err := net.Dial("tcp", d.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := toolCall("ask_faq", question("Who is it for?"))
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	var head []string
	for lines := bufio.NewScanner(conn); lines.Scan() && lines.Text() != ""; {
		head = append(head, lines.Text())
	}
	for _, line := range []string{`RateLimit-Policy: "ask";q=5;w=60`, `RateLimit: "ask";r=4`} {
		if !slices.Contains(head, line) {
			t.Errorf("the answer lacks %q: %q", line, head)
		}
	}
}

// TestWorkspaceOriginOverHTTP serves the application's pages at its own MCP server.
func TestWorkspaceOriginOverHTTP(t *testing.T) {
	t.Parallel()
	d := startDesk(t, func(s *config.Settings) { s.AppURL = "https://app.example/desk" })
	client := newClient(t)
	const app = "Origin: https://app.example"
	for path, status := range map[string]int{contract.PathWorkspaceMCP: 200, contract.PathMCP: 403} {
		a := d.send(t, client, http.MethodPost, path, rpc("ping", ""), app)
		wantStatus(t, a, status)
		if allowed := a.Header.Get("Access-Control-Allow-Origin") == "https://app.example"; allowed != (status == 200) {
			t.Errorf("%s: Access-Control-Allow-Origin is sent: %v", path, allowed)
		}
	}
	preflight := d.send(t, client, http.MethodOptions, contract.PathWorkspaceMCP, "", app, "Access-Control-Request-Method: POST")
	wantStatus(t, preflight, http.StatusNoContent)
}

// TestTrials stores drafts, lists them, and tells the owner only where that is set.
func TestTrials(t *testing.T) {
	t.Parallel()
	for _, told := range []bool{false, true} {
		t.Run(fmt.Sprint("mail ", told), func(t *testing.T) {
			t.Parallel()
			var data string
			d := startDesk(t, func(s *config.Settings) {
				data, s.TrialMail, s.AppURL = s.Data, fmt.Sprint(told), "https://app.example"
			})
			a := d.callTool(t, newClient(t), contract.PathWorkspaceMCP, "start_trial", trialRequest)
			var got struct {
				Result struct{ StructuredContent contract.Trial }
			}
			if err := json.Unmarshal(a.body, &got); err != nil {
				t.Fatal(err)
			}
			trial := got.Result.StructuredContent
			if want := "https://app.example/workspaces/" + trial.WorkspaceID; trial.URL == nil || *trial.URL != want {
				t.Errorf("trial = %s, want the url %s", a.body, want)
			}
			if n := len(d.mail.Messages()); n != map[bool]int{true: 1}[told] {
				t.Errorf("%d mails", n)
			}
			var out, errs bytes.Buffer
			if code := run(t.Context(), []string{"workspaces", "--json", "--data", data}, streams{out: &out, err: &errs}); code != 0 {
				t.Fatalf("exit %d: %s", code, &errs)
			}
			var listed []records.Workspace
			if err := json.Unmarshal(out.Bytes(), &listed); err != nil || len(listed) != 1 {
				t.Fatalf("%v: %s", err, &out)
			}
			if w := listed[0]; w.ID != trial.WorkspaceID || w.State != "draft" || w.Email != "ada@example.com" || !w.CreatedAt.Truncate(time.Second).Equal(trial.CreatedAt) {
				t.Errorf("listed = %+v", w)
			}
			out.Reset()
			if code := run(t.Context(), []string{"workspaces", "--data", data}, streams{out: &out, err: &errs}); code != 0 || !strings.Contains(out.String(), trial.WorkspaceID) {
				t.Errorf("exit %d: %s", code, &out)
			}
		})
	}
}

// TestNoTrials lists an empty database as an array, and says so to people.
func TestNoTrials(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for args, want := range map[string]string{"--json": "[]\n", "": "No trials yet.\n"} {
		var out, errs bytes.Buffer
		line := slices.DeleteFunc([]string{"workspaces", args, "--data", data}, func(s string) bool { return s == "" })
		if code := run(t.Context(), line, streams{out: &out, err: &errs}); code != 0 || out.String() != want {
			t.Errorf("exit %d: %q %s, want %q", code, &out, &errs, want)
		}
	}
}

// TestTrialMailSetting refuses a value that is neither.
func TestTrialMailSetting(t *testing.T) {
	t.Parallel()
	settings := config.Settings{TrialMail: "yes"}
	if _, err := settings.Service(defaultPort); err == nil || !strings.Contains(err.Error(), "FRONTDESK_TRIAL_MAIL") {
		t.Errorf("error = %v, want one that names the setting", err)
	}
}

// TestAllResources reads the five resources of section 4 and compares each with what
// HTTP serves under its address.
func TestAllResources(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	var list struct {
		Result struct{ Resources []struct{ URI, Name string } }
	}
	if err := json.Unmarshal(d.send(t, client, http.MethodPost, contract.PathMCP, rpc("resources/list", "")).body, &list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]string{}
	for _, resource := range list.Result.Resources {
		byName[resource.Name] = resource.URI
	}
	for name, path := range map[string]string{
		"llms.txt": "/llms.txt", "openapi.json": "/openapi.json", "agents.json": "/agents.json",
		"pricing": "/pricing", "developers": "/developers",
	} {
		t.Run(name, func(t *testing.T) {
			document := d.send(t, client, http.MethodGet, path, "", "Accept: text/markdown, */*;q=0.1")
			if document.StatusCode == http.StatusNotFound && byName[name] == "" {
				t.Skipf("%s is not published yet", path)
			}
			wantStatus(t, document, http.StatusOK)
			if byName[name] != publishedBase+path {
				t.Fatalf("resource %q, want %s", byName[name], publishedBase+path)
			}
			var read struct {
				Result struct{ Contents []struct{ Text string } }
			}
			body := d.send(t, client, http.MethodPost, contract.PathMCP, rpc("resources/read", fmt.Sprintf(`{"uri":%q}`, byName[name]))).body
			if err := json.Unmarshal(body, &read); err != nil || len(read.Result.Contents) != 1 {
				t.Fatalf("%v: %s", err, body)
			}
			if read.Result.Contents[0].Text != string(document.body) {
				t.Error("MCP reads other bytes than HTTP serves")
			}
		})
	}
}
