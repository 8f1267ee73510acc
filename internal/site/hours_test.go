package site

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func openSite(t *testing.T, hours []contract.OpeningHours) *Site {
	return sampleSite(t, func(c *content.Content) {
		c.Business.Languages, c.Business.TimeZone, c.Business.Hours = []string{"en", "de"}, "Europe/Berlin", hours
		c.Business.Closed = []contract.Days{{From: "2026-12-25", To: "2027-01-06"}}
		c.Business.SpecialHours = []contract.SpecialHours{{Days: contract.Days{From: "2026-12-24", To: "2026-12-24"}, Opens: "06:30", Closes: "12:00"}}
	})
}

var weekHours = []contract.OpeningHours{
	{Days: []string{"tue", "wed", "thu", "fri"}, Opens: "14:00", Closes: "18:00"},
	{Days: []string{"tue", "wed", "thu", "fri"}, Opens: "06:30", Closes: "12:00"},
	{Days: []string{"sat"}, Opens: "20:00", Closes: "24:00"},
	{Days: []string{"sun"}, Opens: "00:00", Closes: "03:00"},
}

// TestOpenNow checks what the pages say at fixed times, and when they next change. Times
// without a zone are UTC; Berlin is an hour ahead in winter and two in summer.
func TestOpenNow(t *testing.T) {
	t.Parallel()
	s := openSite(t, weekHours)
	for _, tt := range []struct{ now, english, german, changes string }{
		{"2026-11-24T05:29:59Z", "Closed now, opens at 06:30", "Gerade geschlossen, öffnet um 06:30 Uhr", "2026-11-24T05:30:00Z"}, // Tuesday
		{"2026-11-24T05:30:00Z", "Open now until 12:00", "Jetzt geöffnet bis 12:00 Uhr", "2026-11-24T11:00:00Z"},
		{"2026-11-24T11:00:00Z", "Closed now, opens at 14:00", "Gerade geschlossen, öffnet um 14:00 Uhr", "2026-11-24T13:00:00Z"},
		{"2026-11-24T17:00:00Z", "Closed now, opens on Wednesday at 06:30", "Gerade geschlossen, öffnet am Mittwoch um 06:30 Uhr", "2026-11-24T23:00:00Z"},
		{"2026-11-23T12:00:00Z", "Closed today, opens on Tuesday at 06:30", "Heute geschlossen, öffnet am Dienstag um 06:30 Uhr", "2026-11-23T23:00:00Z"},
		// From Saturday into Sunday without a break.
		{"2026-11-28T20:00:00Z", "Open now until 03:00", "Jetzt geöffnet bis 03:00 Uhr", "2026-11-28T23:00:00Z"},
		{"2026-11-29T01:00:00Z", "Open now until 03:00", "Jetzt geöffnet bis 03:00 Uhr", "2026-11-29T02:00:00Z"},
		// A day open otherwise, and a week closed behind it.
		{"2026-12-24T10:00:00Z", "Open now until 12:00", "Jetzt geöffnet bis 12:00 Uhr", "2026-12-24T11:00:00Z"},
		{"2026-12-24T11:00:00Z", "Closed now, opens on 7 January 2027 at 06:30", "Gerade geschlossen, öffnet am 7. Januar 2027 um 06:30 Uhr", "2026-12-24T23:00:00Z"},
		{"2027-01-01T11:00:00Z", "Closed today, opens on Thursday at 06:30", "Heute geschlossen, öffnet am Donnerstag um 06:30 Uhr", "2027-01-01T23:00:00Z"},
		// 29 March 2026: at 02:00 the clock is put forward to 03:00, so that Sunday is closed then.
		{"2026-03-29T00:30:00Z", "Open now until 03:00", "Jetzt geöffnet bis 03:00 Uhr", "2026-03-29T01:00:00Z"},
		{"2026-03-29T01:00:00Z", "Closed now, opens on Tuesday at 06:30", "Gerade geschlossen, öffnet am Dienstag um 06:30 Uhr", "2026-03-29T22:00:00Z"},
		// 25 October 2026: at 03:00 it is put back to 02:00, and 02:30 comes twice.
		{"2026-10-25T00:30:00Z", "Open now until 03:00", "Jetzt geöffnet bis 03:00 Uhr", "2026-10-25T02:00:00Z"},
		{"2026-10-25T01:30:00Z", "Open now until 03:00", "Jetzt geöffnet bis 03:00 Uhr", "2026-10-25T02:00:00Z"},
		{"2026-10-25T02:00:00Z", "Closed now, opens on Tuesday at 06:30", "Gerade geschlossen, öffnet am Dienstag um 06:30 Uhr", "2026-10-25T23:00:00Z"},
	} {
		now := expect.Value(time.Parse(time.RFC3339, tt.now))(t)
		expect.Same(t, tt.now, []string{tt.english, tt.german, tt.changes},
			[]string{s.editions[0].status(now), s.editions[1].status(now), s.Changes(now).UTC().Format(time.RFC3339)})
	}
}

