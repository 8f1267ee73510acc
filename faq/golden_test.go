package faq

import (
	"fmt"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/internal/expect"
)

func TestCheckGolden(t *testing.T) {
	t.Parallel()
	faq := shop()
	faq.Entries = append(faq.Entries, content.Entry{ID: "fair", Question: "Is there a stall?", IsFact: true},
		content.Entry{ID: "fair", Question: "Are you at the spring fair?", Expires: time.Unix(1, 0)})
	ask := func(q, id string) content.Golden {
		return content.Golden{Answered: []content.GoldenQuestion{{Q: q, ID: id, Line: 2}}}
	}
	answered := func(q, id, but string) string {
		return fmt.Sprintf(`golden.yaml:2: %[1]q must be answered by %[2]q, but %[3]s (add this wording to the alternates `+
			`of %[2]q in faq.yaml) content.golden.answered [%[1]s]`, q, id, but)
	}
	for _, test := range []struct {
		name   string
		golden content.Golden
		want   string
	}{
		{"no questions", content.Golden{}, ""},
		{"all hold", content.Golden{
			Answered: []content.GoldenQuestion{
				{Q: "what does it cost", ID: "price"}, {Q: "How can I cancel the subscription?", ID: "cancel"},
			},
			Unanswered: []content.GoldenQuestion{{Q: "What is the weather in Paris?"}},
		}, ""},
		{"answered by another", ask("How much is it?", "cancel"), answered("How much is it?", "cancel", `"price" answers`)},
		{"answered by none", ask("Do you sell cake?", "price"),
			answered("Do you sell cake?", "price", "the fallback answers")},
		{"answered all the same", content.Golden{Unanswered: []content.GoldenQuestion{{Q: "When are you open?", Line: 9}}},
			`golden.yaml:9: "When are you open?" must not be answered, but "hours" answers ` +
				`(make the wordings of "hours" in faq.yaml less like it) content.golden.unanswered [When are you open?]`},
		{"of an expired entry", ask("Are you at the spring fair?", "fair"), ""},
	} {
		got := ""
		for _, fault := range newBook(t, faq).CheckGolden(t.Context(), test.golden) {
			got += fmt.Sprint(fault.String(), " ", fault.Code, " ", fault.Values)
		}
		expect.Same(t, test.name, test.want, got)
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
