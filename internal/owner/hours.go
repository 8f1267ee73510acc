package owner

import (
	"net/url"
	"slices"
	"strings"

	"frontdesk/content"
)

func weekdayName(s session, day string) string {
	return s.List("owner.weekdays")[slices.Index(content.Weekdays, day)]
}

// dayRow is the row of a day of the week in the opening hours.
type dayRow struct{ Key, Name, Times string }

func (s shownField) Week() (rows []dayRow) {
	for _, day := range content.Weekdays {
		row := dayRow{s.Key + "." + day, weekdayName(s.session, day), ""}
		for _, line := range linesOf(s.Value) {
			if times, isDay := strings.CutPrefix(line, day+" "); isDay {
				row.Times = times
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// period is a row of days; the last may be empty.
type period struct{ First, Last, Times string }

// Periods is a row for each day, or first and last day, and some more.
func (s shownField) Periods() (rows []period) {
	for _, line := range linesOf(s.Value) {
		days, times, _ := strings.Cut(line, " ")
		first, last, _ := strings.Cut(days, "..")
		rows = append(rows, period{first, last, times})
	}
	return append(rows, make([]period, emptyRows)...)
}

// readPeriods are the lines for the rows of days that a form sends.
func readPeriods(sent url.Values, key string) (lines []string) {
	rows := field{Key: key, columns: []field{{Key: "from"}, {Key: "to"}, {Key: "times"}}}.readRows(sent)
	for _, row := range rows {
		cells := strings.Split(row, "\t")
		days, last, times := cells[0], cells[1], cells[2]
		if last != "" && last != days {
			days += ".." + last
		}
		if times != "" {
			days += " " + content.TidyTimes(times)
		}
		if days != "" {
			lines = append(lines, days)
		}
	}
	return lines
}

// hoursOf are the opening hours of an item, a line for each day: "mon 08:00-12:00, 14:00-18:00".
func hoursOf(item content.Item, key string) (lines []string) {
	times := map[string]string{}
	for name, spans := range item {
		if text, isHours := strings.CutPrefix(name, key+"."); isHours {
			days, _ := content.DaysOf(text) // other texts are faults of the file
			for _, day := range days {
				times[day] = content.TidyTimes(strings.Join(spans, ", "))
			}
		}
	}
	for _, day := range content.Weekdays {
		if times[day] != "" && times[day] != content.Closed {
			lines = append(lines, day+" "+times[day])
		}
	}
	return lines
}

// writtenHours are opening hours as they are written: days of the week that follow each other
// and have the same times together.
func writtenHours(lines []string) (hours content.Fields) {
	first, before := "", ""
	for _, line := range lines {
		day, times, _ := strings.Cut(line, " ")
		if len(hours) > 0 && slices.Index(content.Weekdays, day) == slices.Index(content.Weekdays, before)+1 &&
			hours[len(hours)-1].Value == timesValue(times) {
			hours[len(hours)-1].Key = first + "-" + day
		} else {
			first = day
			hours = append(hours, content.Field{Key: day, Value: timesValue(times)})
		}
		before = day
	}
	return hours
}

// specialHoursOf are the days of an item with other hours, in their order: "2026-12-24
// 08:00-12:00".
func specialHoursOf(item content.Item, key string) (lines []string) {
	for name, spans := range item {
		if days, isDays := strings.CutPrefix(name, key+"."); isDays {
			lines = append(lines, days+" "+content.TidyTimes(strings.Join(spans, ", ")))
		}
	}
	slices.Sort(lines)
	return lines
}

// timesValue is how the times of a day are written: one span needs no quotes.
func timesValue(times string) any {
	if strings.Contains(times, ",") {
		return times
	}
	return content.Plain(times)
}
