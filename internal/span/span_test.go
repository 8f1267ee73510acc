package span

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
)

const (
	trace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	caller = "00f067aa0ba902b7"
	valid  = "00-" + trace + "-" + caller + "-01"
)

func TestParentOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		given []string
		want  string
	}{
		{"none", nil, ""},
		{"valid", []string{valid}, valid},
		{"not sampled", []string{"00-" + trace + "-" + caller + "-00"}, "00-" + trace + "-" + caller + "-00"},
		{"two", []string{valid, valid}, ""},
		{"empty", []string{""}, ""},
		{"too long for its version", []string{valid + "-00"}, ""},
		{"one character more", []string{valid + "0"}, ""},
		{"cut", []string{valid[:54]}, ""},
		{"a later version", []string{"01" + valid[2:]}, valid},
		{"a later version with more fields", []string{"fe" + valid[2:] + "-what-follows"}, valid},
		{"a later version with a longer field", []string{"01" + valid[2:] + "00"}, ""},
		{"the forbidden version", []string{"ff" + valid[2:]}, ""},
		{"a version that is no number", []string{"0x" + valid[2:]}, ""},
		{"upper case", []string{strings.ToUpper(valid)}, ""},
		{"no trace", []string{"00-" + strings.Repeat("0", 32) + "-" + caller + "-01"}, ""},
		{"no caller", []string{"00-" + trace + "-" + strings.Repeat("0", 16) + "-01"}, ""},
		{"another separator", []string{strings.ReplaceAll(valid, "-", "_")}, ""},
		{"bad flags", []string{valid[:53] + "0g"}, ""},
		{"a line break", []string{valid[:53] + "0\n"}, ""},
	} {
		header := http.Header{}
		for _, value := range tt.given {
			header.Add("traceparent", value)
		}
		got := ParentOf(header)
		if got.String() != tt.want || got.IsSet() != (tt.want != "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got.IsSet() && (got.Trace() != trace || got.Span() != caller) {
			t.Errorf("%s: trace %q, span %q", tt.name, got.Trace(), got.Span())
		}
	}
}

// What is accepted is short, in one case, and accepted again as it is.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{valid, "01" + valid[2:] + "-x", valid[:54], "ff" + valid[2:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := parse(text)
		if !got.IsSet() {
			return
		}
		if parse(got.String()) != got || len(got.String()) != length || got.String() != strings.ToLower(got.String()) || !strings.Contains(text, got.Trace()) {
			t.Errorf("parse(%q) = %q", text, got)
		}
	})
}

func TestSince(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := new(Span)
		ctx := context.WithValue(t.Context(), Key{}, s)
		wait := func(part Part, d time.Duration) {
			defer Since(context.WithoutCancel(ctx), part, time.Now())
			time.Sleep(d)
		}
		wait(Mail, 2*time.Second)
		wait(Database, time.Millisecond)
		wait(Database, time.Millisecond)
		want := map[string]time.Duration{"mail": 2 * time.Second, "database": 2 * time.Millisecond}
		got := map[string]time.Duration{}
		for part, spent := range s.Parts {
			got[part.String()] = spent
		}
		expect.Same(t, "parts", want, got)
	})
}

func TestWithoutASpan(t *testing.T) {
	t.Parallel()
	Since(t.Context(), Mail, time.Now())
	if got := maps.Collect(From(t.Context()).Parts); len(got) != 0 {
		t.Errorf("%v, want nothing", got)
	}
}
