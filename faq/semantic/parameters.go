package semantic

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"frontdesk/faq/lexical"
)

// Parameters is what faq/train/selector fitted to the training desks and to the training parts of public sets.
type Parameters struct {
	// Parts names the features of the trees; loading fails if they are not those of the program.
	Parts []string `json:"parts"`
	// Few and Many are for content of few and of many wordings an entry.
	Few  FittedModel `json:"few"`
	Many FittedModel `json:"many"`

	Centres *Centres `json:"-"`
}

// FittedModel is the model for content with few, or with many, wordings per entry.
type FittedModel struct {
	Ranker []float64 `json:"ranker"` // weights of the evidence by which entries are ranked
	Trees  *Trees    `json:"trees"`  // of the log odds that the first entry answers
	// Subject is of the log odds that a question is about the business at all, and Far those below which nothing is
	// suggested.
	Subject *Trees  `json:"subject"`
	Far     float64 `json:"far"`
	// Answers are for the precisions that were measured.
	Answers lexical.Thresholds `json:"answers"`
}

// fewWordings is the number of wordings per entry below which content counts as having few.
const fewWordings = 5

// Regime returns the model for content with few wordings per entry, or with many.
func (p *Parameters) Regime(few bool) *FittedModel {
	if few {
		return &p.Few
	}
	return &p.Many
}

var (
	//go:embed data/centres.json
	shippedCentres []byte
	//go:embed data/parameters.json
	shippedParameters []byte
)

// Shipped returns the parameters that are embedded.
var Shipped = sync.OnceValue(func() *Parameters {
	p, err := parse(shippedCentres, shippedParameters)
	if err != nil {
		panic(fmt.Sprintf("the embedded parameters: %v", err)) // a test reads them
	}
	return p
})

func parse(centres, parameters []byte) (*Parameters, error) {
	p := &Parameters{Centres: new(Centres)}
	if err := errors.Join(json.Unmarshal(parameters, p), json.Unmarshal(centres, p.Centres)); err != nil {
		return nil, err
	}
	if !slices.Equal(p.Parts, PartNames()) || p.Few.misfits() || p.Many.misfits() || len(p.Centres.Query) != vectorSize {
		return nil, errors.New("they were fitted to other features than this program has: run make fit")
	}
	return p, nil
}

func (r *FittedModel) misfits() bool {
	return len(r.Ranker) != rankSize || r.Trees == nil || r.Subject == nil
}

// Trees are gradient-boosted regression trees (Friedman 2001) for the log odds that something is true.
type Trees struct {
	Start float64  `json:"start"` // log odds before the first tree
	Trees [][]Node `json:"trees"`
}

// Node is a node of a tree. Its first node is the root.
type Node struct {
	Feature int     `json:"f"`           // -1 for a leaf
	Split   float32 `json:"s,omitempty"` // values, rounded like it, up to it go left, larger ones right
	Left    int     `json:"l,omitempty"`
	Right   int     `json:"r,omitempty"`
	Value   float32 `json:"v,omitempty"` // of a leaf: log odds to add
}

// LogOdds adds up the trees for a row of features.
func (t *Trees) LogOdds(x []float64) float64 {
	sum := t.Start
	for _, tree := range t.Trees {
		n := &tree[0]
		for n.Feature >= 0 {
			if float32(x[n.Feature]) <= n.Split {
				n = &tree[n.Left]
			} else {
				n = &tree[n.Right]
			}
		}
		sum += float64(n.Value)
	}
	return sum
}
