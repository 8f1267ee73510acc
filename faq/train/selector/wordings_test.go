package main

import (
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
	"frontdesk/internal/expect"
)

// mostLost is how many questions of 100 words and meaning together may lose to the better of the two, and leastRight
// how many of 100 answers must be right. Some wordings of the scooters are in languages that the encoder does not read.
const mostLost = 1.0

func leastRight(desk string) float64 {
	if desk == "scooter-rental" {
		return 80
	}
	return 90
}

func TestManyWordings(t *testing.T) {
	expect.SkipInRace(t, "it encodes some 3,000 texts")
	t.Parallel()
	desks := expect.Value(readDesks("../../../testdata/wordings"))(t)
	public := folder("../../../../shared/data")
	if _, err := os.Stat(string(public)); err != nil {
		t.Logf("the public sets are skipped: %v", err)
	} else {
		desks = append(desks,
			publicSample(t, public, "clinc150", "entries_10shot.jsonl", 40, 120),
			publicSample(t, public, "hwu64", "entries_10shot.jsonl", 40, 120),
			publicSample(t, public, "hwu64", "entries.jsonl", 40, 400)) // of fewer questions, one would be a point
	}
	e := expect.Value(encoderFlags{}.open())(t)
	shipped := semantic.Shipped()
	type result struct{ asked, words, semantic, both, answered, right float64 }
	results := map[string]*result{}
	cases := gather(e, shipped, desks, io.Discard)
	for i, j := range judge(shipped, cases) {
		r := results[j.desk.name]
		if r == nil {
			r = new(result)
			results[j.desk.name] = r
		}
		entry := j.question.entry
		if j.confidence >= shipped.Regime(j.few).Answers.At(precision) {
			r.answered += j.weight
			r.right += j.weight * lexical.Indicator(j.right())
		}
		if entry < 0 {
			continue
		}
		r.asked++
		r.words += lexical.Indicator(len(j.words.Best) > 0 && j.words.Best[0] == entry)
		r.both += lexical.Indicator(j.right())
		best, most := -1, math.Inf(-1)
		for _, c := range cases[i].candidates.List {
			if like := c.RankFeatures[0]; like > most { // the similarity of the nearest wording
				best, most = c.Entry, like
			}
		}
		r.semantic += lexical.Indicator(best == entry)
	}
	for name, r := range results {
		t.Logf("%s: first by words %.1f, by meaning %.1f, by both %.1f; of the answers %.1f right",
			name, 100*r.words/r.asked, 100*r.semantic/r.asked, 100*r.both/r.asked, 100*r.right/r.answered)
		lost := max(r.words, r.semantic) - r.both
		expect.AtMost(t, name+": questions that words and meaning together lose", math.Ceil(mostLost/100*r.asked), lost)
		expect.AtLeast(t, name+": right answers of 100", leastRight(name), 100*r.right/r.answered)
	}
}

// publicSample leaves out every fifth topic.
func publicSample(t *testing.T, data folder, set, file string, topics, asked int) *desk {
	t.Helper()
	all := expect.Value(data.entries(filepath.Join(set, file)))(t)
	d := &desk{name: set + " " + file, group: set, language: "en", weight: 1, knowledge: lexical.Shipped()}
	place := map[string]int{}
	for i, entry := range all[:topics] {
		place[entry.ID] = -1
		if i%5 != 0 {
			place[entry.ID] = len(d.entries)
			d.entries = append(d.entries,
				content.Entry{ID: entry.ID, Question: entry.Question, Alternates: entry.Alternates, Answer: entry.Answer})
		}
	}
	questions := expect.Value(data.questions(filepath.Join(set, "valid.jsonl")))(t)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(questions), func(i, j int) {
		questions[i], questions[j] = questions[j], questions[i]
	})
	for _, q := range questions {
		if q.ID == nil || len(d.questions) == asked {
			continue
		}
		if entry, known := place[*q.ID]; known {
			d.questions = append(d.questions, labelled{text: q.Q, entry: entry})
		}
	}
	return d
}
