package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// madeContent is a generated content folder, and the question of one entry.
type madeContent struct{ folder, question string }

// content generates a content folder of a size. The frequencies of words are as uneven as
// in real text, and the same in every run.
func (w *workshop) content(entries, services int) (*madeContent, error) {
	made := &madeContent{folder: w.path(fmt.Sprintf("content-%d-%d", entries, services))}
	if err := os.MkdirAll(made.folder, 0o755); err != nil {
		return nil, err
	}
	faq, question := madeFAQ(entries)
	made.question = question
	for name, text := range map[string]string{"faq.yaml": faq, "catalog.yaml": madeCatalog(services)} {
		if err := os.WriteFile(filepath.Join(made.folder, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// madeFAQ returns the file, and the question of the entry in the middle.
func madeFAQ(entries int) (file, middle string) {
	random := rand.New(rand.NewPCG(1, 2))
	words := rand.NewZipf(random, 1.2, 4, uint64(40*entries))
	var b strings.Builder
	b.WriteString("fallback: There is no approved answer to that.\nentries:\n")
	for i := range entries {
		question := fmt.Sprintf("How do I word%d the", i) // a unique word, so that no question repeats
		for range 5 {
			question += fmt.Sprintf(" word%d", words.Uint64())
		}
		question += "?"
		fmt.Fprintf(&b, "  - {id: e%d, question: %s, answer: Yes.}\n", i, question)
		if i == entries/2 {
			middle = question
		}
	}
	return b.String(), middle
}

func madeCatalog(services int) string {
	var b strings.Builder
	b.WriteString("business: {name: Bench, summary: A firm that does not exist.}\nservices:\n")
	for i := range services {
		fmt.Fprintf(&b, "  - {id: s%d, name: Service %d, summary: What service %d does for a small business., "+
			"description: The longer text on service %d., pricing_band: only}\n", i, i, i, i)
	}
	b.WriteString("pricing_bands:\n  - {id: only, name: Only, summary: The one band., currency: EUR, from: 10, to: 20, " +
		"unit: month}\n")
	return b.String()
}
