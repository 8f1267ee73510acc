package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"frontdesk/content"
	"frontdesk/faq/evaluation"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
)

// precision is what the service goes by when nothing else is set.
const precision = content.DefaultPrecision

// trial is a row of the table: content and the questions that are asked of it.
type trial struct {
	name       string
	set        string // whose training part what is known must not have seen
	entries    string
	alternates int // that an entry keeps; -1 is all
	valid      string
	test       string
	unanswered string // questions that the owner wants unanswered
	tuned      tuning
	mistyped   bool // it is asked with typing errors too
	drawn      bool // it is a curve of the plot
	reduced    bool // every fifth entry is taken out, and its questions have none then
}

// tuning is where the threshold comes from.
type tuning int

const (
	untuned      tuning = iota // only the content
	tunedByBoth                // the validation part with its questions out of scope
	tunedInScope               // the validation part without them: inScopeAim of it answered rightly
)

// inScopeAim is the validation accuracy at which questions out of scope are counted when none
// may be seen.
const inScopeAim = 0.9

var trials = []trial{
	{name: "CLINC150, threshold from validation", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: -1,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", unanswered: "clinc150/oos_train.jsonl",
		tuned: tunedByBoth},
	{name: "CLINC150, no unanswered question", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: -1,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", tuned: tunedInScope, drawn: true},
	{name: "CLINC150, 10 alternates", set: "clinc150", entries: "clinc150/entries_10shot.jsonl", alternates: -1,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", mistyped: true, drawn: true},
	{name: "CLINC150, 5 alternates", set: "clinc150", entries: "clinc150/entries_5shot.jsonl", alternates: -1,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl"},
	{name: "CLINC150, 1 alternate", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: 1,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", drawn: true},
	{name: "HWU64", set: "hwu64", entries: "hwu64/entries.jsonl", alternates: -1, valid: "hwu64/valid.jsonl",
		test: "hwu64/queries.jsonl", mistyped: true},
	{name: "HWU64, 10 alternates", set: "hwu64", entries: "hwu64/entries_10shot.jsonl", alternates: -1,
		valid: "hwu64/valid.jsonl", test: "hwu64/queries.jsonl", drawn: true},
	{name: "CLINC150, topics taken out, 20 alternates", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: 20,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", reduced: true},
	{name: "CLINC150, topics taken out, 10 alternates", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: 10,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", reduced: true},
	{name: "CLINC150, topics taken out, 5 alternates", set: "clinc150", entries: "clinc150/entries.jsonl", alternates: 5,
		valid: "clinc150/valid.jsonl", test: "clinc150/queries.jsonl", reduced: true},
	{name: "HWU64, topics taken out, 20 alternates", set: "hwu64", entries: "hwu64/entries.jsonl", alternates: 20,
		valid: "hwu64/valid.jsonl", test: "hwu64/queries.jsonl", reduced: true},
	{name: "HWU64, topics taken out, 10 alternates", set: "hwu64", entries: "hwu64/entries.jsonl", alternates: 10,
		valid: "hwu64/valid.jsonl", test: "hwu64/queries.jsonl", reduced: true},
	{name: "HWU64, topics taken out, 5 alternates", set: "hwu64", entries: "hwu64/entries.jsonl", alternates: 5,
		valid: "hwu64/valid.jsonl", test: "hwu64/queries.jsonl", reduced: true},
	{name: "StackFAQ, question and answer only", set: "stackfaq", entries: "stackfaq/entries_all.jsonl", alternates: -1,
		test: "stackfaq/queries_all.jsonl", drawn: true},
	{name: "StackFAQ, with alternates", set: "stackfaq", entries: "stackfaq/entries.jsonl", alternates: -1,
		valid: "stackfaq/valid.jsonl", test: "stackfaq/queries.jsonl", mistyped: true},
	{name: "xSID English", entries: "xsid_en/entries.jsonl", alternates: -1, test: "xsid_en/queries.jsonl"},
	{name: "xSID German", entries: "xsid_de/entries.jsonl", alternates: -1, test: "xsid_de/queries.jsonl"},
	{name: "xSID Italian", entries: "xsid_it/entries.jsonl", alternates: -1, test: "xsid_it/queries.jsonl"},
	{name: "xSID Japanese", entries: "xsid_ja/entries.jsonl", alternates: -1, test: "xsid_ja/queries.jsonl"},
}

// examiner runs trials. What is known without a set is made once.
type examiner struct {
	data  folder
	sim   *simulator
	known map[string]*lexical.Knowledge
	drawn []curve

	judges  string       // folder of parameters; empty: words only
	encoder *foldEncoder // nil without judges
}

// chooser chooses an entry for a question.
type chooser func(question string) lexical.Choice

// chooser makes what is examined: words only, or words and meaning by parameters that have not seen the set.
func (e *examiner) chooser(words *lexical.Selector, set string, entries []content.Entry, unanswered []string) (chooser,
	error) {
	if e.encoder == nil {
		return chooserByWords(words), nil
	}
	parameters, err := readParameters(e.judges, set)
	if err != nil {
		return nil, err
	}
	embedder := semantic.NewEmbedder(e.encoder, parameters, semantic.Files{}, func(error) {})
	s := semantic.New(words, embedder, entries, unanswered)
	return func(q string) lexical.Choice { return s.Select(context.Background(), q, everyone, precision) }, nil
}

func chooserByWords(words *lexical.Selector) chooser {
	return func(q string) lexical.Choice { return words.Select(q, everyone, precision) }
}

func everyone(int) bool { return true }

func (e *examiner) knowledge(without string) *lexical.Knowledge {
	if e.known[without] == nil {
		e.known[without] = e.sim.knowledge(without)
	}
	return e.known[without]
}

// prepared is a trial whose selector is made.
type prepared struct {
	entries []content.Entry
	words   *lexical.Selector
	choose  chooser
	load    time.Duration
}

func (e *examiner) prepare(t trial) (p prepared, err error) {
	if p.entries, err = e.data.entries(t.entries); err != nil {
		return p, err
	}
	for i := range p.entries {
		if t.alternates >= 0 {
			p.entries[i].Alternates = p.entries[i].Alternates[:min(t.alternates, len(p.entries[i].Alternates))]
		}
	}
	if t.reduced {
		var kept []content.Entry
		for i := range p.entries {
			if i%5 != 0 {
				kept = append(kept, p.entries[i])
			}
		}
		p.entries = kept
	}
	unanswered, err := e.unanswered(t.unanswered)
	if err != nil {
		return p, err
	}
	know := e.knowledge(t.set)
	began := time.Now()
	p.words = lexical.New(p.entries, unanswered, know)
	p.choose, err = e.chooser(p.words, t.set, p.entries, unanswered)
	p.load = time.Since(began)
	return p, err
}

// run prints the rows of a trial.
func (e *examiner) run(t trial, out io.Writer) error {
	p, err := e.prepare(t)
	if err != nil {
		return err
	}
	var valid []evaluation.Result
	if t.valid != "" {
		if valid, err = e.ask(p.choose, p.entries, t.valid); err != nil {
			return err
		}
	}
	began := time.Now()
	test, err := e.ask(p.choose, p.entries, t.test)
	if err != nil {
		return err
	}
	each := time.Since(began) / time.Duration(len(test))
	fmt.Fprintf(out, "%s (%d entries; load %.2fs; %s a question)\n", t.name, len(p.entries), p.load.Seconds(),
		each.Round(time.Microsecond))
	if t.drawn {
		if err := e.draw(t, test, p.words, p.entries); err != nil {
			return err
		}
	}
	if t.tuned != untuned {
		threshold := t.threshold(valid, test)
		row(out, "untuned", evaluation.New(test))
		valid, test = servedFrom(valid, threshold), servedFrom(test, threshold)
	}
	if len(valid) > 0 {
		row(out, "validation", evaluation.New(valid))
	}
	row(out, "test", evaluation.New(test))
	return nil
}

// draw draws what was asked, and what words only make of it beside that.
func (e *examiner) draw(t trial, asked []evaluation.Result, words *lexical.Selector, entries []content.Entry) error {
	e.drawn = append(e.drawn, curve{name: t.name, points: evaluation.New(asked).RiskCoverage})
	if e.encoder == nil {
		return nil
	}
	byWords, err := e.ask(chooserByWords(words), entries, t.test)
	e.drawn = append(e.drawn, curve{t.name + ", words only", evaluation.New(byWords).RiskCoverage, true})
	return err
}

// unanswered reads the questions that the owner wants unanswered, if there is a file.
func (e *examiner) unanswered(name string) (unanswered []string, err error) {
	if name == "" {
		return nil, nil
	}
	questions, err := e.data.questions(name)
	for _, q := range questions {
		unanswered = append(unanswered, q.Q)
	}
	return unanswered, err
}

// threshold is chosen on the validation part.
func (t *trial) threshold(valid, test []evaluation.Result) float64 {
	if t.tuned == tunedByBoth {
		return bestThreshold(valid, scopeWeight(valid, test))
	}
	return thresholdFor(valid, inScopeAim)
}

func (e *examiner) ask(s chooser, entries []content.Entry, name string) ([]evaluation.Result, error) {
	questions, err := e.data.questions(name)
	return results(s, entries, questions), err
}

func results(s chooser, entries []content.Entry, questions []question) []evaluation.Result {
	known := map[string]bool{}
	for i := range entries {
		known[entries[i].ID] = true
	}
	results := make([]evaluation.Result, len(questions))
	for i, q := range questions {
		choice := s(q.Q)
		results[i] = evaluation.Result{Q: q.Q, Confidence: choice.Confidence, Answered: choice.Sure}
		if q.ID != nil && known[*q.ID] {
			results[i].Want = *q.ID
		}
		for _, entry := range choice.Best {
			results[i].Best = append(results[i].Best, entries[entry].ID)
		}
	}
	return results
}

// scopeWeight makes the questions out of scope of the validation part as many, beside the
// others, as those of the test part: the two differ in nothing else.
func scopeWeight(valid, test []evaluation.Result) float64 {
	v, t := evaluation.New(valid), evaluation.New(test)
	return (float64(t.OutOfScope) / float64(t.InScope)) / (float64(v.OutOfScope) / float64(v.InScope))
}

func row(out io.Writer, part string, r *evaluation.Report) {
	fmt.Fprintf(out, "  %-10s accuracy %s recall@5 %s | served: in scope %s, out of scope refused %s, precision %s, "+
		"coverage %s | AUROC %s, in scope at 80 refused %s, all at precision 95 %s\n", part,
		percent(r.Accuracy), percent(r.RecallAt5), percent(r.InScopeAcc), percent(r.OOSRecall), percent(r.Precision),
		percent(r.Coverage),
		percent(r.AUROC), percent(r.InScopeAccAtOOS80), percent(answeredAt(r, precision)))
}

// answeredAt is the most of all questions that a threshold answers with a precision.
func answeredAt(r *evaluation.Report, precision float64) *float64 {
	var most *float64
	for i := range r.RiskCoverage {
		if p := &r.RiskCoverage[i]; p.Risk <= 1-precision {
			most = &p.Coverage
		}
	}
	return most
}

func percent(share *float64) string {
	if share == nil {
		return "   -"
	}
	return fmt.Sprintf("%4.1f", 100**share)
}
