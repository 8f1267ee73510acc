// Package model lets a language model choose which approved entry answers a
// question. The model gets entries with their ids. Its reply counts only if it is one of
// these ids or the word for none, so nothing that it writes reaches a customer.
//
// It talks to any endpoint that has the chat completions of the OpenAI API
// (https://platform.openai.com/docs/api-reference/chat/create): Ollama, llama.cpp,
// vLLM, a vendor. One Chooser guards one endpoint for every face of the service:
// the daily cap, the number of calls at once, the deadline and the circuit breaker
// are all here. No log line of this package holds a question, a key or a byte of
// what the model said.
package model

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/rs/zerolog"
	"github.com/sony/gobreaker/v2"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/internal/span"
)

// Counter counts the calls of a day for all instances of the service; records.Store is
// one, and documents its method.
type Counter interface {
	AddModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error)
}

// Config is what a Chooser works with.
type Config struct {
	Endpoint  Endpoint
	DailyCap  int // calls a UTC day; 0 allows none
	ClientCap int // likewise, of one client
	Calls     Counter
	Events    *span.Events
	Log       zerolog.Logger
	// Called is called after each call of the endpoint; it may be nil.
	Called func(outcome Outcome, took time.Duration)
}

// Outcome is what came of a call.
type Outcome string

const (
	Chosen   Outcome = "chosen"    // the model named an entry
	NoChoice Outcome = "no_choice" // it named none, or its reply is no choice
	Broken   Outcome = "failed"    // the endpoint is down, slow or refuses
)

// Outcomes are all of them.
var Outcomes = []Outcome{Chosen, NoChoice, Broken}

func outcomeOf(place int, err error) Outcome {
	switch {
	case err == nil && place != None:
		return Chosen
	case err == nil || dependsOnQuestion(err):
		return NoChoice
	default:
		return Broken
	}
}

// concurrentCalls is how many calls may be under way at once. What comes on top of
// them is answered without the model at once, rather than kept waiting.
const concurrentCalls = 8

// Times of the circuit breaker: after tripAfter failures of the endpoint in a row no
// question waits for it, and one call per breakerPause tries whether it is back. A failure
// that depends on the question does not count, because one client could then turn the
// model off for all.
const (
	tripAfter    = 5
	breakerPause = 30 * time.Second
)

// Chooser asks one model, within its bounds. Its methods may be called by many at
// once, and there is one for the whole service.
type Chooser struct {
	Config
	http    *http.Client
	slots   chan struct{}
	breaker *gobreaker.CircuitBreaker[int]
	spent   atomic.Int64                   // the Day whose cap is known to be reached
	refused *lru.Cache[refusal, time.Time] // until when the model is not asked again
}

// Why no call was made although the endpoint may be well. The breaker does not
// count these.
var (
	errCapReached = errors.New("the daily cap of the model, or the client's share of it, is reached")
	errUncounted  = errors.New("the call could not be counted")
)

// New makes the chooser of an endpoint.
func New(config Config) *Chooser {
	c := &Chooser{Config: config, http: newClient(), slots: make(chan struct{}, concurrentCalls)}
	c.spent.Store(-1)                                       // no day
	c.refused, _ = lru.New[refusal, time.Time](maxRefusals) // its only error is a size below 1
	c.breaker = gobreaker.NewCircuitBreaker[int](gobreaker.Settings{
		Timeout:      breakerPause,
		ReadyToTrip:  func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= tripAfter },
		IsSuccessful: func(err error) bool { return err == nil || dependsOnQuestion(err) },
		IsExcluded:   func(err error) bool { return errors.Is(err, errCapReached) || errors.Is(err, errUncounted) },
		OnStateChange: func(_ string, _, now gobreaker.State) {
			c.Log.Warn().Stringer("breaker", now).Msg("circuit breaker of the model")
		},
	})
	return c
}

