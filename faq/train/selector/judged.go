package main

import "fmt"

// A fit without the encoders of the folds reads its questions with the shipped encoder, which was tuned on most of them:
// they look more alike to their entries than new questions do. So these questions are not taken as right or wrong, but
// with the odds that parameters gave them which were fitted with the encoders of the folds. Questions that were written
// later stand behind the others of their desk, and are right or wrong.

// readJudged gives cases the odds that a file has for the first questions of each desk, in tenths.
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
