// Package handlers is the HTTP interface of the core. Each handler decodes a request,
// makes one call and encodes the answer. The middleware turns the errors of handlers
// into problem records.
package handlers

import (
	"context"
	"net/http"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/internal/site"
)

// handler answers a request, or returns why it is refused.
type handler = func(http.ResponseWriter, *http.Request) error

// API holds the parts that the handlers call.
type API struct {
	Documents discovery.Published // of the live content
	Site      func() *site.Site   // of the live content
	Answers   Answers
	// Answered asks a question and renders its answer from the same content. The path
	// of the request decides the language of the page.
	Answered  func(ctx context.Context, path, q string) site.Page
	Pilots    Pilots
	Feedbacks Feedbacks
	Keys      func() *signing.Keys // those in use
	AskLimit  *limits.Limiter      // for AskPage, which takes its slots itself
	Proofs    map[string]string    // texts by which directories verify the domain, by path; empty for none
}

// Answers answers questions with approved text.
type Answers interface {
	Ask(ctx context.Context, q string) contract.Answer
	Has(entryID string) bool
}

// Pilots takes pilot requests.
type Pilots interface {
	Preview(request contract.PilotRequest) contract.Preview
	// Send takes the Idempotency-Key of the request, if it has one.
	Send(ctx context.Context, request contract.PilotRequest, key contract.IdempotencyKey) (contract.Accepted,
		limits.Decision, error)
	// Quarantine stores a request that looks like spam, without mailing it.
	Quarantine(ctx context.Context, request contract.PilotRequest,
		key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error)
}

// Feedbacks stores feedback on answers.
type Feedbacks interface {
	AddFeedback(ctx context.Context, feedback records.Feedback) error
}
