package site

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func openOn(days, opens, closes string) []contract.OpeningHours {
	return []contract.OpeningHours{{Days: strings.Fields(days), Opens: opens, Closes: closes}}
}

func openSite(t *testing.T, hours []contract.OpeningHours) *Site {
	return sampleSite(t, func(c *content.Content) {
		c.SiteLanguages, c.TimeZone, c.Hours = []string{"en", "de"}, "Europe/Berlin", hours
		c.Closed = []contract.Days{{From: "2026-12-25", To: "2027-01-06"}}
		c.SpecialHours = []contract.SpecialHours{{Days: contract.Days{From: "2026-12-24", To: "2026-12-24"}, Opens: "06:30", Closes: "12:00"}}
	})
}

var weekHours = slices.Concat(openOn("tue wed thu fri", "14:00", "18:00"), openOn("tue wed thu fri", "06:30", "12:00"),
	openOn("sat", "20:00", "24:00"), openOn("sun", "00:00", "03:00"))

func at(t *testing.T, moment string) time.Time {
	t.Helper()
	return expect.Value(time.Parse(time.RFC3339, moment))(t)
}

func statusAt(e *edition, now time.Time) string {
	text, _ := e.status(now)
	return text
}

// checkStatus checks rows: a time in UTC (Berlin is an hour ahead, in summer two), what pages say, when they next
// change, and what they say in German if given.
func checkStatus(t *testing.T, s *Site, rows [][4]string) {
	t.Helper()
	for _, row := range rows {
		now := at(t, row[0])
		expect.Same(t, row[0], row[1:3], []string{statusAt(first(s), now), s.Changes(now).UTC().Format(time.RFC3339)})
		if row[3] != "" {
			expect.Same(t, row[0], row[3], statusAt(s.editions[1], now))
		}
	}
}

func TestOpenNow(t *testing.T) {
	t.Parallel()
	checkStatus(t, openSite(t, weekHours), [][4]string{
		{"2026-11-24T05:29:59Z", "Closed, opens at 06:30", "2026-11-24T05:30:00Z", "Geschlossen, öffnet um 06:30 Uhr"}, // Tuesday
		{"2026-11-24T05:30:00Z", "Open until 12:00", "2026-11-24T11:00:00Z", "Geöffnet bis 12:00 Uhr"},
		{"2026-11-24T11:00:00Z", "Closed, opens at 14:00", "2026-11-24T13:00:00Z"},
		{"2026-11-24T17:00:00Z", "Closed, opens on Wednesday at 06:30", "2026-11-24T23:00:00Z", "Geschlossen, öffnet am Mittwoch um 06:30 Uhr"},
		{"2026-11-23T12:00:00Z", "Closed today, opens on Tuesday at 06:30", "2026-11-23T23:00:00Z", "Heute geschlossen, öffnet am Dienstag um 06:30 Uhr"},
		// From Saturday into Sunday without a break.
		{"2026-11-28T20:00:00Z", "Open until 03:00", "2026-11-28T23:00:00Z"},
		{"2026-11-29T01:00:00Z", "Open until 03:00", "2026-11-29T02:00:00Z"},
		{"2026-12-24T10:00:00Z", "Open until 12:00", "2026-12-24T11:00:00Z"},
		{"2026-12-24T11:00:00Z", "Closed, opens on 7 January 2027 at 06:30", "2026-12-24T23:00:00Z", "Geschlossen, öffnet am 7. Januar 2027 um 06:30 Uhr"},
		{"2027-01-01T11:00:00Z", "Closed today, opens on Thursday at 06:30", "2027-01-01T23:00:00Z"},
		// At 02:00 the clock is put forward to 03:00: Sunday is closed then.
		{"2026-03-29T00:30:00Z", "Open until 03:00", "2026-03-29T01:00:00Z"},
		{"2026-03-29T01:00:00Z", "Closed, opens on Tuesday at 06:30", "2026-03-29T22:00:00Z"},
		// At 03:00 it is put back to 02:00.
		{"2026-10-25T00:30:00Z", "Open until 03:00", "2026-10-25T02:00:00Z"},
		{"2026-10-25T01:30:00Z", "Open until 03:00", "2026-10-25T02:00:00Z"},
		{"2026-10-25T02:00:00Z", "Closed, opens on Tuesday at 06:30", "2026-10-25T23:00:00Z"},
	})
}

func TestOverMidnight(t *testing.T) {
	t.Parallel()
	s := openSite(t, openOn("fri sat", "18:00", "02:00"))
	checkStatus(t, s, [][4]string{
		{"2026-11-27T16:59:00Z", "Closed, opens at 18:00", "2026-11-27T17:00:00Z"}, // Friday
		{"2026-11-27T20:00:00Z", "Open until 02:00", "2026-11-27T23:00:00Z"},
		{"2026-11-28T00:00:00Z", "Open until 02:00", "2026-11-28T01:00:00Z"},
		{"2026-11-28T01:00:00Z", "Closed, opens at 18:00", "2026-11-28T17:00:00Z"},
		{"2026-11-29T00:30:00Z", "Open until 02:00", "2026-11-29T01:00:00Z"},
		{"2026-11-29T01:00:00Z", "Closed today, opens on Friday at 18:00", "2026-11-29T23:00:00Z"},
	})
	expect.Holds(t, "the home page", first(s).home(today, nil).Markdown, "Fri, Sat 18:00–02:00\n")
	open, _ := first(s).hoursData(time.Time{})
	expect.Same(t, "JSON-LD", []object{{"@type": "OpeningHoursSpecification", "dayOfWeek": []string{"Friday", "Saturday"}, "opens": "18:00",
		"closes": "02:00"}}, open)
}

