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
	return content.FAQ{
		Fallback: "I have no approved answer to that.",
		Entries: []content.Entry{
			{
				ID: "price", Question: "What does it cost?", URL: "/pricing", Revision: "r-price",
				Alternates: []string{"How much is it?", "What are your prices?", "Is there a monthly fee?"},
				Answer:     "From 40 EUR a month.\n\n  * no set-up fee",
			},
			{
				ID: "hours", Question: "When are you open?", URL: "https://example.org/hours", Revision: "r-hours",
				Alternates: []string{"What are your opening hours?", "Are you open on Saturday?", "Can I call in the evening?"},
				Answer:     "Monday to Friday, nine to five.",
			},
			{
				ID: "cancel", Question: "How do I cancel my subscription?", Revision: "r-cancel",
				Alternates: []string{"Can I stop at any time?", "How do I end my contract?", "What is the notice period?"},
				Answer:     "Write to us; it ends with the month.",
			},
			{
				ID: "who", Question: "Who is it for?", Revision: "r-who",
				Alternates: []string{"Is this for small businesses?", "Do you work with restaurants?"},
				Answer:     "For local businesses with one to twenty people.",
			},
			{
				ID: "jp", Question: "料金はいくらですか？", Revision: "r-jp",
				Alternates: []string{"月額の費用を教えてください", "値段はどのくらいですか"},
				Answer:     "月額40ユーロからです。",
			},
		},
	}
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

// outcomeOf is how an answer was found, and its entry.
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
