package faq

import (
	"context"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
	"frontdesk/internal/span"
)

// Model picks the entry that answers a question; model.Chooser is one.
type Model interface {
	// Choose returns the place in entries of the one that answers the question, with
	// the reason matched, or why there is none. It keeps its own time, whatever
	// becomes of ctx.
	Choose(ctx context.Context, question string, entries []*content.Entry) (place int, reason contract.Reason)
}

// allCandidates is up to how many live entries a model chooses among all of them;
// of more it gets the best lexical.Candidates of the selector (decisions, Answers).
const allCandidates = 40

// maxChoices is how many choices of a model are remembered until the content changes: a few MiB at most.
const maxChoices = 4096

// Cascade asks an answerer, and a language model if the answerer is not sure. It is safe for
// concurrent use. Golden questions and examples are asked of the answerer itself: they
// cost nothing, and the answer of a model may differ tomorrow.
type Cascade struct {
	answerer *Answerer
	model    Model // nil for none
	asking   singleflight.Group
	choices  *lru.Cache[string, picked] // by the key of the question
}

// WithModel returns a cascade of the answerer and a model, which may be nil.
func (b *Answerer) WithModel(m Model) *Cascade {
	choices, _ := lru.New[string, picked](maxChoices) // its only error is a size below 1
	return &Cascade{answerer: b, model: m, choices: choices}
}

// Ask answers q: an approved wording, the selector when it is sure, the model, the
// fallback with the reason why there is nothing better. The answer is the same
// value whichever step gave it: a model adds no byte to it.
func (c *Cascade) Ask(ctx context.Context, q string) contract.Answer {
	live := c.answerer.live()
	answer, choice := c.answerer.ask(ctx, q, live, semantic.MaxWait) // a crowd of questions must not hold up the answers
	if answer.EntryID != nil || choice.Several || c.model == nil {   // a model would choose one entry of several
		return answer
	}
	key := content.QuestionKey(q)
	if key == "" { // no word to ask about
		return answer
	}
	speaking := c.answerer.onlyLanguageOf(q, live)
	got, known := c.choices.Get(key)
	if !known || got.entry != lexical.NoEntry && !speaking(got.entry) { // in place of an expired one, another is chosen
		got = c.choose(ctx, q, key, c.answerer.choosable(choice.Best, speaking))
	}
	if got.entry != lexical.NoEntry && live(got.entry) {
		chosen := c.answerer.preferLanguage(c.answerer.languageOf(ctx, q), []int{got.entry})
		return c.answerer.answer(chosen[0], contract.MatchModel)
	}
	answer.Reason = got.reason
	return answer
}

// picked is the model's outcome for a question.
type picked struct {
	entry  int // lexical.NoEntry if the model chose none
	reason contract.Reason
}

// choose returns the model's choice, which is shared with equal questions at the same time.
// The call outlives its caller, because others may share it.
func (c *Cascade) choose(ctx context.Context, q, key string, choosable []int) picked {
	defer span.Since(ctx, span.Model, time.Now())
	answered := c.asking.DoChan(key, func() (any, error) { return c.ask(ctx, q, key, choosable), nil })
	select {
	case result := <-answered:
		return result.Val.(picked)
	case <-ctx.Done():
		return picked{lexical.NoEntry, contract.ReasonModelUnavailable}
	}
}

func (c *Cascade) ask(ctx context.Context, q, key string, choosable []int) picked {
	if len(choosable) == 0 {
		return picked{lexical.NoEntry, contract.ReasonNoMatch}
	}
	entries := make([]*content.Entry, len(choosable))
	for i, entry := range choosable {
		entries[i] = &c.answerer.entries[entry]
	}
	place, reason := c.model.Choose(ctx, q, entries)
	got := picked{lexical.NoEntry, reason}
	if reason == contract.ReasonMatched {
		got.entry = choosable[place]
	}
	if reason == contract.ReasonMatched || reason == contract.ReasonNoMatch { // not that the model was unavailable
		c.choices.Add(key, got)
	}
	return got
}

// choosable returns the places of the live entries that a model may choose from: all, or if they are too many, the
// selector's best, filled up with the first.
func (b *Answerer) choosable(best []int, live func(entry int) bool) (all []int) {
	for entry := range b.entries {
		if !live(entry) || len(all) > 0 && b.entries[all[len(all)-1]].ID == b.entries[entry].ID { // in another language
			continue
		}
		all = append(all, entry)
	}
	if len(all) <= allCandidates {
		return all
	}
	return b.unique(append(slices.Clip(best), all[:lexical.Candidates]...))[:lexical.Candidates]
}
