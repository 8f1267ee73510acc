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
)

var jsonHeader = map[string]string{"Content-Type": contract.TypeJSON}

// TestStrangeAnswers tries answers of other programs and malformed ones.
func TestStrangeAnswers(t *testing.T) {
	t.Parallel()
	html := map[string]string{"Content-Type": "text/html"}
	tests := []struct {
		name  string
		reply reply
		want  string
	}{
		{"page", reply{200, html, "<h1>Hello</h1>"}, `HTTP 200 and no JSON (Content-Type "text/html")`},
		{"no type", reply{200, map[string]string{"Content-Type": ""}, "{}"}, `no JSON (Content-Type "")`},
		{"half a document", reply{200, jsonHeader, `{"ok":tr`}, "no JSON"},
		{"empty", reply{200, jsonHeader, ""}, "no JSON"},
		{"another document", reply{200, jsonHeader, `{"hello":"world"}`}, "a document of another kind"},
		{"wrong types", reply{200, jsonHeader, `{"ok":"yes","answer":7}`}, "a document of another kind"},
		{"created", reply{201, jsonHeader, `{"ok":true}`}, "HTTP 201 without a problem record"},
		{"foreign error", reply{404, jsonHeader, `{"message":"no"}`}, "HTTP 404 without a problem record"},
		{"too much", reply{200, jsonHeader, `"` + strings.Repeat("x", maxAnswer-1) + `"`}, "more than 4 MiB"},
	}
	for _, tt := range tests {
		service := serve(t, tt.reply)
		got := run(t, "ask", "q", "--json", "--url", service.url)
		if got.code != ExitRefused || got.out != "" {
			t.Errorf("%s: exit code %d, stdout %q", tt.name, got.code, got.out)
		}
		if !strings.Contains(flat(got.err), tt.want) || !strings.Contains(flat(got.err), "Another program may be listening") {
			t.Errorf("%s: stderr %q, want it to say %q and a hint", tt.name, got.err, tt.want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	got := run(t, "health", "--json", "--url", strings.Replace(closed.URL, "http://", "http://me:secret@", 1))
	if got.code != ExitUnreachable || got.out != "" {
		t.Errorf("exit code %d, stdout %q", got.code, got.out)
	}
	host := strings.TrimPrefix(closed.URL, "http://")
	for _, want := range []string{"cannot reach http://me:xxxxx@" + host, "refused", "frontdesk serve", "--url"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("stderr %q does not say %q", got.err, want)
		}
	}
	if strings.Contains(got.err, "secret") {
		t.Errorf("stderr %q shows the password", got.err)
	}
}

// TestSlowAnswer waits for services that begin no answer, or no body.
func TestSlowAnswer(t *testing.T) {
	t.Parallel()
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	begun := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		hang(w, r)
	}
	for name, handler := range map[string]http.HandlerFunc{"no header": hang, "no body": begun} {
		got := run(t, "health", "--timeout", "50ms", "--url", handle(t, handler))
		if got.code != ExitUnreachable || !strings.Contains(got.err, "no answer within 50ms") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	target := answering(t, contract.Health{Status: contract.HealthOK})
	url := handle(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.url+r.URL.Path, http.StatusPermanentRedirect)
	})
	loop := handle(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	for _, tt := range []struct {
		name string
		args []string
		code int
		err  string
	}{
		{"a GET follows", []string{"health", "--url", url}, 0, ""},
		{"a GET does not follow for ever", []string{"health", "--url", loop}, ExitUnreachable, "10 redirects"},
		{"a POST does not follow", with(contactArgs, "--url", url), ExitRefused,
			"frontdesk: " + url + " redirects to " + target.url + contract.PathContact + ", and nothing was sent there"},
	} {
		if got := run(t, tt.args...); got.code != tt.code || !strings.Contains(flat(got.err), tt.err) {
			t.Errorf("%s: %+v, want exit code %d and %q", tt.name, got, tt.code, tt.err)
		}
	}
}

func TestMessageFromStandardInput(t *testing.T) {
	t.Parallel()
	args := with(contactArgs, "--message", "-") // the last flag wins
	fill := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name    string
		in      string
		code    int
		message string // in stderr
	}{
		{"read whole", "We bake.\nBread.\n", 0, ""},
		{"as much as a request may hold", fill(contract.CapContact), 0, ""},
		{"one byte more", fill(contract.CapContact + 1), ExitUsage, "over 8192 bytes"},
		{"another encoding", "Caf\xe9", ExitUsage, "not valid UTF-8"},
	}
	for _, tt := range tests {
		service := answering(t, sampleAccepted)
		got := runOn(t.Context(), t, &Terminal{In: strings.NewReader(tt.in), Width: 80}, with(args, "--url", service.url)...)
		if got.code != tt.code || !strings.Contains(got.err, tt.message) {
			t.Fatalf("%s: %+v, want exit code %d and %q", tt.name, got, tt.code, tt.message)
		}
		if sent := strings.Contains(string(service.body), strings.TrimSuffix(asJSON(t, tt.in), `"`)); sent != (tt.code == 0) {
			t.Errorf("%s: sent is %v with body %.60q", tt.name, sent, service.body)
		}
	}
}

func TestStandardInputThatFails(t *testing.T) {
	t.Parallel()
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	never, w := io.Pipe()
	defer w.Close()
	if _, err := readMessage(cut, never); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v, want an interruption", err)
	}
	if _, err := readMessage(t.Context(), iotest.ErrReader(errBroken)); err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("got %v, want the reader's error", err)
	}
}
