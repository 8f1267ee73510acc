package client

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestFailures(t *testing.T) {
	t.Parallel()
	answer := func(status int, kind, body string) string {
		return serve(t, reply{status, map[string]string{"Content-Type": kind}, body}).url
	}
	says := func(body string) string { return answer(200, contract.TypeJSON, body) }
	closed := httptest.NewServer(nil)
	closed.Close()
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	begun := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		hang(w, r)
	}
	target := answering(t, contract.Health{Status: contract.HealthOK})
	moved := handle(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.url+r.URL.Path, http.StatusPermanentRedirect)
	})
	ask, health := []string{"ask", "q", "--json"}, []string{"health", "--timeout", "50ms"}
	for _, tt := range []struct {
		name string
		args []string
		url  string
		code int
		want string
	}{
		{"page", ask, answer(200, "text/html", "<h1>Hello</h1>"), ExitRefused, `HTTP 200 and no JSON (Content-Type "text/html")`},
		{"no type", ask, answer(200, "", "{}"), ExitRefused, `no JSON (Content-Type "")`},
		{"half a document", ask, says(`{"ok":tr`), ExitRefused, "no JSON"},
		{"empty", ask, says(""), ExitRefused, "no JSON"},
		{"another document", ask, says(`{"hello":"world"}`), ExitRefused, "a document of another kind"},
		{"wrong types", ask, says(`{"ok":"yes","answer":7}`), ExitRefused, "a document of another kind"},
		{"created", ask, answer(201, contract.TypeJSON, `{"ok":true}`), ExitRefused, "HTTP 201 without a problem record"},
		{"foreign error", ask, answer(404, contract.TypeJSON, `{"message":"no"}`), ExitRefused, "Another program may be listening"},
		{"too much", ask, says(`"` + strings.Repeat("x", maxAnswer-1) + `"`), ExitRefused, "HTTP 200 and no JSON"},
		{"nothing listens, and a password", health, strings.Replace(closed.URL, "http://", "http://me:secret@", 1), ExitUnreachable,
			"cannot reach http://me:xxxxx@" + strings.TrimPrefix(closed.URL, "http://")},
		{"no header", health, handle(t, hang), ExitUnreachable, "no answer within 50ms"},
		{"no body", health, handle(t, begun), ExitUnreachable, "no answer within 50ms"},
		{"a POST does not follow", contactArgs, moved, ExitRefused, "frontdesk: " + moved + " redirects to " + target.url + contract.PathContact + ", and nothing was sent there"},
		{"address without a scheme", ask, "localhost:8080", ExitUsage, "must begin with http:// or https://"},
		{"no business", []string{"contact", "--name=a", "--email=b", "--message=c"}, moved, ExitUsage, "missing flags: --business=BUSINESS"},
		{"a preview of a dry run", with(contactArgs, "--dry-run", "--preview=x"), moved, ExitUsage, "--dry-run and --preview can't be used together"},
		{"a preview without a digest", with(contactArgs, "--preview= "), moved, ExitUsage, "--preview: needs the digest of a dry run"},
		{"a key that no header can hold", with(contactArgs, "--idempotency-key=a\nb"), moved, ExitUsage, "--idempotency-key takes printable ASCII"},
		{"no time for health", []string{"health", "--timeout", "0s"}, moved, ExitUsage, "--timeout must be a time such as 5s"},
		{"question in Latin-1", []string{"ask", "Caf\xe9?"}, moved, ExitUsage, "not valid UTF-8"},
	} {
		got := run(t, with(tt.args, "--url", tt.url)...)
		expect.Same(t, tt.name, []any{tt.code, ""}, []any{got.code, got.out})
		expect.Holds(t, tt.name, flat(got.err), tt.want)
		expect.Lacks(t, tt.name, got.err, "secret")
	}
	expect.Same(t, "a GET does not follow a redirect", 0, run(t, "health", "--url", moved).code)
}

func TestMessageFromStandardInput(t *testing.T) {
	t.Parallel()
	args := with(contactArgs, "--message", "-") // the last flag wins
	fill := func(n int) string { return strings.Repeat("x", n) }
	for _, tt := range []struct {
		name    string
		in      string
		code    int
		message string // in stderr
	}{
		{"read whole", "We bake.\nBread.\n", 0, ""},
		{"as much as a request may hold", fill(contract.CapContact), 0, ""},
		{"one byte more", fill(contract.CapContact + 1), ExitUsage, "over 8192 bytes"},
		{"another encoding", "Caf\xe9", ExitUsage, "not valid UTF-8"},
	} {
		service := answering(t, sampleAccepted)
		got := runOn(t.Context(), t, &Terminal{In: strings.NewReader(tt.in), Width: 80}, with(args, "--url", service.url)...)
		expect.Same(t, tt.name, tt.code, got.code)
		expect.Holds(t, tt.name, got.err, tt.message)
		expect.Same(t, tt.name+": sent", tt.code == 0,
			strings.Contains(string(service.body), strings.TrimSuffix(asJSON(t, tt.in), `"`)))
	}
}

func TestStandardInputThatFails(t *testing.T) {
	t.Parallel()
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	never, w := io.Pipe()
	defer w.Close()
	if _, failed := readMessage(cut, never); failed == nil || !strings.Contains(failed.summary, "context canceled") {
		t.Errorf("got %+v, want an interruption", failed)
	}
	if _, failed := readMessage(t.Context(), iotest.ErrReader(errBroken)); failed == nil || !strings.Contains(failed.summary, "broken pipe") {
		t.Errorf("got %+v, want the reader's error", failed)
	}
}

func TestAddressFromTheEnvironment(t *testing.T) {
	service := answering(t, contract.Health{Status: contract.HealthOK})
	t.Setenv("FRONTDESK_URL", service.url)
	got := run(t, "health")
	expect.Same(t, "only the environment", 0, got.code)
	expect.Holds(t, "only the environment", got.out, service.url)
	t.Setenv("FRONTDESK_URL", "nonsense")
	expect.Same(t, "the flag should win", 0, run(t, "health", "--url", service.url).code)
	got = run(t, "health")
	expect.Same(t, "bad environment", ExitUsage, got.code)
	expect.Holds(t, "bad environment", got.err, "FRONTDESK_URL")
}

// Where an address is called and how it is shown, or that its refusal hides the password.
func TestParseAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"http://localhost:8080/":     {"http://localhost:8080/v1/health", "http://localhost:8080"},
		" https://example.com/desk ": {"https://example.com/desk/v1/health", "https://example.com/desk"},
		"https://example.com/desk//": {"https://example.com/desk/v1/health", "https://example.com/desk"},
		"http://[::1]:8080":          {"http://[::1]:8080/v1/health", "http://[::1]:8080"},
		"http://a:b@example.com":     {"http://a:b@example.com/v1/health", "http://a:xxxxx@example.com"},
		"":                           {}, "localhost:8080": {}, "http://": {}, "http://:8080": {}, "http://example.com?": {},
		"http://example.com/#top": {}, "http://me:secret@exa mple/": {}, "file://me:secret@example.com": {},
	} {
		base, err := parseAddress(in)
		if err != nil {
			expect.Same(t, in, "", want[0])
			expect.Says(t, in, err, "--url")
			expect.Lacks(t, in, err.Error(), "secret")
			continue
		}
		expect.Same(t, in, want, [2]string{base.JoinPath(contract.PathHealth).String(), Connection{base: base}.address()})
	}
}
