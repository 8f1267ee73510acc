package main

import (
	"math/rand/v2"
	"slices"

	"frontdesk/content"
)

// alternates are how many of them an entry of a simulated FAQ has, and sizes how many
// of these numbers the entries of a set are enough for.
var (
	alternates = []int{0, 1, 3, 5, 10, 25, 60}
	sizes      = map[string]int{"clinc150": 7, "hwu64": 7, "stackfaq": 3}
)

// shape is what else simulated FAQs differ in.
type shape struct {
	share      float64 // of the entries that is kept; the wordings of the others are out of scope
	named      bool    // the name of an intent is its question, as in the set, and not one of its texts
	unanswered int     // how many questions the owner wants unanswered
}

var shapes = []shape{
	{share: 0.2, named: true},
	{share: 0.5, named: true, unanswered: 60},
	{share: 0.8},
}

// How many questions are asked of a simulated FAQ at most: with an entry, of
// entries that were left out, of other sets; and how many entries it has.
const (
	maxOwn, maxSiblings, maxForeign = 400, 200, 200
	maxEntries                      = 90
)

// drawn is a simulated FAQ and the questions to it.
type drawn struct {
	entries    []content.Entry
	questions  []labelled
	unanswered []string
}

// draw makes an FAQ of a set.
func (s *simulator) draw(rng *rand.Rand, set, without string, count int, sh shape) drawn {
	all := s.sets[set]
	kept := min(int(sh.share*float64(len(all))), maxEntries)
	var d drawn
	var own, siblings []labelled
	for n, i := range rng.Perm(len(all)) {
		texts := slices.Clone(all[i].Alternates)
		rng.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
		if n >= kept {
			siblings = append(siblings, ask(texts, -1)...)
			continue
		}
		entry := content.Entry{Question: all[i].Question, Answer: all[i].Answer}
		if isIntent := entry.Answer == ""; isIntent && (count == 0 || !sh.named) {
			entry.Question, texts = texts[0], texts[1:]
		}
		entry.Alternates = texts[:min(count, len(texts))]
		own = append(own, ask(texts[len(entry.Alternates):], len(d.entries))...)
		d.entries = append(d.entries, entry)
	}
	d.questions = some(rng, own, maxOwn)
	d.questions = append(d.questions, some(rng, siblings, maxSiblings)...)
	d.questions = append(d.questions, some(rng, s.foreign(set, without), maxForeign)...)
	d.keepUnanswered(rng, sh.unanswered)
	return d
}

// foreign are the questions of the other sets.
func (s *simulator) foreign(set, without string) (all []labelled) {
	for _, other := range trainingSets {
		if other != set && other != without {
			for _, text := range s.texts[other] {
				all = append(all, labelled{text: text, entry: -1, far: true})
			}
		}
	}
	return all
}

// keepUnanswered takes so many questions out of scope out of the questions, for the owner to know.
func (d *drawn) keepUnanswered(rng *rand.Rand, most int) {
	var asked []labelled
	for _, q := range some(rng, d.questions, len(d.questions)) {
		if q.entry < 0 && len(d.unanswered) < most {
			d.unanswered = append(d.unanswered, q.text)
		} else {
			asked = append(asked, q)
		}
	}
	d.questions = asked
}

func ask(texts []string, entry int) []labelled {
	questions := make([]labelled, len(texts))
	for i, text := range texts {
		questions[i] = labelled{text: text, entry: entry}
	}
	return questions
}

func some(rng *rand.Rand, questions []labelled, most int) []labelled {
	rng.Shuffle(len(questions), func(a, b int) { questions[a], questions[b] = questions[b], questions[a] })
	return questions[:min(most, len(questions))]
}
