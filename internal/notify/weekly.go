package notify

import (
	"context"
	"fmt"
	"time"
)

// The digest of a week is due on Monday morning, in the time zone of the business.
const (
	digestDay  = time.Monday
	digestHour = 8
)

// weekly reports unanswered questions once a week.
func (n *Notifier) weekly(ctx context.Context) {
	var done time.Time // the last Monday whose digest was stored
	for {
		now := time.Now().In(n.config.Zone())
		if due := lastDigest(now); !due.Equal(done) {
			if err := n.digest(ctx, due); err == nil {
				done = due
			} else if ctx.Err() == nil {
				n.config.Log.Error().Err(err).Msg("cannot count the unanswered questions of the week; trying again in an hour")
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(jittered(time.Hour), time.Until(lastDigest(now).AddDate(0, 0, 7))+time.Second)):
		}
	}
}

// lastDigest returns when a digest was due last.
func lastDigest(now time.Time) time.Time {
	back := (int(now.Weekday()) - int(digestDay) + 7) % 7
	due := time.Date(now.Year(), now.Month(), now.Day()-back, digestHour, 0, 0, 0, now.Location())
	if due.After(now) {
		due = due.AddDate(0, 0, -7)
	}
	return due
}

// digest stores the digest of the week that ended at end, if any question of that week is
// unanswered. One is sent, however often and on however many instances it is called.
func (n *Notifier) digest(ctx context.Context, end time.Time) error {
	questions, err := n.config.Store.Questions(ctx)
	open, asked := 0, 0
	for _, q := range questions {
		if q.Unanswered == 0 {
			continue
		}
		open++
		if q.LastAt.Before(end) && !q.LastAt.Before(end.AddDate(0, 0, -7)) {
			asked++
		}
	}
	if err != nil || asked == 0 {
		return err
	}
	year, number := end.ISOWeek()
	week := fmt.Sprintf("%d-W%02d", year, number)
	rows := n.rows(QuestionsDigest, week, facts{Week: week, Unanswered: asked, Open: open})
	if err := n.config.Store.AddNotifications(ctx, rows); err != nil {
		return err
	}
	n.Wake()
	return nil
}
