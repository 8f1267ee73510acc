package outbox

import (
	"math/rand/v2"
	"time"
)

// Times of the retries of a failed mail. The pause before the next one is as long as
// the inquiry is old, within these bounds, so that each is about twice the one before.
const (
	minRetryPause = time.Minute
	maxRetryPause = time.Hour
	// retryFor is the age of an inquiry after which its mail is not tried again
	// (RFC 5321 4.5.4.1: at least 4 to 5 days).
	retryFor = 5 * 24 * time.Hour
)

// nextRetry is when a mail that failed now is tried again; zero means never. Each pause
// differs by up to a quarter, so that the mails of an outage do not come all at once.
func nextRetry(created, now time.Time) time.Time {
	age := now.Sub(created)
	if age >= retryFor {
		return time.Time{}
	}
	pause := min(max(age, minRetryPause), maxRetryPause)
	return now.Add(pause*3/4 + rand.N(pause/2)).Truncate(time.Microsecond) // as records keep it
}
