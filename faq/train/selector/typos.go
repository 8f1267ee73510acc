package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"frontdesk/faq/evaluation"
)

// typosName selects the rows of questions with typing errors.
const typosName = "typos"

// mostTypos are how many errors a question gets at most.
const mostTypos = 2

// typos measures the validation part of a trial with typing errors in its questions.
func (e *examiner) typos(t trial, out io.Writer) error {
	p, err := e.prepare(t)
	if err != nil {
		return err
	}
	questions, err := e.data.questions(t.valid)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for errors := range mostTypos + 1 {
		row(out, fmt.Sprintf("%d %s", errors, typosName), evaluation.New(results(p.choose, p.entries, questions)))
		for i := range questions {
			questions[i].Q = mistype(rng, questions[i].Q)
		}
	}
	return nil
}

// shortestMistyped is the shortest word that gets an error.
const shortestMistyped = 4

// mistype makes one error in a word of q: two letters change places, or one is missing,
// wrong or too many.
func mistype(rng *rand.Rand, q string) string {
	words := strings.Fields(q)
	for _, i := range rng.Perm(len(words)) {
		if len(words[i]) < shortestMistyped {
			continue
		}
		at := rng.IntN(len(words[i]) - 1)
		before, pair, after := words[i][:at], words[i][at:at+2], words[i][at+2:]
		letter := string(rune('a' + rng.IntN(26)))
		words[i] = before + [...]string{
			pair[1:] + pair[:1], pair[1:], letter + pair[1:], pair[:1] + letter + pair[1:],
		}[rng.IntN(4)] + after
		break
	}
	return strings.Join(words, " ")
}
