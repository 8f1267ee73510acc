package client

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// hostile would move the cursor, set the title, or forge a line.
const hostile = "\x1b[2J\x1b]0;owned\x07A\u009b31mB\x00\r\u0085C\x7f"

func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		if v.Type() != reflect.TypeFor[contract.Amount]() { // which is a number on the wire
			v.SetString(hostile)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		poison(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		poison(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i))
		}
	}
}

func TestHostileText(t *testing.T) {
	t.Parallel()
	var catalog contract.Catalog
	var answer contract.Answer
	var preview contract.Preview
	var accepted contract.Accepted
	refusal := &contract.Error{Code: contract.InvalidRequest, Detail: hostile, Hint: hostile, Fields: make([]contract.FieldError, 2)}
	for _, v := range []any{&catalog, &answer, &preview, &accepted, &refusal.Fields[0], &refusal.Fields[1]} {
		poison(reflect.ValueOf(v).Elem())
	}
	for _, tt := range []struct {
		name    string
		service *fake
		args    []string
	}{
		{"catalog", answering(t, catalog), []string{"catalog"}},
		{"service", answering(t, catalog), []string{"service", hostile}},
		{"unknown service", answering(t, catalog), []string{"service", "y"}},
		{"ask", answering(t, answer), []string{"ask", "q"}},
		{"accepted", answering(t, accepted), contactArgs},
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

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"exactly fits", "0123456789", 10, []string{"0123456789"}},
		{"fits but for the space at its end", "0123456789 x", 10, []string{"0123456789", "x"}},
		{"long", "one two three four", 9, []string{"one two", "three", "four"}},
		{"own breaks stay", "a\n\nb\n", 10, []string{"a", "", "b", ""}},
		{"word longer than the width", "see https://example.com/a now", 10, []string{"see", "https://example.com/a", "now"}},
		{"indentation is no break", "    abcdefgh ij", 10, []string{"    abcdefgh", "ij"}},
		{"second space stays", "abcd  efgh", 6, []string{"abcd ", "efgh"}},
		{"spaces may hang over", "abcd   ", 4, []string{"abcd   "}},
		{"marks take no room", "e\u0301e\u0301e\u0301 e\u0301", 5, []string{"e\u0301e\u0301e\u0301 e\u0301"}},
	} {
		expect.Same(t, tt.name, tt.want, wrap(tt.text, tt.width))
	}
}

// A break replaces a space, and a line is too long only when it has no space to break at.
func FuzzWrap(f *testing.F) {
	f.Add("Yes. If the month has not begun, you get all of it back.\n\n  - write to us", 20)
	f.Add("a  b   c\td", 3)
	f.Add("\xff\xfe x 会計 e\u0301", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		lines := wrap(text, width)
		flat := func(s string) string { return strings.ReplaceAll(s, "\n", " ") }
		if got := strings.Join(lines, " "); got != flat(text) {
			t.Fatalf("wrap(%q, %d) = %q changes the text", text, width, lines)
		}
		if breaks := strings.Count(text, "\n"); len(lines) < breaks+1 {
			t.Fatalf("wrap(%q, %d) = %q loses breaks", text, width, lines)
		}
		i := slices.IndexFunc(lines, func(line string) bool {
			return columns(strings.TrimRight(line, " ")) > width && strings.Contains(strings.Trim(line, " "), " ")
		})
		if i >= 0 {
			t.Fatalf("wrap(%q, %d): line %q could be broken", text, width, lines[i])
		}
	})
}
