package middleware

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"frontdesk/contract"
	"frontdesk/internal/limits"
)

type ownKey struct{}

// TestScope looks at the context of a request behind RequestLog and ClientAddress.
func TestScope(t *testing.T) {
	t.Parallel()
	outer, cancel := context.WithCancel(context.WithValue(t.Context(), ownKey{}, "kept"))
	var seen context.Context
	var requests []*http.Request
	look := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests = append(requests, r)
			next.ServeHTTP(w, r)
		})
	}
	handler := chi.Chain(RequestLog(zerolog.Nop(), nil), look, ClientAddress(nil, zerolog.Nop()), look).
		HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Context() })
	r := get(t, "/", nil).WithContext(outer)
	r.RemoteAddr = "192.0.2.7:1"
	serve(handler, r)

	if got, want := limits.ClientFrom(seen), limits.ClientOf(netip.MustParseAddr("192.0.2.7")); got != want {
		t.Errorf("after the answer the client is %v, want %v", got, want)
	}
	if got := seen.Value(ownKey{}); got != "kept" {
		t.Errorf("a value from outside is %v", got)
	}
	if requests[0] != requests[1] {
		t.Error("ClientAddress has copied the request")
	}
	inner, stop := context.WithTimeout(seen, time.Hour)
	defer stop()
	cancel()
	<-inner.Done()
	if seen.Err() == nil {
		t.Error("the end of the outer context does not end the request's")
	}
}

// TestRoutesStayApart sends requests one after the other, whose routing contexts may
// be the same one.
func TestRoutesStayApart(t *testing.T) {
	t.Parallel()
	router := chi.NewRouter()
	var got []string
	note := func(_ http.ResponseWriter, r *http.Request) { got = append(got, r.Pattern+" "+chi.URLParam(r, "id")) }
	router.Get("/a/{id}", note)
	router.Get("/b", note)
	router.NotFound(note)
	handler := RequestLog(zerolog.Nop(), nil)(router)
	for _, path := range []string{"/a/1", "/b", "/nope", "/a/2"} {
		serve(handler, get(t, path, nil))
	}
	if diff := cmp.Diff([]string{"/a/{id} 1", "/b ", " ", "/a/{id} 2"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRefusal holds a prepared refusal to what Write answers.
func TestRefusal(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base, Page: func(contract.Problem, string) []byte { return []byte("a page") }}
	for name, tt := range map[string]struct {
		path   string
		header http.Header
		wait   time.Duration
	}{
		"of the API":          {contract.PathAsk, nil, 0},
		"with a time to wait": {contract.PathAsk, nil, 9 * time.Second},
		"as a page":           {"/ask", http.Header{"Accept": {"text/html"}}, 9 * time.Second},
		"as a record":         {"/ask", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prepared := problems.Refusal(contract.AskPolicy.Exceeded(0))
			got := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { prepared.Write(w, r, tt.wait) }), get(t, tt.path, tt.header))
			want := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				problems.Write(w, r, contract.AskPolicy.Exceeded(tt.wait))
			}), get(t, tt.path, tt.header))
			if diff := cmp.Diff(answerOf(want), answerOf(got)); diff != "" {
				t.Errorf("the answer differs (-Write +Refusal):\n%s", diff)
			}
		})
	}
}

type answer struct {
	Status int
	Header http.Header
	Body   string
}

func answerOf(w *httptest.ResponseRecorder) answer {
	return answer{w.Code, w.Header(), w.Body.String()}
}
