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

// TestSignedAnswers: what a layer of the route or its handler refuses is signed too, and the signing layer, which
// buffers the answer, does not hide the cause of a failure from the log.
func TestSignedAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
	}{
		{"catalog, HEAD", "HEAD", contract.PathCatalog, "", 200},
		{"catalog", "GET", contract.PathCatalog, "", 200},
		{"too large", "POST", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), 413},
		{"not delivered", "POST", contract.PathContactAlias, real, 502},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			f := newFrontWith(t, &log, nil)
			f.Mail.FailWith(errDelivery)
			verifier := signing.NewVerifier()
			w := f.send(t, alice, tt.method, tt.path, tt.body, "Accept-Signature: "+verifier.AcceptSignature(),
				"Accept-Encoding: gzip")
			if w.Code != tt.status {
				t.Fatalf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
			for line := range strings.Lines(log.String()) {
				if strings.Contains(line, `"message":"request"`) && strings.Contains(line, `"error":`) != (tt.status >= 400) {
					t.Errorf("the line of the request: %s", line)
				}
			}
			verify(t, f, verifier, tt.method, tt.path, w)
			if got := w.Header().Get("Cache-Control"); !strings.HasSuffix(got, "no-transform") {
				t.Errorf("Cache-Control = %q: an intermediary may break the signature", got)
			}
		})
	}
}
