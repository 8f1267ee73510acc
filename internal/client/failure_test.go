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

var refusals = []struct {
	name   string
	refuse *contract.Error
	header map[string]string
	want   string
}{
	{
		name:   "one field",
		refuse: contract.Invalid("email", "email must be one plain address"),
		want: "frontdesk: the service refused: Invalid request (invalid_request, HTTP 400)\n" +
			"  email must be one plain address.\n" +
			"  Hint: Correct the field that detail names and send the request again.\n",
	},
	{
		name: "several fields are a list",
		refuse: contract.InvalidFields([]contract.FieldError{
			{Field: "name", Message: "name is required"}, {Field: "email", Message: "email is required"},
		}),
		want: "frontdesk: the service refused: Invalid request (invalid_request, HTTP 400)\n" +
			"  - name is required\n  - email is required\n" +
			"  Hint: Correct the field that detail names and send the request again.\n",
	},
	{
		name:   "a limit says when to retry",
		refuse: contract.Policy{Name: "ask", Quota: 5, Window: time.Minute}.Exceeded(42 * time.Second),
		header: map[string]string{contract.HeaderRetryAfter: "42"},
		want: "frontdesk: the service refused: Too many requests (rate_limited, HTTP 429)\n" +
			"  More than 5 ask requests in 60 seconds from one client.\n" +
			"  Hint: Wait for the number of seconds in Retry-After, then send the request\n  again.\n" +
			"  Try again in 42 s.\n",
	},
	{
		name:   "a fault of the service is no refusal",
		refuse: &contract.Error{Code: contract.BadGateway, Detail: "The mail did not leave."},
		want: "frontdesk: the service failed: Bad gateway (bad_gateway, HTTP 502)\n" +
			"  The mail did not leave.\n" +
			"  Hint: Nothing is wrong with the request: retry after a minute. Use an\n  Idempotency-Key, the same one if the request had one, so that it stays one\n  request.\n",
	},
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range refusals {
		service := refusing(t, tt.refuse, tt.header)
		got := run(t, "ask", "q", "--url", service.url)
		expect.Same(t, tt.name+": text", result{err: tt.want, code: ExitRefused}, got, cmp.AllowUnexported(result{}))
		got = run(t, "ask", "q", "--json", "--url", service.url)
		want := result{asJSON(t, tt.refuse.Problem("http://localhost:8080")) + "\n", tt.want, ExitRefused}
		expect.Same(t, tt.name+": json", want, got, cmp.AllowUnexported(result{}))
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