// Choose returns the place of the entry that answers the question, with the reason
// matched; or None with no_match when the model sees none, rate_limited_global when
// the calls of the day are used up, those of the client or all, and model_unavailable
// when the model is busy, slow or down, or its reply is not a choice. Such a reply is
// remembered, and that question is not asked again for a while. A caller that leaves does
// not stop the call, which counts toward the cap in any case.
func (c *Chooser) Choose(ctx context.Context, question string, entries []*content.Entry) (int, contract.Reason) {
	day := records.DayOf(time.Now())
	if c.DailyCap <= 0 || c.spent.Load() == day {
		return None, contract.ReasonRateLimitedGlobal
	}
	key := refusalKey(question, entries)
	if until, _ := c.refused.Get(key); time.Now().Before(until) {
		return None, contract.ReasonModelUnavailable
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return None, contract.ReasonModelUnavailable
	}
	client := limits.ClientFrom(ctx)
	ctx = context.WithoutCancel(ctx)
	place, err := c.breaker.Execute(func() (int, error) {
		if err := c.count(ctx, day, client); err != nil {
			return None, err
		}
		ctx, cancel := context.WithTimeout(ctx, c.Endpoint.Timeout)
		defer cancel()
		began := time.Now()
		place, err := c.Endpoint.choose(ctx, c.http, question, entries)
		if c.Called != nil {
			c.Called(outcomeOf(place, err), time.Since(began))
		}
		return place, err
	})
	if err != nil {
		place = None // the breaker gives the zero value, which is the first entry
	}
	if dependsOnQuestion(err) {
		c.refused.Add(key, time.Now().Add(refusalTime))
	}
	return place, c.reason(place, err)
}

// Resting reports whether the circuit breaker keeps calls away from the endpoint.
func (c *Chooser) Resting() bool { return c.breaker.State() == gobreaker.StateOpen }

// count takes one of the day's calls, at the attempt and before it: a call that
// fails has cost as much as one that succeeds. The two counts share records.CallTimeout.
func (c *Chooser) count(ctx context.Context, day int64, client limits.Client) error {
	add := func(client string, most int) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, records.CallTimeout/2)
		defer cancel()
		return c.Calls.AddModelCall(ctx, day, client, most)
	}
	allowed, err := add(client.Account(), c.ClientCap)
	if err == nil && !allowed {
		return errCapReached
	}
	if err == nil {
		allowed, err = add("", c.DailyCap)
	}
	switch {
	case err != nil:
		c.Log.Error().Err(err).Msg("the model is not asked: its calls cannot be counted")
		return errUncounted
	case !allowed:
		if c.spent.Swap(day) != day {
			c.Events.Add(span.ModelCapReached, "")
			c.Log.Warn().Int("daily_cap", c.DailyCap).Msg("the model is not asked until tomorrow (UTC): its daily cap is " +
				"reached")
		}
		return errCapReached
	}
	return nil
}

// reason says what became of a choice, and logs what the owner can do something
// about. While the breaker is open nothing is logged: it was when it opened.
func (c *Chooser) reason(place int, err error) contract.Reason {
	switch {
	case err == nil && place == None:
		return contract.ReasonNoMatch
	case err == nil:
		return contract.ReasonMatched
	case errors.Is(err, errCapReached):
		return contract.ReasonRateLimitedGlobal
	case !errors.Is(err, errUncounted) && !errors.Is(err, gobreaker.ErrOpenState) &&
		!errors.Is(err, gobreaker.ErrTooManyRequests):
		c.Events.Add(span.ModelFailed, "")
		c.Log.Warn().Err(err).Msg("the model could not be asked")
	}
	return contract.ReasonModelUnavailable
}

// dependsOnQuestion reports whether a call failed because of what was asked, and not
// because the endpoint is down, slow, overloaded, unpaid or has no such model: a content
// filter answers 400, 413 or 422, and a model that refuses to choose, or does not keep to
// the schema, answers with something that is not an id.
func dependsOnQuestion(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch status.Status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return true
		}
		return false
	}
	return errors.Is(err, errNonsense)
}

// Bounds of the refusals that are remembered; the oldest goes first.
const (
	maxRefusals = 1024
	refusalTime = time.Hour
)

// refusal is a question for which the model gave no choice.
type refusal [sha256.Size]byte

// refusalKey identifies a question among the entries that it was asked about.
func refusalKey(question string, entries []*content.Entry) (key refusal) {
	hash := sha256.New()
	hash.Write([]byte(question))
	for _, entry := range entries {
		hash.Write([]byte("\x00" + entry.ID))
	}
	hash.Sum(key[:0])
	return key
}
