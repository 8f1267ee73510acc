package routes_test

import (
	"bytes"
	"strings"
	"testing"

	"frontdesk/contract"
)

// What a layer of the route or its handler refuses is signed too, and the signing layer, which buffers the answer, does
// not hide the cause of a failure from the log.
func TestSignedRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path, body string
		status           int
	}{
		{"too large", contract.PathAsk, strings.Repeat(" ", contract.CapAsk+1), 413},
		{"not delivered", contract.PathContactAlias, real, 502},
	} {
		var log bytes.Buffer
		f := newLogged(t, &log)
		f.Mail.FailWith(errDelivery)
		w := f.post(t, alice, tt.path, tt.body, `Accept-Signature: sig1=("@status" "content-digest")`)
		if w.Code != tt.status || w.Header().Get("Signature") == "" {
			t.Errorf("%s: %d %v, want %d with a signature", tt.name, w.Code, w.Header(), tt.status)
		}
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, `"message":"request"`) && !strings.Contains(line, `"error":`) {
				t.Errorf("%s: the line of the request lacks the cause: %s", tt.name, line)
			}
		}
	}
}
