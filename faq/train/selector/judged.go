package main

import "fmt"

// Without the encoders of the folds, a fit uses the shipped encoder. That was tuned on most of the questions, so they
// look more similar to their entries than new questions do. Instead of being right or wrong, these questions therefore
// keep the odds that they got from parameters fitted with the encoders of the folds. Questions that were written later
// come after the others of their desk and have no odds.

// readJudged sets the odds of the first questions of each desk from a file, which has log odds in tenths.
func readJudged(path string, cases []fitCase) error {
	var odds map[string][]int // by the name of the desk
	if err := readJSON(path, &odds); err != nil {
		return err
	}
	places := map[string]int{}
	for i := range cases {
		name := cases[i].desk.name
		place := places[name]
		places[name]++
		if place < len(odds[name]) {
			cases[i].odds = new(float64(odds[name][place]) / 10)
		}
	}
	for name := range odds {
		if places[name] < len(odds[name]) {
			return fmt.Errorf("%s: %s has %d questions, and %d were judged", path, name, places[name], len(odds[name]))
		}
	}
	return nil
}
