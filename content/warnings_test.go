package content

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

func TestLive(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 14*60*60)
	expires := time.Date(2027, 12, 31, 0, 0, 0, 0, time.UTC)
	last := func(zone, day string) time.Time { return startOf(day, expect.Value(time.LoadLocation(zone))(t)) }
	at := func(text string) time.Time { return expect.Value(time.Parse(time.RFC3339, text))(t) }
	for _, tc := range []struct {
		expires, now time.Time
		want         bool
	}{
		{time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), true},
		{expires, expires.Add(24*time.Hour - 1).In(east), true},
		{expires, expires.Add(24 * time.Hour).In(east), false},
		{last("Pacific/Auckland", "2026-11-30"), at("2026-11-30T10:59:59Z"), true},
		{last("Pacific/Auckland", "2026-11-30"), at("2026-11-30T11:00:00Z"), false},
		{last("America/Los_Angeles", "2026-11-30"), at("2026-12-01T07:59:59Z"), true},
		{last("America/Los_Angeles", "2026-11-30"), at("2026-12-01T08:00:00Z"), false},
		// 28 March 2027 begins at one o'clock there, an hour behind UTC until then.
		{last("Atlantic/Azores", "2027-03-27"), at("2027-03-28T00:59:59Z"), true},
		{last("Atlantic/Azores", "2027-03-27"), at("2027-03-28T01:00:00Z"), false},
		{last("Atlantic/Azores", "2027-03-28"), at("2027-03-29T00:00:00Z"), false},
	} {
		entry := Entry{Expires: tc.expires}
		expect.Same(t, fmt.Sprint(tc.expires, " at ", tc.now), tc.want, entry.Live(tc.now))
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	loaded := mustLoad(t, files{
		CatalogFile: goodCatalog + "  - {id: idle, name: Idle, summary: None., currency: EUR, from: 1, unit: piece}\n",
		FAQFile: `fallback: F
entries:
  - {id: old, question: Old?, answer: A, expires: 2026-01-01, review_by: 2025-01-01}
  - {id: stale, question: Stale?, answer: A, review_by: 2026-01-01}
  - {id: fresh, question: Fresh?, answer: It costs 0 EUR., expires: 2026-01-02, review_by: 2026-01-02}
`,
		"faqs.yaml":  "x",
		"notes.docx": "x",
		".git/HEAD":  "x",
		"readme.txt": "x",
	})
	want := []string{
		`catalog.yaml:6: no service or answer uses the pricing band "idle"`,
		`faq.yaml:3: the entry "old" expired on 2026-01-01 and no longer answers`,
		`faq.yaml:4: the entry "stale" was to be reviewed by 2026-01-01 (read it again and set a new review_by)`,
		`faqs.yaml: this file is not read (did you mean "faq.yaml"?)`,
		"notes.docx: this file is not read (known: catalog.yaml, faq.yaml, golden.yaml, pages, assets)",
	}
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.Local)
	for range 2 { // a second call returns the same
		expect.Same(t, "warnings", want, texts(loaded.Warnings(now)))
	}
}
