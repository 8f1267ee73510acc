package client

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	const invalid = "frontdesk: the service refused: Invalid request (invalid_request, HTTP 400)\n"
	const correct = "  Hint: Correct the field that detail names and send the request again.\n"
	for name, tt := range map[string]struct {
		refuse     *contract.Error
		retryAfter string
		want       string
	}{
		"one field": {contract.Invalid("email", "email must be one plain address"), "",
			invalid + "  email must be one plain address.\n" + correct},
		"several fields are a list": {contract.InvalidFields([]contract.FieldError{
			{Field: "name", Message: "name is required"}, {Field: "email", Message: "email is required"},
		}), "", invalid + "  - name is required\n  - email is required\n" + correct},
		"a limit says when to retry": {
			contract.Policy{Name: "ask", Quota: 5, Window: time.Minute}.Exceeded(42 * time.Second), "42",
			"frontdesk: the service refused: Too many requests (rate_limited, HTTP 429)\n" +
				"  More than 5 ask requests in 60 seconds from one client.\n" +
				"  Hint: Wait for the number of seconds in Retry-After, then send the request\n  again.\n" +
				"  Try again in 42 s.\n"},
		"a fault of the service is no refusal": {&contract.Error{Code: contract.BadGateway, Detail: "It did not leave."}, "",
			"frontdesk: the service failed: Bad gateway (bad_gateway, HTTP 502)\n  It did not leave.\n" +
				"  Hint: Nothing is wrong with the request: retry after a minute. Use an\n  Idempotency-Key, " +
				"the same one if the request had one, so that it stays one\n  request.\n"},
	} {
		service := refusing(t, tt.refuse, map[string]string{contract.HeaderRetryAfter: tt.retryAfter})
		got := run(t, "ask", "q", "--url", service.url)
		expect.Same(t, name+": text", result{err: tt.want, code: ExitRefused}, got, cmp.AllowUnexported(result{}))
		got = run(t, "ask", "q", "--json", "--url", service.url)
		want := result{asJSON(t, tt.refuse.Problem("http://localhost:8080")) + "\n", tt.want, ExitRefused}
		expect.Same(t, name+": json", want, got, cmp.AllowUnexported(result{}))
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestFailedWriteIsReported(t *testing.T) {
	t.Parallel()
	good := answering(t, sampleCatalog)
	bad := serve(t, reply{status: http.StatusTeapot})
	for name, cmd := range map[string]CatalogCmd{
		"text":    {Connection{URL: good.url}},
		"json":    {Connection{URL: good.url, JSON: true}},
		"failure": {Connection{URL: bad.url}},
	} {
		terminal := &Terminal{Out: brokenWriter{}, Err: brokenWriter{}, Width: 80}
		expect.OK(t, cmd.AfterApply(t.Context(), terminal))
		expect.Error(t, name, cmd.Run(t.Context()), errBroken)
	}
}
