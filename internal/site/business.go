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
	Address        []string // lines
	Dial           string   // the phone number for a tel: link
	Status         string   // whether it is open now; empty if that is unknown
	Hours, Special []openDays
	Closed         []string
}

// Any reports whether there is anything to show.
func (b business) Any() bool {
	return len(b.Address) > 0 || b.Phone != "" || b.Email != "" || len(b.Hours) > 0 || len(b.Special) > 0 ||
		len(b.AreaServed) > 0 || len(b.Payment) > 0 || len(b.Profiles) > 0
}

// openDays are days with the same times.
type openDays struct {
	Days  string
	Times []string
}

// AllTimes are the times in one line.
func (d openDays) AllTimes() string { return strings.Join(d.Times, ", ") }

func (e *edition) business(now time.Time) business {
	b := business{Facts: &e.catalog.Facts, Address: addressLines(e.catalog.Address), Dial: content.Dial(&e.catalog.Facts),
		Status: e.status(now)}
	for _, hours := range e.catalog.Hours {
		var days []int
		for _, day := range hours.Days {
			days = append(days, slices.Index(content.Weekdays, day))
		}
		b.Hours = addTimes(b.Hours, e.words.Days(days), e.words.Hours(hours.Opens, hours.Closes))
	}
	for _, special := range e.catalog.SpecialHours {
		b.Special = addTimes(b.Special, content.DaysIn(e.words, special.Days), e.words.Hours(special.Opens, special.Closes))
	}
	for _, closed := range e.catalog.Closed {
		b.Closed = append(b.Closed, content.DaysIn(e.words, closed))
	}
	return b
}

// addTimes adds times to the days before, or to further ones.
func addTimes(open []openDays, days, times string) []openDays {
	if last := len(open) - 1; last >= 0 && open[last].Days == days {
		open[last].Times = append(open[last].Times, times)
		return open
	}
	return append(open, openDays{days, []string{times}})
}

func addressLines(address *contract.Address) []string {
	if address == nil {
		return nil
	}
	lines := []string{address.Street, address.CityLine()}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}
