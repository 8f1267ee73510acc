package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// A failure says when a request may have arrived, and shows the key only when the same request may be repeated.
func TestFailedContact(t *testing.T) {
	t.Parallel()
	refusal := func(code contract.Code) *fake { return refusing(t, &contract.Error{Code: code, Detail: "No."}, nil) }
	const arrived, again, dry = "It may have arrived all the same.", "repeat the command with --idempotency-key k:", "No answer said that this was only a dry run."
	for _, tt := range []struct {
		name    string
		service *fake
		extra   string
		want    string
	}{
		{"the mail failed", refusal(contract.BadGateway), "--phone=1", again},
		{"the service failed", refusal(contract.InternalError), "--phone=1", again},
		{"a wrong field", refusal(contract.InvalidRequest), "--phone=1", ""},
		{"a limit", refusal(contract.RateLimited), "--phone=1", ""},
		{"a failed dry run", refusal(contract.InternalError), "--dry-run", ""},
		{"an unclear answer", answering(t, map[string]bool{"ok": true}), "--phone=1", arrived + again},
		{"a dry run, answered as a real send", answering(t, sampleAccepted), "--dry-run", dry},
	} {
		got := run(t, with(contactArgs, tt.extra, "--idempotency-key=k", "--url", tt.service.url)...)
		said := ""
		for _, note := range []string{arrived, again, dry} {
			if strings.Contains(flat(got.err), note) {
				said += note
			}
		}
		expect.Same(t, tt.name+": "+got.err, []any{ExitRefused, tt.want}, []any{got.code, said})
	}
}

func TestInterruptedContact(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := handle(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then does the server see the client leave
		cancel()
		<-r.Context().Done()
	})
	got := runOn(ctx, t, &Terminal{Width: 80}, with(contactArgs, "--url", url)...)
	if want := "frontdesk: interrupted before " + url + " answered It may have arrived"; got.code != ExitUnreachable || !strings.HasPrefix(flat(got.err), want) {
		t.Errorf("%+v, want %q", got, want)
	}
}
