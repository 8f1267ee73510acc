package mutants

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/handlers"
	"frontdesk/internal/app"
)

// answers alters the answers to questions.
type answers struct {
	handlers.Answers
	alter func(q string, a *contract.Answer)
}

func (a answers) Ask(ctx context.Context, q string) contract.Answer {
	answer := a.Answers.Ask(ctx, q)
	answer.Encoded = nil
	a.alter(q, &answer)
	return answer
}

// encoded answers with a prepared body that differs from the answer's fields.
type encoded struct{ handlers.Answers }

func (e encoded) Ask(ctx context.Context, q string) contract.Answer {
	answer := e.Answers.Ask(ctx, q)
	answer.Encoded = bytes.Replace(answer.Encoded, []byte(`"answer":"`), []byte(`"answer":"Since 1998: `), 1)
	return answer
}

// answer makes the API and the tools answer with a.
func answer(w *app.Wiring, a handlers.Answers) { w.API.Answers, w.Core.Answers = a, a }

func answering(alter func(q string, a *contract.Answer)) change {
	return wired(func(w *app.Wiring) { answer(w, answers{w.API.Answers, alter}) })
}

// matched changes the answers of entries, fallback the others.
func matched(alter func(q string, a *contract.Answer)) change {
	return answering(func(q string, a *contract.Answer) {
		if a.Match != contract.MatchNone {
			alter(q, a)
		}
	})
}

func fallback(alter func(q string, a *contract.Answer)) change {
	return answering(func(q string, a *contract.Answer) {
		if a.Match == contract.MatchNone {
			alter(q, a)
		}
	})
}

// answerMutants break answers.
func answerMutants() []Mutant {
	return []Mutant{
		{"a fallback says that it matched", "D.answers", "ask-falls-back", fallback(func(_ string, a *contract.Answer) {
			a.Reason, a.Match = contract.ReasonMatched, contract.MatchSelector
		})},
		{"an approved question gets the fallback", "4.ask", "ask-answers-verbatim",
			matched(func(_ string, a *contract.Answer) { a.Answer, a.Match = "We do not know.", contract.MatchNone })},
		{"the end of an answer is cut off", "4.ask", "ask-answers-verbatim", matched(func(_ string, a *contract.Answer) {
			a.Answer = strings.TrimSuffix(a.Answer, ".") + "…"
		})},
		{"an answer is joined to one line", "4.ask", "ask-answers-verbatim", matched(func(_ string, a *contract.Answer) {
			a.Answer = strings.Join(strings.Fields(a.Answer), "  ")
		})},
		{"a model writes the fallback", "4.ask", "fallback-is-one-text", fallback(func(q string, a *contract.Answer) {
			a.Answer = "I cannot say much about " + q
		})},
		{"the prepared body has an older text", "4.ask", "ask-answers-verbatim", wired(func(w *app.Wiring) {
			answer(w, encoded{w.API.Answers})
		})},
		{"an answer has no entry_id", "D.answers", "ask-says-how-it-matched", answering(func(_ string, a *contract.Answer) {
			a.EntryID = nil
		})},
		{"an answer has no revision", "D.answers", "ask-says-how-it-matched", answering(func(_ string, a *contract.Answer) {
			a.Revision = nil
		})},
		{"a fallback has an entry_id", "D.answers", "ask-falls-back", fallback(func(_ string, a *contract.Answer) {
			a.EntryID = new("fallback")
		})},
		{"six suggestions", "D.answers", "ask-falls-back", fallback(func(_ string, a *contract.Answer) {
			a.Suggestions = []string{"a", "b", "c", "d", "e", "f"}
		})},
		{"no candidates", "D.answers", "ask-hands-over-candidates", answering(func(_ string, a *contract.Answer) {
			a.Candidates = []contract.Candidate{}
		})},
		{"a candidate's text is joined to one line", "D.answers", "ask-hands-over-candidates",
			answering(func(_ string, a *contract.Answer) {
				a.Candidates = slices.Clone(a.Candidates)
				for i := range a.Candidates {
					a.Candidates[i].Answer = strings.Join(strings.Fields(a.Candidates[i].Answer), "  ")
				}
			})},
		{"candidates are in another order than suggestions", "D.answers", "ask-hands-over-candidates",
			answering(func(_ string, a *contract.Answer) {
				a.Candidates = slices.Clone(a.Candidates)
				slices.Reverse(a.Candidates)
			})},
		{"a score is published", "D.answers", "ask-says-how-it-matched", documents(func(object map[string]any) {
			object["score"] = 0.97
		}, contract.PathAsk)},
		{"a reached cap is answered with an entry's text", "8.2", "a-reached-cap-is-no-error",
			answering(func(_ string, a *contract.Answer) {
				a.Reason = contract.ReasonRateLimitedGlobal
			})},
		{"the tool answers differently from HTTP", "4.mcp", "ask-faq-answers-like-http", wired(func(w *app.Wiring) {
			w.Core.Answers = answers{w.API.Answers, func(_ string, a *contract.Answer) { a.URL = nil }}
		})},
		{"any entry_id is accepted", "D.answers", "feedback-has-bounds", objects(func(object map[string]any) {
			if object[contract.FieldEntryID] != nil {
				object[contract.FieldEntryID], object[contract.FieldQuestion] = nil, "x"
			}
		}, contract.PathFeedback)},
		{"feedback does not require helpful", "D.answers", "feedback-is-validated", objects(func(object map[string]any) {
			if object[contract.FieldHelpful] == nil {
				object[contract.FieldHelpful] = true
			}
		}, contract.PathFeedback)},
	}
}
