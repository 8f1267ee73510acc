package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v4"

	"frontdesk/content"
	"frontdesk/faq/lexical"
)

// deskQuestion is a line of a desk's questions.
type deskQuestion struct {
	question
	Kind string `json:"kind"`
	Lang string `json:"lang"`
	Form string `json:"form"` // of a near miss that is not plain
}

// The kinds of questions that no entry of a desk answers; the kind of any other is its form.
const (
	near = "near" // about the business
	far  = "far"  // about anything else
)

// forms are how questions are asked.
var forms = []string{"plain", "short", "typo", "indirect", "long"}

// form returns how the question is asked.
func (q *deskQuestion) form() (string, error) {
	form := cmp.Or(q.Form, q.Kind)
	if form == near || form == far {
		form = forms[0]
	}
	if !slices.Contains(forms, form) {
		return "", fmt.Errorf("%q is asked in a form that is not known: %q", q.Q, form)
	}
	return form, nil
}

// readDesk reads the entries and questions of a folder.
func readDesk(dir string) (*desk, error) {
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
	d := &desk{name: name, group: name, weight: 1, entries: entries, knowledge: lexical.Shipped()}
	for _, q := range questions {
		form, err := q.form()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		asked := labelled{text: q.Q, entry: -1, far: q.Kind == far, form: form}
		if q.ID != nil {
			place, known := places[*q.ID]
			if !known {
				return nil, fmt.Errorf("%s: no entry has the id %q", dir, *q.ID)
			}
			asked.entry = place
		}
		d.language = q.Lang
		d.questions = append(d.questions, asked)
	}
	return d, nil
}

// readDesks reads every desk of a folder.
func readDesks(dir string) (desks []*desk, err error) {
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

// readFacts reads the desks whose questions are answered by facts, each with its catalog.
func readFacts(dir string) (desks []*desk, err error) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		path := filepath.Join(dir, f.Name())
		c, err := content.Load(os.DirFS(path))
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(filepath.Join(path, "questions.yaml"))
		if err != nil {
			return nil, err
		}
		var questions struct {
			Answered   []struct{ Q, ID string }
			Unanswered []string
		}
		if err := yaml.Unmarshal(data, &questions); err != nil {
			return nil, err
		}
		name := "facts " + f.Name()
		d := &desk{name: name, group: name, language: f.Name(), weight: 1, entries: c.FAQ.Entries,
			knowledge: lexical.Shipped()}
		for _, q := range questions.Answered {
			at := slices.IndexFunc(d.entries, func(e content.Entry) bool { return e.ID == q.ID })
			d.questions = append(d.questions, labelled{text: q.Q, entry: at, form: forms[0]})
		}
		for _, q := range questions.Unanswered {
			d.questions = append(d.questions, labelled{text: q, entry: -1, form: forms[0]})
		}
		desks = append(desks, d)
	}
	return desks, nil
}

// Variants of a desk count less than the desk itself, and public sets less than a desk.
const (
	variantWeight = 0.4
	publicWeight  = 0.8
)

// withoutEntries is the desk without some of its entries, whose questions are near ones then.
func withoutEntries(d *desk, rng *rand.Rand) *desk {
	v := *d
	v.name, v.weight, v.entries, v.questions = d.name+" with fewer entries", variantWeight, nil, nil
	const parts, left = 10, 3
	place := map[int]int{-1: -1}
	for n, i := range rng.Perm(len(d.entries)) {
		place[i] = -1
		if n%parts >= left {
			place[i] = len(v.entries)
			v.entries = append(v.entries, d.entries[i])
		}
	}
	for _, q := range d.questions {
		q.entry = place[q.entry]
		v.questions = append(v.questions, q)
	}
	return &v
}

// withAlternates is the desk with half of its questions as alternates.
func withAlternates(d *desk, rng *rand.Rand) *desk {
	v := *d
	v.name, v.weight, v.entries, v.questions = d.name+" with more alternates", variantWeight, slices.Clone(d.entries), nil
	for i := range v.entries {
		v.entries[i].Alternates = slices.Clone(v.entries[i].Alternates)
	}
	for _, q := range d.questions {
		if q.entry >= 0 && rng.IntN(2) == 0 {
			e := &v.entries[q.entry]
			e.Alternates = append(e.Alternates, q.text)
			continue
		}
		v.questions = append(v.questions, q)
	}
	return &v
}

// The public desks that the parameters are fitted to.
var publicAlternates = []int{0, 1, 4, 9, 20, 60}

// The most questions that a public desk is asked, of each kind.
var publicQuestions = [kinds]int{inScope: 90, nearMiss: 30, farMiss: 20}

func boolInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// publicDesks draws desks from the training parts of the public sets.
func (s *simulator) publicDesks() (desks []*desk) {
	for _, set := range trainingSets {
		know := lexical.Shipped()
		for _, count := range publicAlternates {
			if set == "stackfaq" && count > 4 {
				continue
			}
			for j, sh := range shapes[:2+boolInt(count >= 4)] {
				if j == 2 && set != "stackfaq" {
					sh.share = 0.4
				}
				drawn := s.draw(rand.New(rand.NewPCG(0, uint64(j))), set, "", count, sh)
				d := &desk{
					name: fmt.Sprintf("%s, %d alternates, %d entries", set, count, len(drawn.entries)), group: set, language: "en",
					public: true, weight: publicWeight, entries: drawn.entries, unanswered: drawn.unanswered, knowledge: know,
				}
				var asked [kinds]int
				for _, q := range drawn.questions {
					kind := q.kind()
					if asked[kind]++; asked[kind] <= publicQuestions[kind] {
						d.questions = append(d.questions, q)
					}
				}
				desks = append(desks, d)
			}
		}
	}
	return desks
}
