// Package evaluation says how well questions were answered: how often the right
// entry came first, how often the service kept quiet when it had no answer, and what
// either would have been with another threshold.
package evaluation

import "slices"

// Result is what became of one question.
type Result struct {
	Q          string
	Want       string   // the entry that answers it; empty when none does
	Best       []string // the entries closest to it, best first
	Confidence float64  // that the first of them answers it
	Near       int      // how many of Best are candidates when the first is not served
	Answered   bool     // the first of them was served
}

// Right reports whether the best entry is the wanted one.
func (r *Result) Right() bool { return r.among(1) }

// among reports whether the wanted entry is one of the first n.
func (r *Result) among(n int) bool {
	return r.Want != "" && slices.Contains(r.Best[:min(n, len(r.Best))], r.Want)
}

// Report is the figures of many results. A share is from 0 to 1, or null if there is nothing to take a share of. Print
// says what those with a text are.
type Report struct {
	Questions  int `json:"questions"`
	InScope    int `json:"in_scope"`     // of them, those that an entry answers
	OutOfScope int `json:"out_of_scope"` // and those that none does

	AmongCandidates   *float64 `json:"among_candidates" is:"not answered, but the right entry is among the candidates"`
	AnsweredWrong     *float64 `json:"answered_wrong"` // questions with an entry, answered with another
	Accuracy          *float64 `json:"accuracy" is:"the right entry comes first, served or not"`
	RecallAt5         *float64 `json:"recall_at_5" is:"it is among the first five"`
	InScopeAcc        *float64 `json:"in_scope_accuracy" is:"as served: questions with an entry, answered with it"`
	OOSRecall         *float64 `json:"oos_recall" is:"as served: questions without an entry, not answered"`
	Precision         *float64 `json:"precision" is:"as served: answers that are right"`
	Coverage          *float64 `json:"coverage" is:"as served: questions with an entry that get an answer, right or wrong"`
	InScopeAccAtOOS80 *float64 `json:"in_scope_accuracy_at_oos_recall_80" is:"with the threshold that refuses 80 of 100 without an entry"`
	AUROC             *float64 `json:"auroc" is:"how well confidence separates questions with an entry from those without"`

	RiskCoverage []RiskAt     `json:"risk_coverage"`
	Confusions   []*Confusion `json:"confusions"`

	LoadSeconds             float64 `json:"load_seconds"`
	MicrosecondsPerQuestion float64 `json:"microseconds_per_question"`
}

// New makes the report of results, without the times.
func New(results []Result) *Report {
	count := func(is func(*Result) bool) (n int) {
		for i := range results {
			n += one(is(&results[i]))
		}
		return n
	}
	all, inScope := levels(results), count(func(r *Result) bool { return r.Want != "" })
	outOfScope := len(results) - inScope
	served := count(func(r *Result) bool { return r.Answered })
	servedRight := count(func(r *Result) bool { return r.Answered && r.Right() })
	servedInScope := count(func(r *Result) bool { return r.Answered && r.Want != "" })
	return &Report{
		Questions: len(results), InScope: inScope, OutOfScope: outOfScope,
		Accuracy:          share(count((*Result).Right), inScope),
		RecallAt5:         share(count(func(r *Result) bool { return r.among(5) }), inScope),
		InScopeAcc:        share(servedRight, inScope),
		OOSRecall:         share(count(func(r *Result) bool { return !r.Answered && r.Want == "" }), outOfScope),
		Precision:         share(servedRight, served),
		Coverage:          share(servedInScope, inScope),
		AmongCandidates:   share(count(func(r *Result) bool { return !r.Answered && r.among(r.Near) }), inScope),
		AnsweredWrong:     share(servedInScope-servedRight, inScope),
		InScopeAccAtOOS80: accuracyAt(all, inScope, outOfScope, 0.8),
		AUROC:             auroc(all, inScope, outOfScope),
		RiskCoverage:      riskCoverage(all, float64(len(results))),
		Confusions:        confusions(results),
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func share(part, of int) *float64 {
	if of == 0 {
		return nil
	}
	return new(float64(part) / float64(of))
}
