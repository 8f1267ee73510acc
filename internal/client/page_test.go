package client

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// hostile would move the cursor, set the title, or forge a line.
const hostile = "\x1b[2J\x1b]0;owned\x07A\u009b31mB\x00\r\u0085C\x7f"

// No answer of a service can control the terminal.
func TestHostileText(t *testing.T) {
	t.Parallel()
	catalog := sampleCatalog
	catalog.Name, catalog.Summary, catalog.URL = hostile, hostile, hostile
	catalog.Services = []contract.Service{{
		ID: "x", Name: hostile, Summary: hostile, Description: hostile,
		Includes: []string{hostile}, Audience: hostile, PricingBand: "b",
	}}
	catalog.PricingBands = []contract.PricingBand{{
		ID: "b", Name: hostile, Summary: hostile, Currency: hostile, Unit: hostile, Note: hostile,
	}}
	catalog.Statements = []string{hostile}
	answer := contract.Answer{
		OK: true, Answer: hostile, Reason: hostile, Match: hostile,
		EntryID: new(hostile), URL: new(hostile), Candidates: []contract.Candidate{{EntryID: hostile, Question: hostile, Answer: hostile, Revision: hostile}},
	}
	preview := contract.Preview{OK: true, DryRun: true, Digest: hostile, WouldSend: contract.WouldSend{
		Name: hostile, Business: hostile, Email: hostile, Phone: hostile, Segment: hostile,
		Subject: hostile, ReplyTo: hostile, Text: hostile,
	}}
	refusal := &contract.Error{Code: contract.InvalidRequest, Detail: hostile, Hint: hostile,
		Fields: []contract.FieldError{{Field: "a", Message: hostile}, {Field: "b", Message: hostile}}}
	for _, tt := range []struct {
		name    string
		service *fake
		args    []string
	}{
		{"catalog", answering(t, catalog), []string{"catalog"}},
		{"service", answering(t, catalog), []string{"service", "x"}},
		{"unknown service", answering(t, contract.Catalog{Name: "n", Services: []contract.Service{{ID: hostile}}}), []string{"service", "y"}},
		{"ask", answering(t, answer), []string{"ask", "q"}},
		{"accepted", answering(t, contract.Accepted{OK: true, ID: hostile, Message: hostile}), contactArgs},
		{"dry run", answering(t, preview), with(contactArgs, "--dry-run")},
		{"refusal", refusing(t, refusal, nil), []string{"ask", "q"}},
	} {
		got := run(t, with(tt.args, "--url", tt.service.url)...)
		text := got.out + got.err
		expect.Holds(t, tt.name, text, "A31mBC")
		for _, r := range text {
			if unicode.IsControl(r) && r != '\n' {
				t.Fatalf("%s: control character %q in\n%q", tt.name, r, text)
			}
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	p := page{width: 30}
	p.table([]string{"ID", "PRICE"}, []row{
		{cells: []string{"café", "from EUR 49 / month and location"}, note: "a note that is longer than the page"},
		{cells: []string{"会計", ""}},
		{cells: []string{"as wide as the page has room", "from EUR 49 / month and location"}},
	})
	expect.Same(t, "table", "  ID                            PRICE\n"+
		"  café                          from EUR 49 / month\n"+
		"                                and location\n"+
		"      a note that is longer\n"+
		"      than the page\n"+
		"  会計\n"+
		"  as wide as the page has room  from EUR 49 / month\n"+
		"                                and location\n", p.text.String())
}

func TestPrice(t *testing.T) {
	t.Parallel()
	for _, format := range []func(contract.PricingBand) string{price, priceFrom} {
		expect.Same(t, "one price", "EUR 50", format(contract.PricingBand{ID: "a", Currency: "EUR", From: "50", To: "50"}))
	}
	expect.Same(t, "no band", "–", priceFrom(contract.PricingBand{}))
}

func TestNewTerminal(t *testing.T) {
	t.Parallel()
	if NewTerminal(&strings.Builder{}, nil, func(string) string { return "" }).Color {
		t.Error("a file is coloured")
	}
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !IsTerminal(tty) {
		t.Skip("no pseudo-terminal here: colour on a terminal is not tested")
	}
	defer tty.Close()
	for setting, want := range map[string]bool{"": true, "NO_COLOR=1": false, "TERM=dumb": false, "TERM=xterm": true} {
		key, value, _ := strings.Cut(setting, "=")
		env := func(name string) string { return map[string]string{key: value}[name] }
		expect.Same(t, fmt.Sprintf("colour with %q", setting), want, NewTerminal(tty, nil, env).Color)
	}
}
