package model

import (
	"math"
	"sync/atomic"
	"time"
)

// noDay is before all days.
const noDay = math.MinInt64

// Day is the day on which calls at a time count, in days since 1970-01-01 UTC.
func Day(at time.Time) int64 {
	const secondsOfDay = 24 * 60 * 60
	return at.Unix() / secondsOfDay
}

// calendar returns the UTC day, which never runs backwards: a clock that is set back
// over midnight does not give the calls of a day twice.
type calendar struct {
	latest atomic.Int64 // a Day; the zero value is before any clock of ours
}

func (c *calendar) today() int64 {
	day := Day(time.Now())
	for {
		latest := c.latest.Load()
		if day <= latest {
			return latest
		}
		if c.latest.CompareAndSwap(latest, day) {
			return day
		}
	}
}
