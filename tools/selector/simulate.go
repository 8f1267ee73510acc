package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"frontdesk/content"
	"frontdesk/faq/lexical"
)

// trainingSets are the data sets of which FAQs are simulated, all of their training
// parts alone.
var trainingSets = []string{"clinc150", "hwu64", "stackfaq"}

// shapes are the simulated FAQs: how many alternates an entry has, and which share
// of the entries is kept.
var (
	alternates = []int{0, 1, 3, 5, 10, 25, 60}
	shares     = []float64{0.2, 0.5, 0.8}
)

// simulator makes FAQs of data sets and asks them questions that they do not hold.
type simulator struct {
	sets     map[string][]content.Entry
	texts    map[string][]string // of each set; and general language
	progress io.Writer
}

const general = "clinc150/wiki_background.jsonl"

func newSimulator(data folder, progress io.Writer) (*simulator, error) {
	s := &simulator{sets: map[string][]content.Entry{}, texts: map[string][]string{}, progress: progress}
	for _, set := range trainingSets {
		entries, err := data.entries(set + "/entries.jsonl")
		if err != nil {
			return nil, err
		}
		s.sets[set] = entries
		for _, entry := range entries {
			s.texts[set] = append(s.texts[set], entry.Alternates...)
		}
	}
	sentences, err := data.questions(general)
	for _, sentence := range sentences {
		s.texts[general] = append(s.texts[general], sentence.Q)
	}
	return s, err
}

// background counts the words of general language in the sets whose licence allows
// to pass on what is made of them, without those that are named.
func (s *simulator) background(without ...string) *lexical.Background {
	var texts []string
	for _, set := range []string{general, "clinc150", "hwu64"} {
		if !slices.Contains(without, set) {
			texts = append(texts, s.texts[set]...)
		}
	}
	return lexical.NewBackground(texts)
}

// knowledge is what is known without ever having seen a set.
func (s *simulator) knowledge(without string) *lexical.Knowledge {
	return &lexical.Knowledge{
		Background: s.background(without),
		Dense:      s.calibrate(without, true),
		Sparse:     s.calibrate(without, false),
	}
}

func (s *simulator) calibrate(without string, dense bool) *lexical.Calibration {
	var examples []lexical.Example
	for _, set := range trainingSets {
		if set == without {
			continue
		}
		background := s.background(without, set)
		for i, count := range alternates {
			if set == "stackfaq" && count > 3 {
				continue
			}
			fmt.Fprintf(s.progress, "simulating %s with %d alternates, leaving out %q, trained scores %v\n", set, count, without, dense)
			for j, share := range shares {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				faq, questions := s.draw(rng, set, count, share, without)
				examples = append(examples, lexical.Examine(faq, questions, background, dense)...)
			}
		}
	}
	calibration := lexical.Calibrate(examples)
	calibration.Measure(examples)
	return calibration
}

// How many questions are asked of a simulated FAQ at most: with an entry, of
// entries that were left out, of other sets.
const (
	maxOwn, maxSiblings, maxForeign = 400, 200, 200
	maxEntries                      = 90
)

// draw makes an FAQ of a set and questions to it.
func (s *simulator) draw(rng *rand.Rand, set string, count int, share float64, without string) ([]content.Entry, []lexical.Question) {
	all := s.sets[set]
	kept := min(int(share*float64(len(all))), maxEntries)
	var faq []content.Entry
	var own, siblings, foreign []lexical.Question
	for n, i := range rng.Perm(len(all)) {
		entry := all[i]
		texts := slices.Clone(entry.Alternates)
		rng.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
		if n >= kept {
			siblings = append(siblings, ask(texts, -1)...)
			continue
		}
		entry.Alternates = texts[:min(count, len(texts))]
		own = append(own, ask(texts[len(entry.Alternates):], len(faq))...)
		faq = append(faq, entry)
	}
	for _, other := range trainingSets {
		if other != set && other != without {
			for _, text := range s.texts[other] {
				foreign = append(foreign, lexical.Question{Text: text, Entry: -1, Foreign: true})
			}
		}
	}
	questions := some(rng, own, maxOwn)
	questions = append(questions, some(rng, siblings, maxSiblings)...)
	return faq, append(questions, some(rng, foreign, maxForeign)...)
}

func ask(texts []string, entry int) []lexical.Question {
	questions := make([]lexical.Question, len(texts))
	for i, text := range texts {
		questions[i] = lexical.Question{Text: text, Entry: entry}
	}
	return questions
}

func some(rng *rand.Rand, questions []lexical.Question, most int) []lexical.Question {
	rng.Shuffle(len(questions), func(a, b int) { questions[a], questions[b] = questions[b], questions[a] })
	return questions[:min(most, len(questions))]
}
