package middleware

import (
	"net/http"
	"testing"

	"frontdesk/contract"
)

// scribe keeps what it is asked to sign.
type scribe struct {
	status int
	body   string
}

func (s *scribe) SignAnswer(_ []string, status int, _ http.Header, body []byte) {
	*s = scribe{status, string(body)}
}

// TestSignedErrorReplacesAnswer: an error takes the place of an answer that was begun.
func TestSignedErrorReplacesAnswer(t *testing.T) {
	t.Parallel()
	failing := func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("half an answer"))
		return &contract.Error{Code: contract.BadGateway, Detail: "Then it broke."}
	}
	var got scribe
	handler := SignOnRequest(&got)((&Problems{BaseURL: base}).Handle(failing))
	w := serve(handler, get(t, "/v1/catalog", http.Header{"Accept-Signature": {"sig1=()"}}))
	if problem := problemOf(t, w); w.Code != 502 || problem.Code != contract.BadGateway || got != (scribe{502, w.Body.String()}) {
		t.Errorf("%d %s, signed as %+v", w.Code, w.Body, got)
	}
}
