package config

import (
	"fmt"
	"strconv"
	"time"
)

// maxDrainDelay is longer than any load balancer needs to notice.
const maxDrainDelay = 5 * time.Minute

// parseConnections reads a number of connections; an empty text is 0, the default.
func parseConnections(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	count, err := strconv.ParseUint(text, 10, 31)
	if err != nil || count == 0 {
		return 0, fmt.Errorf("%q is not a number of connections such as 1000", text)
	}
	return int(count), nil
}

func parseDrainDelay(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	delay, err := time.ParseDuration(text)
	if err != nil || delay < 0 || delay > maxDrainDelay {
		return 0, fmt.Errorf("%q is not a time such as 5s, of at most %v", text, maxDrainDelay)
	}
	return delay, nil
}