// TestOverMidnight: hours that end on the next day are open then too, and one line of their day.
func TestOverMidnight(t *testing.T) {
	t.Parallel()
	s := openSite(t, []contract.OpeningHours{{Days: []string{"fri", "sat"}, Opens: "18:00", Closes: "02:00"}})
	for _, tt := range []struct{ now, want, changes string }{
		{"2026-11-27T16:59:00Z", "Closed now, opens at 18:00", "2026-11-27T17:00:00Z"}, // Friday
		{"2026-11-27T20:00:00Z", "Open now until 02:00", "2026-11-27T23:00:00Z"},
		{"2026-11-28T00:00:00Z", "Open now until 02:00", "2026-11-28T01:00:00Z"},
		{"2026-11-28T01:00:00Z", "Closed now, opens at 18:00", "2026-11-28T17:00:00Z"},
		{"2026-11-29T00:30:00Z", "Open now until 02:00", "2026-11-29T01:00:00Z"},
		{"2026-11-29T01:00:00Z", "Closed today, opens on Friday at 18:00", "2026-11-29T23:00:00Z"},
	} {
		now := expect.Value(time.Parse(time.RFC3339, tt.now))(t)
		expect.Same(t, tt.now, []string{tt.want, tt.changes},
			[]string{first(s).status(now), s.Changes(now).UTC().Format(time.RFC3339)})
	}
	if page := string(first(s).home(time.Now(), nil).Markdown); !strings.Contains(page, "Fri, Sat 18:00–02:00\n") {
		t.Errorf("the home page has no line for hours over midnight:\n%s", page)
	}
	open, _ := first(s).hoursData()
	expect.Same(t, "JSON-LD", []object{{"@type": "OpeningHoursSpecification", "dayOfWeek": []string{"Friday", "Saturday"}, "opens": "18:00",
		"closes": "02:00"}}, open)
}

func TestAlwaysOrNeverOpen(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	always := openSite(t, []contract.OpeningHours{{Days: content.Weekdays, Opens: "00:00", Closes: "24:00"}})
	expect.Same(t, "open day and night", "Open now", first(always).status(now))
	expect.Same(t, "the evening before closed days", "Closed now, opens on 7 January 2027 at 00:00", first(always).status(time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC)))
	unknown := sampleSite(t, func(c *content.Content) { c.Business.Hours = weekHours })
	expect.Same(t, "without a time zone", "", first(unknown).status(now))
	expect.Same(t, "changes", time.Time{}, unknown.Changes(now))
	over := openSite(t, nil)
	expect.Same(t, "when nothing is to come", "", first(over).status(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)))
}

func TestContactPageKnowsTheTime(t *testing.T) {
	s := openSite(t, weekHours)
	contains := func(t *testing.T, want string) {
		expect.Holds(t, "the page", string(s.Contacted(Contacted{}).HTML), want)
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(8 * time.Hour) // from midnight on Saturday, 1 January 2000, UTC
		contains(t, `<p class="status">Closed now, opens at 20:00</p>`)
		time.Sleep(11 * time.Hour)
		contains(t, `<p class="status">Open now until 03:00</p>`)
	})
}

// Days with other hours are listed, as the language writes a colon.
func TestDaysOpenOtherwise(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"en": "Open on 24 December 2026: 06:30–12:00\n", "fr": "Ouvert le 24 décembre 2026 : 06:30–12:00\n"} {
		business := openSite(t, weekHours).Content.Business
		business.Languages = []string{language}
		s := sampleSite(t, func(c *content.Content) { c.Business = business })
		expect.Holds(t, "the home page", string(first(s).home(time.Now(), nil).Markdown), want)
	}
}
