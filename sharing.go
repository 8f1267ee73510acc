package main

import (
	"frontdesk/internal/quota"
	"frontdesk/routes"
)

// limiters are the limits of this instance, or with Redis those of all instances.
func (s *service) limiters() routes.Limiters {
	if s.quota == nil { // a nil pointer would be an interface that is not nil
		return routes.NewLimiters(nil)
	}
	return routes.NewLimiters(s.quota)
}

// calls counts the calls of the model, and tells how many there were.
func (s *service) calls() quota.CallCounter {
	if s.quota == nil {
		return s.store
	}
	return quota.Calls{Shared: s.quota, Kept: s.store}
}
