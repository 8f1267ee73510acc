package site

import (
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// business is what a business says about itself, as pages show it.
type business struct {
	*contract.Facts
	Openings openings
	Address  []string // lines
	Status   string   // whether it is open now; empty if that is unknown
	IsOpen   bool
	Soon     []openDays // the exceptions that begin within daysAhead
	Special  []openDays // with the words of a sentence
	Closed   []string
}

// daysAhead is how near days with other hours are when they are shown beside the status.
const daysAhead = 14

// Dial is the phone number for a tel: link.
func (b business) Dial() string { return content.Dial(b.Facts) }

// Any reports whether there is anything to show.
func (b business) Any() bool { return b.Openings.Any() || b.HasFacts() }

// HasFacts reports whether there is anything to show beside the hours.
func (b business) HasFacts() bool {
	return len(b.Address)+len(b.AreaServed)+len(b.Payment)+len(b.Profiles) > 0 || b.Phone != "" || b.Email != ""
}

// openings are the hours of a week, and the days to come with other ones, the next first.
type openings struct{ Hours, Exceptions []openDays }

// Any reports whether there are hours to show.
func (o openings) Any() bool { return len(o.Hours)+len(o.Exceptions) > 0 }

// openDays are days with the same times; without times they are closed.
type openDays struct {
	Days  string
	Times []string
	On    contract.Days // of an exception
}

// AllTimes are the times in one line.
func (d openDays) AllTimes() string { return strings.Join(d.Times, ", ") }

func (e *edition) business(now time.Time) business {
	now = now.In(e.site.Zone)
	facts := content.Ahead(e.Facts, now)
	b := business{Facts: &facts}
	b.Status, b.IsOpen = e.status(now)
	b.Status = e.words.Contracted(b.Status)
	if a := e.Address; a != nil {
		b.Address = slices.DeleteFunc([]string{a.Street, a.CityLine()}, func(line string) bool { return line == "" })
	}
	for _, hours := range e.Hours {
		var days []int
		for _, day := range hours.Days {
			days = append(days, slices.Index(content.Weekdays, day))
		}
		b.Openings.Hours = addTimes(b.Openings.Hours, e.words.Days(days), e.words.Hours(hours.Opens, hours.Closes))
	}
	var exceptions []openDays
	for _, special := range b.SpecialHours {
		times := e.words.Hours(special.Opens, special.Closes)
		b.Special = addTimes(b.Special, content.DaysIn(e.words, special.Days), times)
		exceptions = addTimes(exceptions, e.period(special.Days), times)
		exceptions[len(exceptions)-1].On = special.Days
	}
	for _, closed := range b.Facts.Closed {
		b.Closed = append(b.Closed, content.DaysIn(e.words, closed))
		exceptions = append(exceptions, openDays{Days: e.period(closed), On: closed})
	}
	slices.SortStableFunc(exceptions, func(a, b openDays) int { return strings.Compare(a.On.From, b.On.From) })
	b.Openings.Exceptions = exceptions
	last := startOfDay(now, daysAhead).Format(time.DateOnly)
	for _, exception := range exceptions {
		if exception.On.From <= last {
			b.Soon = append(b.Soon, exception)
		}
	}
	return b
}

func (e *edition) period(days contract.Days) string {
	from, _ := time.Parse(time.DateOnly, days.From) // content has checked them
	to, _ := time.Parse(time.DateOnly, days.To)
	return e.words.Period(from, to)
}

// addTimes adds times to the days before, or to further ones.
func addTimes(open []openDays, days, times string) []openDays {
	if last := len(open) - 1; last >= 0 && open[last].Days == days {
		open[last].Times = append(open[last].Times, times)
		return open
	}
	return append(open, openDays{Days: days, Times: []string{times}})
}
