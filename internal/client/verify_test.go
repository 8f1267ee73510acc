package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

type fakeVerifier struct{}

func (fakeVerifier) AcceptSignature() string { return `answer=("@status")` }

func (fakeVerifier) Verify(directory, answer *http.Response) (string, time.Time, error) {
	keys, err := io.ReadAll(directory.Body)
	if err != nil {
		return "", time.Time{}, err
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", time.Time{}, err
	}
	if answer.Header.Get("Signature") != "good" || string(keys) != `{"keys":[]}` || !strings.Contains(string(text), "Yes.") {
		return "", time.Time{}, errors.New("the signature does not hold")
	}
	return "key-1", time.Date(2026, 11, 21, 9, 0, 0, 0, time.FixedZone("", 3600)), nil
}

// desk has a key directory unless away answers instead.
func desk(t *testing.T, signature string, away http.HandlerFunc) string {
	t.Helper()
	return handle(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == contract.PathAsk:
			if r.Header.Get("Accept-Signature") == `answer=("@status")` {
				w.Header().Set("Signature", signature)
			}
			w.Header().Set("Content-Type", contract.TypeJSON)
			io.WriteString(w, `{"ok":true,"answer":"Yes.","reason":"matched"}`)
		case away != nil:
			away(w, r)
		case r.URL.Path == contract.PathKeyDirectory:
			w.Header().Set("Content-Type", contract.TypeKeyDirectory)
			io.WriteString(w, `{"keys":[]}`)
		}
	})
}

func TestAskVerify(t *testing.T) {
	t.Parallel()
	const verdict = "verified · signed 2026-11-21T08:00:00Z · key key-1\n"
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/keys", http.StatusFound)
	}
	good, bad := desk(t, "good", nil), desk(t, "bad", nil)
	refused := result{err: "frontdesk: the answer cannot be proven, and is not shown\n  the signature does not hold\n", code: ExitRefused}
	for _, tt := range []struct {
		name string
		args []string
		want result
	}{
		{"holds", []string{"--verify", "--url", good}, result{out: "Yes.\n" + verdict}},
		{"holds, as JSON", []string{"--verify", "--json", "--url", good},
			result{out: `{"ok":true,"answer":"Yes.","reason":"matched"}` + "\n", err: verdict}},
		{"does not hold", []string{"--verify", "--url", bad}, refused},
		{"does not hold, as JSON", []string{"--verify", "--json", "--url", bad}, refused},
		{"not asked for", []string{"--url", bad}, result{out: "Yes.\n"}},
	} {
		got := run(t, with([]string{"ask", "Really?"}, tt.args...)...)
		expect.Same(t, tt.name, tt.want, got, cmp.AllowUnexported(result{}))
	}
	got := run(t, "ask", "--verify", "--url", desk(t, "good", elsewhere), "Really?")
	if got.code != ExitRefused || got.out != "" || !strings.Contains(got.err, "redirects to http://192.0.2.1/keys") {
		t.Errorf("%+v, want the redirect reported and not followed", got)
	}
}
