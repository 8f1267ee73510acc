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
// parts only.
var trainingSets = []string{"clinc150", "hwu64", "stackfaq"}

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
func (s *simulator) background(without ...string) (file []byte, background *lexical.Background) {
	var texts []string
	for _, set := range []string{general, "clinc150", "hwu64"} {
		if !slices.Contains(without, set) {
			texts = append(texts, s.texts[set]...)
		}
	}
	file = countWords(texts)
	background, err := lexical.ParseBackground(file)
	if err != nil {
		panic(err) // the file was just made
	}
	return file, background
}

// knowledge is what is known without ever having seen a set.
func (s *simulator) knowledge(without string) *lexical.Knowledge {
	_, background := s.background(without)
	return &lexical.Knowledge{
		Background: background,
		Dense:      s.calibrate(without, true),
		Sparse:     s.calibrate(without, false),
	}
}

func (s *simulator) calibrate(without string, dense bool) *lexical.Calibration {
	var examples []example
	for _, set := range trainingSets {
		if set == without {
			continue
		}
		_, background := s.background(without, set)
		for i, count := range alternates[:sizes[set]] {
			fmt.Fprintf(s.progress, "simulating %s with %d alternates, leaving out %q, trained scores %v\n", set, count, without,
				dense)
			for j, sh := range shapes {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				drawn := s.draw(rng, set, without, count, sh)
				examples = append(examples, examine(drawn, background, dense)...)
			}
		}
	}
	return calibrate(examples)
}
