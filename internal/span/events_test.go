package span_test

import (
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/span"
)

// Events of one kind in a row are one with the last subject and time. The list is bounded.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var events span.Events
		events.Add(span.MailFailed, "a")
		events.Add(span.RedisAway, "")
		time.Sleep(time.Hour)
		events.Add(span.MailFailed, "b")
		events.Add(span.MailFailed, "c")
		now := time.Now()
		expect.Same(t, "events", []span.Event{
			{Kind: span.MailFailed, Subject: "c", Times: 2, At: now},
			{Kind: span.RedisAway, Times: 1, At: now.Add(-time.Hour)},
			{Kind: span.MailFailed, Subject: "a", Times: 1, At: now.Add(-time.Hour)},
		}, events.List())
		for range 50 {
			events.Add(span.RedisAway, "")
			events.Add(span.ModelFailed, "")
		}
		expect.Same(t, "events at most", 50, len(events.List()))
	})
}
