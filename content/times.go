package content

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Weekdays are the days of the week in the spelling of catalog.yaml and the catalog.
var Weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// weekday returns the place in Weekdays of a day, which may be written in full; -1 for other texts.
func weekday(text string) int {
	text = strings.TrimSpace(text)
	return slices.IndexFunc(Weekdays, func(day string) bool {
		full := strings.ToLower(time.Weekday((slices.Index(Weekdays, day) + 1) % len(Weekdays)).String())
		return strings.HasPrefix(text, day) && strings.HasPrefix(full, text)
	})
}

// DaysOf returns the days of a line of hours, in the order of the week: "mon", "tue-fri", "fri-mon" or
// "sat, sun". If ok is false, these are the days before the part that is none.
func DaysOf(text string) (found []string, ok bool) {
	ok = true
	for part := range strings.SplitSeq(dashes.Replace(strings.ToLower(text)), ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, to := weekday(first), weekday(last)
		if !isRange {
			to = from
		}
		if ok = from >= 0 && to >= 0; !ok {
			break
		}
		for at := from; ; at = (at + 1) % len(Weekdays) {
			found = append(found, Weekdays[at])
			if at == to {
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int { return slices.Index(Weekdays, a) - slices.Index(Weekdays, b) })
	return found, ok
}

var dashes = strings.NewReplacer("–", "-", "—", "-")

// Patterns of times as people type them: two times of a day, what is between two such spans, and the
// words for a day without hours and for one without an end.
const clockForm = `(\d{1,2})(?:[:.h](\d{2}))?\s*(?:([ap])(?:\.\s?m\.|m)|h|uhr)?`

var (
	typedSpan = regexp.MustCompile(`^` + clockForm +
		`\s*(?:[-–—]|to|till|until|bis|tot|do|al?|à|às|até)\s*` + clockForm + `$`)
	betweenSpans = regexp.MustCompile(`\s*[,;/&+]\s*|\s+(?:and|und|en|et|e|y|i)\s+`)
	closedForm   = regexp.MustCompile(`^(?:` + Closed + `|geschlossen|ruhetag|fermée?|` +
		`chiuso|cerrado|gesloten|zamknięte|nieczynne|fechado|encerrado)$`)
	alwaysForm = regexp.MustCompile(`^(?:24|24 ?(?:h|hours?|stunden|heures|ore|horas|uur|godziny)|24/7|` +
		`all day|open all day|durchgehend)$`)
)

// Closed is the word for a day without hours in catalog.yaml.
const Closed = "closed"

// Bounds of a day in catalog.yaml.
const (
	dayBegins = "00:00"
	dayEnds   = "24:00"
)

// morning is when a time after a later one is of the same day, and not of the night.
const morning = "06:00"

// ParseTimes reads times of a day as people type them: "06:30-18:00", "8-12, 14-18" with a break,
// "6pm-2am" over midnight, "24h", "closed". It returns them as catalog.yaml writes them, the earliest first, no span
// for a closed day. Otherwise, also where spans overlap, it returns why it cannot.
func ParseTimes(text string) (spans [][2]string, why *Diagnostic) {
	typed := strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch {
	case closedForm.MatchString(typed):
		return nil, nil
	case alwaysForm.MatchString(typed):
		return [][2]string{{dayBegins, dayEnds}}, nil
	}
	ended := dayBegins
	for _, part := range betweenSpans.Split(typed, -1) {
		found := typedSpan.FindStringSubmatch(part)
		if found == nil {
			return nil, notTimes(text)
		}
		opens, closes := clock{found[1], found[2], found[3]}, clock{found[4], found[5], found[6]}
		span, isVague := opens.until(closes), opens.isOfTwelve() && closes.isOfTwelve()
		switch {
		case !timeForm.MatchString(span[0]) || !timeForm.MatchString(span[1]), span[0] == span[1], span[0] == dayEnds,
			// The afternoon, the next day, or noon may be meant.
			span[0] < ended && (isVague || span[0] < morning),
			opens.isOfTwelve() && closes.half == "a" && span[1] == dayEnds:
			return nil, notTimes(text)
		case span[1] < span[0] && isVague:
			read := span[0] + "-" + span[1]
			return nil, &Diagnostic{Message: fmt.Sprintf("%q reads as %s, which is over midnight", text, read),
				Code: "reason.times.midnight", Values: []any{text, read}}
		}
		ended = endOf(span)
		spans = append(spans, span)
	}
	slices.SortFunc(spans, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	for i, span := range spans[1:] {
		if span[0] < endOf(spans[i]) {
			return nil, notTimes(text)
		}
	}
	return spans, nil
}

// endOf is when a span ends on the day on which it begins.
func endOf(span [2]string) string {
	if span[1] < span[0] {
		return dayEnds
	}
	return span[1]
}

func notTimes(text string) *Diagnostic {
	return &Diagnostic{Message: fmt.Sprintf("%q is not a time range", text), Code: "reason.times", Values: []any{text}}
}

var timeForm = regexp.MustCompile(`^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$`)

// clock is a time of the day as it is typed: hour, minutes, and which half of the day: a, p, or empty.
type clock struct{ hour, minutes, half string }

// isOfTwelve reports whether a clock of twelve hours may be meant, which does not say which half of the
// day it is.
func (c clock) isOfTwelve() bool {
	hour, _ := strconv.Atoi(c.hour) // the pattern makes it a number
	return c.half == "" && 0 < hour && hour <= 12 && c.hour[0] != '0'
}

// in is the time, in a half of the day if there is one.
func (c clock) in(half string) string {
	hour, _ := strconv.Atoi(c.hour)
	switch {
	case half == "p" && hour < 12:
		hour += 12
	case half == "a" && hour == 12:
		hour = 0
	}
	return fmt.Sprintf("%02d:%s", hour, cmp.Or(c.minutes, "00"))
}

// until is the span to another time. If only one of them has its half of the day, the other is in the
// same, or in the other half where that would be over midnight: "6-10pm", "9-5pm", "6pm-2", "9am-12".
func (c clock) until(closes clock) [2]string {
	halves := [][2]string{{c.half, closes.half}}
	switch {
	case c.half == "" && closes.half != "":
		halves = [][2]string{{closes.half, closes.half}, {otherHalf[closes.half], closes.half}}
	case c.half != "" && closes.half == "":
		halves = [][2]string{{c.half, c.half}, {c.half, otherHalf[c.half]}}
	}
	var span [2]string
	for i, half := range halves {
		span = [2]string{c.in(half[0]), closes.in(half[1])}
		if span[1] == dayBegins && i == len(halves)-1 { // the end of the day
			span[1] = dayEnds
		}
		if span[0] < span[1] {
			break
		}
	}
	return span
}

var otherHalf = map[string]string{"a": "p", "p": "a"}

// TidyTimes writes times of a day as catalog.yaml does. Other texts stay as they are.
func TidyTimes(typed string) string {
	spans, why := ParseTimes(typed)
	if why != nil {
		return typed
	}
	if len(spans) == 0 {
		return Closed
	}
	var written []string
	for _, span := range spans {
		written = append(written, span[0]+"-"+span[1])
	}
	return strings.Join(written, ", ")
}
