package routes_test

import (
	"bytes"
	"crypto/ed25519"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/signing"
)

func serviceKey() signing.Key {
	key, err := signing.NewKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	if err != nil {
		panic(err)
	}
	return key
}

// verify checks an answer as a caller that requested its signature would.
func verify(t *testing.T, f front, verifier *signing.Verifier, method, path string, w *httptest.ResponseRecorder) {
	t.Helper()
	keys := f.send(t, alice, "GET", base+contract.PathKeyDirectory, "").Result()
	keys.Request = httptest.NewRequestWithContext(t.Context(), "GET", base+contract.PathKeyDirectory, nil)
	answer := w.Result()
	answer.Request = httptest.NewRequestWithContext(t.Context(), method, base+path, nil)
	if method == "HEAD" { // net/http sends no body; the recorder does
		answer.Body = http.NoBody
	}
	id, _, err := verifier.Verify(keys, answer)
	if err != nil || id != serviceKey().ID {
		t.Errorf("%q, %v; want the answer signed by %s: %v", id, err, serviceKey().ID, w.Header())
	}
}

func TestSignedAnswers(t *testing.T) {
	t.Parallel()
	useUp := func(path, body string, times int) func(*testing.T, front) {
		return func(t *testing.T, f front) {
			for range times {
				f.post(t, alice, path, body)
			}
		}
	}
	tests := []struct {
		name, method, path, body string
		header                   string
		before                   func(*testing.T, front)
		status                   int
	}{
		{"ask", "POST", contract.PathAsk, ask, "", nil, 200},
		{"catalog", "GET", contract.PathCatalog, "", "", nil, 200},
		{"catalog, HEAD", "HEAD", contract.PathCatalog, "", "", nil, 200},
		{"catalog, compressed", "GET", contract.PathCatalog, "", "Accept-Encoding: gzip", nil, 200},
		{"contact, dry run with any preview", "POST", contract.PathContact, strings.Replace(dry, "{", `{"preview":"0",`, 1), "", nil, 200},
		{"contact", "POST", contract.PathContactAlias, real, "", nil, 200},
		{"invalid", "POST", contract.PathAsk, `{}`, "", nil, 400},
		{"too large", "POST", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), "", nil, 413},
		{"limited", "POST", contract.PathAsk, ask, "", useUp(contract.PathAsk, ask, contract.AskPolicy.Quota), 429},
		{"not delivered", "POST", contract.PathContact, real, "", func(_ *testing.T, f front) { f.Mail.FailWith(errDelivery) }, 502},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t)
			if tt.before != nil {
				tt.before(t, f)
			}
			verifier := signing.NewVerifier()
			header := []string{"Accept-Signature: " + verifier.AcceptSignature()}
			if tt.header != "" {
				header = append(header, tt.header)
			}
			w := f.send(t, alice, tt.method, tt.path, tt.body, header...)
			if w.Code != tt.status {
				t.Fatalf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
			verify(t, f, verifier, tt.method, tt.path, w)
			if got := w.Header().Get("Cache-Control"); !strings.HasSuffix(got, "no-transform") {
				t.Errorf("Cache-Control = %q: an intermediary may break the signature", got)
			}
		})
	}
}

// The signing layer, which buffers the answer,
// does not hide the cause of a failure from the log.
func TestSignedFailuresAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	f := newFrontWith(t, &log, nil)
	f.Mail.FailWith(errDelivery)
	f.post(t, alice, contract.PathContact, real, "Accept-Signature: sig1=()")
	if !strings.Contains(log.String(), "452") || !strings.Contains(log.String(), `"status":502`) {
		t.Errorf("log = %s, want the cause and the status", &log)
	}
}
