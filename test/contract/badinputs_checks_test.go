package contract_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// check compares an answer with the expectations of a step and with the rules for every
// answer of the API.
func (s badStep) check(t *testing.T, method string, a harness.Answer) {
	t.Helper()
	if !slices.Contains(s.ExpectedStatus, a.StatusCode) {
		t.Fatalf("status %d, want one of %v: %s", a.StatusCode, s.ExpectedStatus, a.Text)
	}
	for name, pattern := range s.ExpectedHeaders {
		if !regexp.MustCompile(pattern).MatchString(a.Header.Get(name)) {
			t.Errorf("%s = %q, want %s", name, a.Header.Get(name), pattern)
		}
	}
	for name, text := range s.AbsentSubstring {
		if strings.Contains(a.Header.Get(name), text) {
			t.Errorf("%s = %q holds %q", name, a.Header.Get(name), text)
		}
	}
	underV1 := strings.HasPrefix(s.Path, "/v1/")
	reached := a.Header.Get("X-Request-Id") != "" // net/http refuses some requests itself
	if underV1 && reached && a.Header.Get("Service-API-Version") != "1" {
		t.Error("the version header is missing")
	}
	if (underV1 || strings.HasPrefix(s.Path, "/api/")) && reached && a.StatusCode >= 400 && method != http.MethodHead {
		if fault := faultOf(a.StatusCode, a.Header, a.Text); fault != "" {
			t.Fatalf("%s: %s", fault, a.Text)
		}
		if problem := expect.JSON[contract.Problem](t, a.Text); s.ExpectedCode != nil && !slices.Contains(s.ExpectedCode, string(problem.Code)) {
			t.Errorf("code %q, want one of %v", problem.Code, s.ExpectedCode)
		}
	}
}

func (c badInput) checkBody(t *testing.T, a harness.Answer) {
	t.Helper()
	var body map[string]any
	_ = json.Unmarshal(a.Text, &body) // pages are not JSON; their cases expect no members
	for name, want := range c.JSON {
		if body[name] != want {
			t.Errorf("%s = %v, want %v", name, body[name], want)
		}
	}
	detail, _ := body["detail"].(string)
	names := c.DetailNames
	if a.StatusCode == http.StatusBadRequest {
		names = cmp.Or(names, c.DetailIf400)
	}
	if !strings.Contains(detail, names) {
		t.Errorf("detail %q does not name %s", detail, names)
	}
	for _, text := range c.Contains {
		if !bytes.Contains(a.Text, []byte(text)) {
			t.Errorf("the body lacks %q: %s", text, a.Text)
		}
	}
	for _, text := range c.NotContains {
		if bytes.Contains(a.Text, []byte(text)) {
			t.Errorf("the body holds %q: %s", text, a.Text)
		}
	}
	for _, name := range c.Absent {
		if a.Header.Values(name) != nil {
			t.Errorf("%s is sent: %v", name, a.Header.Values(name))
		}
	}
	for name, values := range c.AbsentValues {
		if slices.Contains(values, a.Header.Get(name)) {
			t.Errorf("%s = %q", name, a.Header.Get(name))
		}
	}
	if c.NoBody && len(a.Text) > 0 {
		t.Errorf("there is a body: %q", a.Text)
	}
	if c.NotHTML && strings.Contains(a.Header.Get("Content-Type"), "html") {
		t.Error("the answer is HTML")
	}
}

// checkRPC checks that an answer is a JSON-RPC error with one of the codes.
func (c badInput) checkRPC(t *testing.T, a harness.Answer) {
	t.Helper()
	got := expect.JSON[struct{ Error contract.RPCError }](t, a.Text)
	if !slices.Contains(c.RPCCode, got.Error.Code) || got.Error.Message == "" {
		t.Errorf("JSON-RPC error %d, want one of %v: %s", got.Error.Code, c.RPCCode, a.Text)
	}
}

// checkCorpus checks that an answer is approved text, byte for byte.
func (c badInput) checkCorpus(t *testing.T, d *harness.Desk, a harness.Answer) {
	t.Helper()
	got := expect.JSON[contract.Answer](t, a.Text)
	faq := d.Live().FAQ
	approved := []string{faq.Fallback}
	for _, entry := range faq.Entries {
		approved = append(approved, entry.Answer)
	}
	if !slices.Contains(approved, got.Answer) {
		t.Errorf("the answer is no approved text: %q", got.Answer)
	}
}

func (c badInput) checkMail(t *testing.T, d *harness.Desk) {
	t.Helper()
	sent := len(d.Mail.Messages())
	switch {
	case c.NoSend && sent > 0:
		t.Errorf("%d mails were sent", sent)
	case c.RealSends != nil && sent != *c.RealSends:
		t.Errorf("%d mails were sent, want %d", sent, *c.RealSends)
	case c.RealAtMost != nil && sent > *c.RealAtMost:
		t.Errorf("%d mails were sent, want at most %d", sent, *c.RealAtMost)
	}
}
