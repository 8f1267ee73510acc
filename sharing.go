package main

import (
	"context"

	"frontdesk/model"
	"frontdesk/quota"
	"frontdesk/routes"
)

// limiters are the limits of this instance, or with Redis those of all instances.
func (s *service) limiters() routes.Limiters {
	if s.quota == nil { // a nil pointer would be an interface that is not nil
		return routes.NewLimiters(nil)
	}
	return routes.NewLimiters(s.quota)
}

// callCounter counts the calls of the model and tells how many there were.
type callCounter interface {
	model.Counter
	ModelCalls(ctx context.Context, day int64) (calls int, err error)
}

// calls counts the calls of the model.
func (s *service) calls() callCounter {
	if s.quota == nil {
		return s.store
	}
	return quota.Calls{Shared: s.quota, Kept: s.store}
}
