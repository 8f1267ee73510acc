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
