package main

import (
	"context"

	"frontdesk/faq"
	"frontdesk/internal/gaps"
	"frontdesk/internal/model"
	"frontdesk/internal/records"
)

// model is the one model of the service, or nil.
func (s *service) model() faq.Model {
	if !s.config.Model.IsSet() {
		return nil
	}
	return model.New(model.Config{
		Endpoint: s.config.Model,
		DailyCap: s.config.ModelDailyCap,
		Calls:    s.calls(),
		Log:      s.log,
	})
}

// keeper keeps the questions that the content does not serve, unless the owner
// does not want them.
func (s *service) keeper() *gaps.Keeper {
	if !s.config.KeepQuestions {
		return nil
	}
	return gaps.NewKeeper(s.store, s.log)
}

// feedbacks stores feedback. Its question is treated like every question that is
// kept: masked, or not kept at all.
type feedbacks struct {
	store *records.Store
	gaps  *gaps.Keeper
}

// AddFeedback implements handlers.Feedbacks.
func (f feedbacks) AddFeedback(ctx context.Context, feedback records.Feedback) error {
	if !feedback.Helpful {
		f.gaps.Unhelpful(feedback.Q, feedback.EntryID)
	}
	if feedback.Q = gaps.Mask(feedback.Q); f.gaps == nil {
		feedback.Q = ""
	}
	return f.store.AddFeedback(ctx, feedback)
}
