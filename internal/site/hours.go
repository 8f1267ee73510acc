package site

import (
	"cmp"
	"slices"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// span is a time at which the business is open.
type span struct{ opens, closes time.Time }

// on returns when the business is open on the day of a time: by its special hours, else
// not at all if it is closed, else by the hours of the weekday.
func (s *Site) on(at time.Time) (spans []span) {
	day := at.Format(time.DateOnly)
	includes := func(days contract.Days) bool { return days.From <= day && day <= days.To }
	add := func(opens, closes string) {
		night := 0
		if closes < opens { // over midnight
			night = 1
		}
		spans = append(spans, span{atTime(at, 0, opens), atTime(at, night, closes)})
	}
	for _, special := range s.Content.SpecialHours {
		if includes(special.Days) {
			add(special.Opens, special.Closes)
		}
	}
	if len(spans) == 0 && !slices.ContainsFunc(s.Content.Closed, includes) {
		weekday := content.Weekdays[(int(at.Weekday())+6)%7]
		for _, hours := range s.Content.Hours {
			if slices.Contains(hours.Days, weekday) {
				add(hours.Opens, hours.Closes)
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.opens.Compare(b.opens) })
	return spans
}

// atTime returns clock, such as 06:30 or 24:00, on the date n days after at.
func atTime(at time.Time, n int, clock string) time.Time {
	hour, minute := int(clock[0]-'0')*10+int(clock[1]-'0'), int(clock[3]-'0')*10+int(clock[4]-'0')
	return content.TimeOn(at, n, hour, minute)
}

// Bounds of what is said about the time to come, in days.
const (
	namedByWeekday = 6   // later days have their date
	foreseen       = 400 // a business that opens later is not said to open
)

// status says whether the business is open at a time, and until when.
func (e *edition) status(now time.Time) (text string, isOpen bool) {
	if !e.site.isTimed {
		return "", false
	}
	zone := e.site.Zone
	now = now.In(zone)
	var until time.Time // the end of the time that includes now, so far
days:
	for n := -1; n < foreseen; n++ { // from yesterday on, which may end after midnight
		for _, s := range e.site.on(startOfDay(now, n)) {
			switch {
			case !now.Before(s.closes):
			case !until.IsZero() && s.opens.After(until):
				break days
			case !until.IsZero() || !now.Before(s.opens):
				until = time.Unix(max(until.Unix(), s.closes.Unix()), 0).In(zone)
			default:
				return e.closedUntil(now, s.opens), false
			}
		}
	}
	switch {
	case until.IsZero():
		return "", false
	case until.Sub(now) > 24*time.Hour:
		return e.t("open.now"), true
	case until.Equal(startOfDay(now, 1)):
		return e.t("open.until", "24:00"), true
	}
	return e.t("open.until", until.Format("15:04")), true
}

func startOfDay(now time.Time, n int) time.Time { return content.TimeOn(now, n, 0, 0) }

func (e *edition) closedUntil(now, opens time.Time) string {
	clock := opens.Format("15:04")
	if opens.Before(startOfDay(now, 1)) {
		return e.t("open.later", clock)
	}
	day := e.words.On(opens)
	if opens.Before(startOfDay(now, namedByWeekday+1)) {
		day = e.words.List("date.weekdays")[(int(opens.Weekday())+6)%7]
	}
	if len(e.site.on(now)) == 0 {
		return e.t("open.not-today", day, clock)
	}
	return e.t("open.closed", day, clock)
}

// statusChanges returns when what status says may change: when the business opens or closes,
// and at midnight. It is zero if nothing is said.
func (s *Site) statusChanges(now time.Time) time.Time {
	if !s.isTimed {
		return time.Time{}
	}
	now = now.In(s.Zone)
	next := startOfDay(now, 1)
	for _, span := range append(s.on(startOfDay(now, -1)), s.on(now)...) {
		for _, at := range []time.Time{span.opens, span.closes} {
			if at.After(now) && at.Before(next) {
				next = at
			}
		}
	}
	return next
}

// booking returns where people book a service; empty if they cannot.
func (e *edition) booking(service contract.Service) string {
	return cmp.Or(service.Booking, e.Booking)
}
