package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
)

type result struct {
	out, err string
	code     int
}

func run(t *testing.T, args ...string) result {
	t.Helper()
	return runOn(t.Context(), t, &Terminal{Width: 80}, args...)
}

func runOn(ctx context.Context, t *testing.T, terminal *Terminal, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	terminal.Out, terminal.Err = &out, &errs
	if terminal.In == nil {
		terminal.In = strings.NewReader("")
	}
	var commands struct{ Commands }
	parser := expect.Value(kong.New(&commands, kong.Name(contract.Product), kong.Exit(func(int) {}),
		kong.Writers(&out, &errs), kong.Bind(terminal), kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(fakeVerifier{}, (*Verifier)(nil))))(t)
	parsed, err := parser.Parse(args)
	if err != nil {
		return result{out.String(), err.Error(), ExitUsage}
	}
	if err = parsed.Run(); err == nil {
		return result{out.String(), errs.String(), 0}
	}
	exit, ok := errors.AsType[*ExitError](err)
	if !ok {
		t.Fatalf("Run returned %v, want an *ExitError", err)
	}
	if exit.Err != nil {
		t.Errorf("Err is %v: the program would print the failure again", exit.Err)
	}
	return result{out.String(), errs.String(), exit.Code}
}

type fake struct {
	url          string
	method, path string
	header       http.Header
	body         []byte
}

type reply struct {
	status int
	header map[string]string
	body   string
}

func serve(t *testing.T, r reply) *fake {
	t.Helper()
	f := &fake{}
	f.url = handle(t, func(w http.ResponseWriter, incoming *http.Request) {
		f.method, f.path, f.header = incoming.Method, incoming.URL.Path, incoming.Header
		f.body, _ = io.ReadAll(incoming.Body)
		for name, value := range r.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(r.status)
		io.WriteString(w, r.body)
	})
	return f
}

func handle(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func answering(t *testing.T, v any) *fake {
	t.Helper()
	return serve(t, reply{200, map[string]string{"Content-Type": contract.TypeJSON}, asServed(t, v) + "\n\n"})
}

// asServed is not as encoding/json would write it.
func asServed(t *testing.T, v any) string {
	return strings.ReplaceAll(" "+asJSON(t, v), `":"`, `" : "`)
}

func refusing(t *testing.T, e *contract.Error, header map[string]string) *fake {
	t.Helper()
	all := map[string]string{"Content-Type": contract.TypeProblem}
	maps.Copy(all, header)
	return serve(t, reply{e.Code.Status(), all, asJSON(t, e.Problem("http://localhost:8080"))})
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	return string(expect.Value(json.Marshal(v))(t))
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden.Check(t, filepath.Join("testdata", name+".golden"), []byte(got))
}

func with(args []string, more ...string) []string { return slices.Concat(args, more) }

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

var sampleCatalog = contract.Catalog{
	Name:     "Harbour Books",
	Summary:  "Bookkeeping and back-office help for small shops, cafés and workshops, by e-mail and post.",
	URL:      "https://books.example/",
	Revision: "5f0c",
	Services: []contract.Service{
		{
			ID: "bookkeeping", Name: "Monthly bookkeeping",
			Summary:     "Your receipts and bank lines in order each month, with a short note on what looks odd.",
			Description: "We match it with your bank.\n\nYou see every entry.",
			Includes: []string{
				"Entry of up to 150 receipts and invoices a month, from paper, mail or your own app",
				"Matching with one bank",
			},
			Audience:    "Shops and cafés with up to ten people.",
			PricingBand: "monthly",
		},
		{
			ID: "cleanup", Name: "One-off clean-up", Summary: "A year of loose papers made into books.",
			Includes: []string{}, PricingBand: "project",
		},
	},
	PricingBands: []contract.PricingBand{
		{
			ID: "monthly", Name: "Monthly", Summary: "Paid at the end of each month.",
			Currency: "EUR", From: "90", To: "240", Unit: "month", Note: "The price follows the number of receipts.",
		},
		{ID: "project", Name: "Project", Currency: "EUR", From: "400", Unit: "project"},
	},
	Statements: []string{"We give no tax or legal advice."},
}

var sampleAnswer = contract.Answer{
	OK: true,
	Answer: "Yes. If the month has not begun, you get all of it back; else it is charged by the day.\n\n" +
		"  - write to us\n  - the money is back within ten days",
	Reason: contract.ReasonMatched, Match: contract.MatchExact,
	EntryID: new("refunds"), Question: new("Do you offer refunds?"),
	URL: new("/pricing"), Revision: new("9a1e"), Suggestions: []string{}, Candidates: []contract.Candidate{},
}

var sampleFallback = contract.Answer{
	OK: true, Answer: "I have no approved answer to that. Write to us and a person will reply.",
	Reason: contract.ReasonRateLimitedGlobal, Match: contract.MatchNone,
	Suggestions: []string{"Do you offer refunds?", "How do I cancel?"},
	Candidates: []contract.Candidate{
		{EntryID: "refunds", Question: "Do you offer refunds?", Answer: sampleAnswer.Answer, URL: new("/pricing"), Revision: "9a1e"},
		{EntryID: "cancel", Question: "How do I cancel?", Answer: "By e-mail, at any time.", Revision: "77b0"},
	},
}

var sampleAccepted = contract.Accepted{
	OK: true, ID: "0198c1f2-7d1e", Status: contract.StatusAccepted,
	Message: "A person will read your request and answer by e-mail.",
}

var samplePreview = contract.Preview{
	OK: true, DryRun: true, Digest: "3b7c0d",
	WouldSend: contract.WouldSend{
		Name: "Ana Duarte", Business: "Duarte Bakery", Email: "ana@duarte.example", Segment: "bakery",
		Message: "We bake.\n\nMore?",
		Subject: "Pilot request from Duarte Bakery", ReplyTo: "ana@duarte.example",
		Text: "Name: Ana Duarte\n\nWe bake.\n\n" +
			"Can you take over our books from March, and would the band do for about 120 receipts?\n",
	},
}
