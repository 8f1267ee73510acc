package faq

import (
	"context"
	"slices"
	"sync"
	"testing"

	"frontdesk/content"
	"frontdesk/contract"
)

func shop() content.FAQ {
	entry := func(id, url, answer, question string, alternates ...string) content.Entry {
		return content.Entry{
			ID: id, URL: url, Answer: answer, Question: question, Alternates: alternates, Revision: "r-" + id,
		}
	}
	return content.FAQ{Fallback: "I have no approved answer to that.", Entries: []content.Entry{
		entry("price", "/pricing", "From 40 EUR a month.\n\n  * no set-up fee",
			"What does it cost?", "How much is it?", "What are your prices?", "Is there a monthly fee?"),
		entry("hours", "https://example.org/hours", "Monday to Friday, nine to five.",
			"When are you open?", "What are your opening hours?", "Are you open on Saturday?", "Can I call in the evening?"),
		entry("cancel", "", "Write to us; it ends with the month.", "How do I cancel my subscription?",
			"Can I stop at any time?", "How do I end my contract?", "What is the notice period?"),
		entry("who", "", "For local businesses with one to twenty people.",
			"Who is it for?", "Is this for small businesses?", "Do you work with restaurants?"),
		entry("jp", "", "月額40ユーロからです。", "料金はいくらですか？", "月額の費用を教えてください", "値段はどのくらいですか"),
	}}
}

func resolve(url string) string {
	if url[0] == '/' {
		return "https://desk.example" + url
	}
	return url
}

func newBook(t testing.TB, faq content.FAQ) *Answerer {
	t.Helper()
	return New(faq, nil, resolve)
}

func outcomeOf(a contract.Answer) string {
	if a.EntryID == nil {
		return string(a.Match)
	}
	return string(a.Match) + " " + *a.EntryID
}

type oracle struct {
	mu     sync.Mutex
	id     string          // of the entry to choose; empty for none
	reason contract.Reason // in place of a choice
	asked  []string
	shown  []string // ids of the entries, last time
	hold   chan struct{}
}

func (o *oracle) Choose(_ context.Context, question string, entries []*content.Entry) (int, contract.Reason) {
	o.mu.Lock()
	o.asked, o.shown = append(o.asked, question), nil
	for _, entry := range entries {
		o.shown = append(o.shown, entry.ID)
	}
	id, reason, shown := o.id, o.reason, o.shown
	o.mu.Unlock()
	if o.hold != nil {
		<-o.hold
	}
	if place := slices.Index(shown, id); reason == "" && place >= 0 {
		return place, contract.ReasonMatched
	}
	if reason == "" {
		reason = contract.ReasonNoMatch
	}
	return -1, reason
}

const beyond = "Do I have to pay a deposit before the first month?"
