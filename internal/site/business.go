package site

import (
	"slices"
	"strings"
	"time"

	"frontdesk/contract"
)

// business is the contact data and the opening hours, as pages show them.
type business struct {
	Address      []string // lines
	Phone, Email string
	Dial         string // the phone number for a tel: link
	Hours        []openDays
	Closed       []string
}

// Any reports whether there is anything to show.
func (b business) Any() bool {
	return len(b.Address) > 0 || b.Phone != "" || b.Email != "" || len(b.Hours) > 0
}

// openDays are days with the same times.
type openDays struct {
	Days  string
	Times []string
}

// weekdays are the days as the catalog names them.
var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func (e *edition) business() business {
	b := business{
		Address: addressLines(e.catalog.Address), Phone: e.catalog.Phone, Email: e.catalog.Email, Dial: dial(e.catalog.Phone),
	}
	for _, hours := range e.catalog.Hours {
		var days []int
		for _, day := range hours.Days {
			days = append(days, slices.Index(weekdays, day))
		}
		text, times := e.words.Days(days), hours.Opens+"–"+hours.Closes
		if last := len(b.Hours) - 1; last >= 0 && b.Hours[last].Days == text {
			b.Hours[last].Times = append(b.Hours[last].Times, times)
		} else {
			b.Hours = append(b.Hours, openDays{text, []string{times}})
		}
	}
	for _, closed := range e.catalog.Closed {
		from, to := e.date(closed.From), e.date(closed.To)
		if from == to {
			b.Closed = append(b.Closed, from)
		} else {
			b.Closed = append(b.Closed, e.t("date.range", from, to))
		}
	}
	return b
}

// date formats a day of the catalog.
func (e *edition) date(day string) string {
	parsed, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return e.words.Date(parsed)
}

func addressLines(address *contract.Address) []string {
	if address == nil {
		return nil
	}
	lines := []string{address.Street, strings.TrimSpace(address.PostalCode + " " + address.City)}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// dial returns a phone number without visual separators (RFC 3966).
func dial(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, phone)
}
