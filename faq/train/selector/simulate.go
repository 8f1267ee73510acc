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
	desks    []*desk             // that are written for this project
	progress io.Writer
}

const trainingDesks = "testdata/desks"

const general = "clinc150/wiki_background.jsonl"

func newSimulator(data folder, progress io.Writer) (*simulator, error) {
	desks, err := readDesks(trainingDesks)
	if err != nil {
		return nil, err
	}
	s := &simulator{sets: map[string][]content.Entry{}, texts: map[string][]string{}, desks: desks, progress: progress}
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
	return &lexical.Knowledge{Background: background, Calibration: s.calibrate(without)}
}

// calibrate calibrates the selector by words. The thresholds for few wordings come from the English training desks,
// whose questions are harder than those of the public sets.
func (s *simulator) calibrate(without string) *lexical.Calibration {
	var sim, few []example
	for _, set := range trainingSets {
		if set == without {
			continue
		}
		_, background := s.background(without, set)
		for i, count := range alternates[:sizes[set]] {
			fmt.Fprintf(s.progress, "simulating %s with %d alternates, leaving out %q\n", set, count, without)
			for j, sh := range shapes {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				examples := examine(s.draw(rng, set, without, count, sh), background)
				sim = append(sim, examples...)
			}
		}
	}
	for _, d := range s.desks {
		if d.language == "en" {
			few = append(few, examine(drawn{d.entries, d.questions, nil}, lexical.Shipped().Background)...)
		}
	}
	return calibrate(sim, few)
}
