package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"frontdesk/content"
	"frontdesk/faq/lexical"
	"frontdesk/faq/meaning"
)

// deskQuestion is a line of a desk's questions.
type deskQuestion struct {
	question
	Kind string `json:"kind"`
	Lang string `json:"lang"`
}

// far is the kind of a question that has nothing to do with the business.
const far = "far"

// readDesk reads the entries and questions of a folder.
func readDesk(dir string) (*meaning.Desk, error) {
	name := filepath.Base(dir)
	entries, err := readLines[content.Entry](filepath.Join(dir, "entries.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[deskQuestion](filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	places := map[string]int{}
	for i := range entries {
		places[entries[i].ID] = i
	}
	d := &meaning.Desk{Name: name, Group: name, Weight: 1, Entries: entries, Words: lexical.Shipped(), Close: helpPages[name]}
	for _, q := range questions {
		asked := lexical.Question{Text: q.Q, Entry: -1, Foreign: q.Kind == far}
		if q.ID != nil {
			place, known := places[*q.ID]
			if !known {
				return nil, fmt.Errorf("%s: no entry has the id %q", dir, *q.ID)
			}
			asked.Entry = place
		}
		d.Language = q.Lang
		d.Questions = append(d.Questions, asked)
	}
	return d, nil
}

// readDesks reads every desk of a folder.
func readDesks(dir string) (desks []*meaning.Desk, err error) {
	folders, err := os.ReadDir(dir)
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		d, err := readDesk(filepath.Join(dir, folder.Name()))
		if err != nil {
			return nil, err
		}
		desks = append(desks, d)
	}
	return desks, err
}

// Variants of a desk count less than the desk itself, and public sets less than a desk.
const (
	variantWeight = 0.4
	publicWeight  = 0.35
)

// withoutEntries is the desk without some of its entries, whose questions are near ones then.
func withoutEntries(d *meaning.Desk, rng *rand.Rand) *meaning.Desk {
	v := *d
	v.Name, v.Weight, v.Entries, v.Questions = d.Name+" with fewer entries", variantWeight, nil, nil
	const parts, left = 10, 3
	place := map[int]int{-1: -1}
	for n, i := range rng.Perm(len(d.Entries)) {
		place[i] = -1
		if n%parts >= left {
			place[i] = len(v.Entries)
			v.Entries = append(v.Entries, d.Entries[i])
		}
	}
	for _, q := range d.Questions {
		q.Entry = place[q.Entry]
		v.Questions = append(v.Questions, q)
	}
	return &v
}

// withAlternates is the desk with half of its questions as alternates.
func withAlternates(d *meaning.Desk, rng *rand.Rand) *meaning.Desk {
	v := *d
	v.Name, v.Weight, v.Entries, v.Questions = d.Name+" with more alternates", variantWeight, slices.Clone(d.Entries), nil
	for i := range v.Entries {
		v.Entries[i].Alternates = slices.Clone(v.Entries[i].Alternates)
	}
	for _, q := range d.Questions {
		if q.Entry >= 0 && rng.IntN(2) == 0 {
			e := &v.Entries[q.Entry]
			e.Alternates = append(e.Alternates, q.Text)
			continue
		}
		v.Questions = append(v.Questions, q)
	}
	return &v
}

// The public desks that the parameters are fitted to.
var publicAlternates = []int{0, 1, 4, 9, 20, 60}

// The most questions that a public desk is asked, of each kind.
var publicQuestions = [3]int{90, 30, 20}

func boolInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// publicDesks draws desks from the training parts of the public sets.
func (s *simulator) publicDesks() (desks []*meaning.Desk) {
	for _, set := range trainingSets {
		know := s.knowledge(set)
		for _, count := range publicAlternates {
			if set == "stackfaq" && count > 4 {
				continue
			}
			for j, sh := range shapes[:2+boolInt(count >= 4)] {
				if j == 2 && set != "stackfaq" {
					sh.share = 0.4
				}
				drawn := s.draw(rand.New(rand.NewPCG(0, uint64(j))), set, "", count, sh)
				d := &meaning.Desk{
					Name: fmt.Sprintf("%s, %d alternates, %d entries", set, count, len(drawn.entries)), Group: set, Language: "en",
					Public: true, Close: true, Weight: publicWeight, Entries: drawn.entries, Unanswered: drawn.unanswered, Words: know,
				}
				var kinds [3]int
				for _, q := range drawn.questions {
					kind := 0
					if q.Entry < 0 {
						kind = 1
					}
					if q.Foreign {
						kind = 2
					}
					if kinds[kind]++; kinds[kind] <= publicQuestions[kind] {
						d.Questions = append(d.Questions, q)
					}
				}
				desks = append(desks, d)
			}
		}
	}
	return desks
}

// gather asks every desk.
func gather(e meaning.Encoder, c *meaning.Centres, desks []*meaning.Desk, progress io.Writer) []meaning.Case {
	reader := meaning.NewFittingReader(e)
	all := make([][]meaning.Case, len(desks))
	var group sync.WaitGroup
	places := make(chan bool, 2)
	for i, d := range desks {
		group.Go(func() {
			places <- true
			defer func() { <-places }()
			all[i] = meaning.Gather(reader, c, d)
			fmt.Fprintf(progress, "%s: %d questions\n", d.Name, len(all[i]))
		})
	}
	group.Wait()
	return slices.Concat(all...)
}
