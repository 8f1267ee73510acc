package middleware

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// scribe notes what it is asked to sign.
type scribe struct {
	accept []string
	status int
	body   string
}

func (s *scribe) SignAnswer(accept []string, status int, header http.Header, body []byte) {
	*s = scribe{accept, status, string(body)}
	header["Signature"] = []string{"signed"}
}

func TestSignOnRequest(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base}
	failing := func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("half an answer"))
		return &contract.Error{Code: contract.BadGateway, Detail: "Then it broke.", Cause: errors.New("452")}
	}
	tests := []struct {
		name    string
		method  string
		handler http.Handler
		asked   bool
		want    scribe
	}{
		{"asked", "GET", http.HandlerFunc(fine), true, scribe{[]string{"sig1=()"}, 200, "fine"}},
		{"asked with HEAD", "HEAD", http.HandlerFunc(fine), true, scribe{[]string{"sig1=()"}, 200, ""}},
		{"asked, no content", "GET", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotModified)
		}), true, scribe{[]string{"sig1=()"}, 304, ""}},
		{"not asked", "GET", http.HandlerFunc(fine), false, scribe{}},
	}
	for _, tt := range tests {
		r := get(t, "/v1/catalog", nil)
		r.Method = tt.method
		if tt.asked {
			r.Header.Set("Accept-Signature", "sig1=()")
		}
		var got scribe
		w := serve(SignOnRequest(&got)(tt.handler), r)
		expect.Same(t, tt.name+": what is signed", tt.want, got, cmp.AllowUnexported(scribe{}))
		expect.Same(t, tt.name+": signed", tt.asked, w.Header().Get("Signature") != "")
	}
	t.Run("an error takes the place of what was begun", func(t *testing.T) {
		t.Parallel()
		r := get(t, "/v1/catalog", http.Header{"Accept-Signature": {"sig1=()"}})
		var got scribe
		w := serve(SignOnRequest(&got)(problems.Handle(failing)), r)
		if problem := problemOf(t, w); w.Code != 502 || problem.Code != contract.BadGateway || got.status != 502 || got.body != w.Body.String() {
			t.Errorf("%d %s, signed as %+v", w.Code, w.Body, got)
		}
	})
}
