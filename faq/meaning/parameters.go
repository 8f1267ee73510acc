package meaning

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"frontdesk/faq/lexical"
)

// Parameters is what tools/selector fitted to the training desks and to the training parts of public sets.
type Parameters struct {
	// Few and Many are for content of few and of many wordings an entry.
	Few  Regime `json:"few"`
	Many Regime `json:"many"`

	Centres *Centres `json:"-"`
}

// Regime is what was fitted for content of few or of many wordings an entry.
type Regime struct {
	Ranker []float64 `json:"ranker"` // weights of the evidence by which entries are ranked
	Trees  *Trees    `json:"trees"`  // of the log odds that the first entry answers
	// Subject is of the log odds that a question is about the business at all, and Far those below which nothing is
	// suggested.
	Subject *Trees  `json:"subject"`
	Far     float64 `json:"far"`
	// Words is the sureness of words from which on the encoder is not asked: more than 1 for never.
	Words float64 `json:"words"`
	// Answers are for the precisions that were measured.
	Answers lexical.Thresholds `json:"answers"`
}

// fewWordings are the wordings an entry below which content counts as having few.
const fewWordings = 5

func (p *Parameters) regime(texts float64) *Regime {
	if texts < fewWordings {
		return &p.Few
	}
	return &p.Many
}

const (
	centresFile    = "centres.json"
	parametersFile = "parameters.json"
)

var (
	//go:embed data/centres.json
	shippedCentres []byte
	//go:embed data/parameters.json
	shippedParameters []byte
)

// ShippedCentres returns the centres that are embedded. They fit the encoder, whatever the parameters fit.
func ShippedCentres() (*Centres, error) {
	c := new(Centres)
	return c, json.Unmarshal(shippedCentres, c)
}

// Shipped returns the parameters that are embedded.
var Shipped = sync.OnceValue(func() *Parameters {
	p, err := parse(shippedCentres, shippedParameters)
	if err != nil {
		panic(fmt.Sprintf("the embedded parameters: %v", err)) // a test reads them
	}
	return p
})

// misfits reports whether the regime was fitted to other evidence than this program gathers.
func (r *Regime) misfits() bool {
	return len(r.Ranker) != rankSize || r.Trees == nil || r.Subject == nil
}

func parse(centres, parameters []byte) (*Parameters, error) {
	p := &Parameters{Centres: new(Centres)}
	if err := json.Unmarshal(parameters, p); err != nil {
		return nil, fmt.Errorf("%s: %w", parametersFile, err)
	}
	if err := json.Unmarshal(centres, p.Centres); err != nil {
		return nil, fmt.Errorf("%s: %w", centresFile, err)
	}
	if p.Few.misfits() || p.Many.misfits() || len(p.Centres.Query) != vectorSize {
		return nil, fmt.Errorf("%s does not fit this program: run make calibrate", parametersFile)
	}
	return p, nil
}

// Read reads the parameters that were fitted without a set, to be judged on it.
func Read(dir, without string) (*Parameters, error) {
	centres, err := os.ReadFile(filepath.Join(dir, centresFile))
	if err != nil {
		return nil, err
	}
	parameters, err := os.ReadFile(filepath.Join(dir, without+parametersFile))
	if err != nil {
		return nil, err
	}
	return parse(centres, parameters)
}

// Write writes the parameters to a folder, as they are embedded. without names a set that they have not seen.
func (p *Parameters) Write(dir, without string) error {
	for name, value := range map[string]any{centresFile: p.Centres, without + parametersFile: p} {
		data, err := json.Marshal(value)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), append(data, '\n'), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
