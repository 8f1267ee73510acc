package faq

import (
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/internal/expect"

	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCheckGolden(t *testing.T) {
	t.Parallel()
	faq := shop()
	faq.Entries = append(faq.Entries, content.Entry{
		ID: "fair", Question: "Are you at the spring fair?", Answer: "Yes.",
		Expires: time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC),
	})
	tests := []struct {
		name   string
		golden content.Golden
		want   content.Diagnostics
	}{
		{"no questions", content.Golden{}, nil},
		{"all hold", content.Golden{
			Answered:   []content.GoldenQuestion{{Q: "what does it cost", ID: "price", Line: 2}, {Q: "How can I cancel the subscription?", ID: "cancel", Line: 3}},
			Unanswered: []content.GoldenQuestion{{Q: "What is the weather in Paris?", Line: 5}},
		}, nil},
		{"answered by another", content.Golden{
			Answered: []content.GoldenQuestion{{Q: "How much is it?", ID: "cancel", Line: 2}},
		}, content.Diagnostics{{
			File: "golden.yaml", Line: 2,
			Message: `"How much is it?" must be answered by "cancel", but "price" answers`,
			Hint:    `add this wording to the alternates of "cancel" in faq.yaml`,
			Code:    "content.golden.answered", Values: []any{"How much is it?"},
		}}},
		{"answered by none", content.Golden{
			Answered: []content.GoldenQuestion{{Q: "Do you sell cake?", ID: "price", Line: 7}},
		}, content.Diagnostics{{
			File: "golden.yaml", Line: 7,
			Message: `"Do you sell cake?" must be answered by "price", but the fallback answers`,
			Hint:    `add this wording to the alternates of "price" in faq.yaml`,
			Code:    "content.golden.answered", Values: []any{"Do you sell cake?"},
		}}},
		{"answered all the same", content.Golden{
			Unanswered: []content.GoldenQuestion{{Q: "When are you open?", Line: 9}},
		}, content.Diagnostics{{
			File: "golden.yaml", Line: 9,
			Message: `"When are you open?" must not be answered, but "hours" answers`,
			Hint:    `make the wordings of "hours" in faq.yaml less like it`,
			Code:    "content.golden.unanswered", Values: []any{"When are you open?"},
		}}},
		{"of an expired entry", content.Golden{
			Answered: []content.GoldenQuestion{{Q: "Are you at the spring fair?", ID: "fair", Line: 2}},
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			expect.Same(t, "CheckGolden", test.want, newBook(t, faq).CheckGolden(t.Context(), test.golden),
				cmpopts.IgnoreUnexported(content.Diagnostic{}))
		})
	}
}

// What must stay unanswered is learnt from: a question like it is less sure.
func TestUnansweredTeaches(t *testing.T) {
	t.Parallel()
	sample := expect.Value(content.Load(content.Sample()))(t)
	unanswered := []content.GoldenQuestion{{Q: "Can you cancel my gym membership?"}, {Q: "Do you cancel flights?"}}
	const like = "please cancel the gym membership of my wife"
	without := New(sample.FAQ, nil, resolve).Try(like)
	with := New(sample.FAQ, unanswered, resolve).Try(like)
	if with.Confidence >= without.Confidence {
		t.Errorf("confidence %v, %v when nothing was learnt", with.Confidence, without.Confidence)
	}
}
