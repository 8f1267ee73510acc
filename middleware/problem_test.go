package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
)

// TestRefusal holds a prepared refusal to what Write answers.
func TestRefusal(t *testing.T) {
	t.Parallel()
	problems := &Problems{BaseURL: base, Page: func(string, *contract.Error, string) []byte { return []byte("a page") }}
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

// BenchmarkRefusal shows what Refusal saves: one that is prepared, and one that is
// encoded for each request.
func BenchmarkRefusal(b *testing.B) {
	problems := &Problems{BaseURL: base}
	prepared := problems.Refusal(contract.AskPolicy.Exceeded(0))
	r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, contract.PathAsk, nil)
	for name, write := range map[string]func(http.ResponseWriter){
		"prepared": func(w http.ResponseWriter) { prepared.Write(w, r, 9*time.Second) },
		"encoded":  func(w http.ResponseWriter) { problems.Write(w, r, contract.AskPolicy.Exceeded(9*time.Second)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				write(discard{http.Header{}})
			}
		})
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
