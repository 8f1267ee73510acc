package app

import (
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// TimeFormat is RFC 3339 with milliseconds: whole seconds, zerolog's default, would
// not tell the requests of one second apart.
const TimeFormat = toSeconds + ".000" + zoneFormat

// The parts of TimeFormat that are the same for all lines of a second.
const (
	toSeconds  = "2006-01-02T15:04:05"
	zoneFormat = "Z07:00"
)

// logTime puts the time on a line, in TimeFormat. It makes the text once a second:
// package time would make each line's anew, which takes as long as all its other
// members.
type logTime struct{ latest atomic.Pointer[secondText] }

type secondText struct {
	unix            int64
	toSeconds, zone string
}

// Run implements zerolog.Hook.
func (t *logTime) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	var text [len(`""`) + len(TimeFormat)]byte
	e.RawJSON(zerolog.TimestampFieldName, t.appendTime(text[:0], time.Now()))
}

// appendTime appends a time as JSON text.
func (t *logTime) appendTime(b []byte, now time.Time) []byte {
	second := t.latest.Load()
	if unix := now.Unix(); second == nil || second.unix != unix {
		second = &secondText{unix, now.Format(toSeconds), now.Format(zoneFormat)}
		t.latest.Store(second)
	}
	millis := now.Nanosecond() / int(time.Millisecond)
	b = append(b, '"')
	b = append(b, second.toSeconds...)
	b = append(b, '.', digit(millis/100), digit(millis/10), digit(millis))
	b = append(b, second.zone...)
	return append(b, '"')
}

// digit is the last decimal digit of n.
func digit(n int) byte { return byte('0' + n%10) }
