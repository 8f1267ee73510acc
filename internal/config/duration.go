package config

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// day is the unit of retention.
const day = 24 * time.Hour

// defaultRetention is how long records are kept by default.
const defaultRetention = 365 * day

// parseAge reads an age in days (365d) or as a Go duration (12h).
func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return defaultRetention, nil
	}
	age, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int64
		n, err = strconv.ParseInt(days, 10, 32)
		age = time.Duration(n) * day
	}
	if err != nil || age <= 0 {
		return 0, errors.New(strconv.Quote(text) + " is not an age such as 365d or 12h")
	}
	return age, nil
}