// Readers of JSON-LD know no 24:00.
func TestUntilMidnight(t *testing.T) {
	t.Parallel()
	s := openSite(t, openOn("fri", "00:00", "24:00"))
	s.Content.SpecialHours[0].Closes = "24:00"
	open, special := first(s).hoursData(time.Time{})
	got := []any{open[0]["closes"], special[0]["closes"], special[1]["closes"]}
	expect.Same(t, "closes", []any{"23:59", "00:00", "23:59"}, got)
}

// There the clocks are put forward at midnight.
func TestDayWithoutMidnight(t *testing.T) {
	t.Parallel()
	for zone, sunday := range map[string]string{
		"America/Havana": "2027-03-14T05:00:00Z", "America/Santiago": "2027-09-05T04:00:00Z", "Atlantic/Azores": "2027-03-28T01:00:00Z",
	} {
		start := at(t, sunday)
		after := func(d time.Duration) string { return start.Add(d).Format(time.RFC3339) }
		site := func(hours []contract.OpeningHours) *Site {
			return sampleSite(t, func(c *content.Content) { c.SiteLanguages, c.TimeZone, c.Hours = []string{"en"}, zone, hours })
		}
		checkStatus(t, site(openOn("sun", "12:00", "18:00")), [][4]string{
			{after(-71*time.Hour - 30*time.Minute), "Closed today, opens on Sunday at 12:00", after(-48 * time.Hour)}, // half past midnight
			{after(-time.Nanosecond), "Closed today, opens on Sunday at 12:00", sunday},
			{sunday, "Closed, opens at 12:00", after(11 * time.Hour)},
		})
		night := slices.Concat(openOn("sat", "20:00", "24:00"), openOn("sun", "00:00", "03:00"))
		checkStatus(t, site(night), [][4]string{
			{after(-time.Hour), "Open until 03:00", sunday}, {sunday, "Open until 03:00", after(2 * time.Hour)},
		})
	}
}

func TestAlwaysOrNeverOpen(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-11-24T12:00:00Z")
	always := openSite(t, openOn("mon tue wed thu fri sat sun", "00:00", "24:00"))
	expect.Same(t, "open day and night", "Open now", statusAt(first(always), now))
	expect.Same(t, "the evening before closed days", "Closed, opens on 7 January 2027 at 00:00", statusAt(first(always), at(t, "2026-12-24T20:00:00Z")))
	unknown := sampleSite(t, func(c *content.Content) { c.Hours = weekHours })
	expect.Same(t, "without a time zone", "", statusAt(first(unknown), now))
	expect.Same(t, "changes", time.Time{}, unknown.Changes(now))
	over := openSite(t, nil)
	expect.Same(t, "when nothing is to come", "", statusAt(first(over), at(t, "2027-01-01T00:00:00Z")))
}

func TestContactPageKnowsTheTime(t *testing.T) {
	s := openSite(t, weekHours)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(8 * time.Hour) // from midnight on Saturday, 1 January 2000, UTC
		expect.Holds(t, "the page", s.Contacted(Contacted{}).HTML, `<p class="status">Closed, opens at 20:00</p>`)
		time.Sleep(11 * time.Hour)
		expect.Holds(t, "the page", s.Contacted(Contacted{}).HTML, `<p class="status open">Open until 03:00</p>`)
	})
}

// Days with other hours that begin within fourteen days are beside the status.
func TestExceptions(t *testing.T) {
	t.Parallel()
	s := openSite(t, weekHours)
	shown := func(now string) (days, soon []string) {
		b := first(s).business(at(t, now))
		for _, d := range b.Openings.Exceptions {
			days = append(days, d.Days+" "+d.AllTimes())
		}
		for _, d := range b.Soon {
			soon = append(soon, d.Days)
		}
		return days, soon
	}
	const eve, after = "24 December 2026", "25 December 2026 – 6 January 2027"
	for _, tt := range []struct {
		now        string
		days, soon []string
	}{
		{"2026-12-09T22:59:59Z", []string{eve + " 06:30–12:00", after + " "}, nil}, // in Berlin an hour later
		{"2026-12-09T23:00:00Z", []string{eve + " 06:30–12:00", after + " "}, []string{eve}},
		{"2026-12-24T23:00:00Z", []string{after + " "}, []string{after}},
		{"2027-01-06T23:00:00Z", nil, nil},
	} {
		days, soon := shown(tt.now)
		expect.Same(t, tt.now, [][]string{tt.days, tt.soon}, [][]string{days, soon})
	}
	page := string(first(s).home(at(t, "2026-12-20T10:00:00Z"), nil).HTML)
	expect.Holds(t, "the page", page, "<small>24\u00a0December\u00a02026: 06:30\u2060–\u206012:00</small>")
	expect.Same(t, "places of the day", 3, strings.Count(page, "24\u00a0December")) // the pill, its list, the footer
	s.Content.Hours, s.Content.SpecialHours = nil, nil
	s = siteOf(t, s.Content)
	days, _ := shown("2027-01-06T23:00:00Z")
	expect.Same(t, "closed days over, without hours", nil, days)
}

func TestDaysOpenOtherwise(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"en": "Open on 24 December 2026: 06:30–12:00\n", "fr": "Ouvert le 24 décembre 2026 : 06:30–12:00\n"} {
		facts := openSite(t, weekHours).Content.Facts
		s := sampleSite(t, func(c *content.Content) { c.Facts, c.SiteLanguages = facts, []string{language} })
		shown := func(now string) string { return string(first(s).home(at(t, now), nil).Markdown) }
		expect.Holds(t, "the home page", shown("2026-12-24T22:59:59Z"), want)
		expect.Lacks(t, "the home page on the next day", shown("2026-12-24T23:00:00Z"), want)
	}
}
