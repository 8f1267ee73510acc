package span

import (
	"context"
	"fmt"
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
	unsampled := valid[:54] + "0"
	for given, want := range map[string]string{
		"": "", valid: valid, unsampled: unsampled,
		valid + "-00": "", valid + "0": "", valid[:54]: "", // of another length
		"01" + valid[2:]: valid, "fe" + valid[2:] + "-what-follows": valid, "01" + valid[2:] + "00": "", // a later version
		"ff" + valid[2:]: "", "0x" + valid[2:]: "", // no version
		strings.ToUpper(valid): "", strings.ReplaceAll(valid, "-", "_"): "", valid[:53] + "0g": "", valid[:53] + "0\n": "",
		"00-" + strings.Repeat("0", 32) + "-" + caller + "-01": "", "00-" + trace + "-" + strings.Repeat("0", 16) + "-01": "",
	} {
		got := ParentOf(http.Header{"Traceparent": {given}})
		expect.Same(t, given, []any{want, want != ""}, []any{got.String(), got.IsSet()})
		if got.IsSet() {
			expect.Same(t, given, []string{trace, caller}, []string{got.Trace(), got.Span()})
		}
	}
	for _, given := range [][]string{nil, {valid, valid}} {
		expect.Same(t, fmt.Sprint(given, " is a parent"), false, ParentOf(http.Header{"Traceparent": given}).IsSet())
	}
}

// What is accepted is short, in one case, and accepted again as it is.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{valid, "01" + valid[2:] + "-x", valid[:54], "ff" + valid[2:]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := parse(text)
		again := got.String()
		if got.IsSet() && (parse(again) != got || len(again) != length || again != strings.ToLower(again) ||
			!strings.Contains(text, got.Trace())) {
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
		want := map[Part]time.Duration{Mail: 2 * time.Second, Database: 2 * time.Millisecond}
		expect.Same(t, "parts", want, maps.Collect(s.Parts))
	})
}

func TestWithoutASpan(t *testing.T) {
	t.Parallel()
	Since(t.Context(), Mail, time.Now())
	expect.Same(t, "parts", map[Part]time.Duration{}, maps.Collect(From(t.Context()).Parts))
}
