package lexical

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Knowledge is what a selector knows beside the content.
type Knowledge struct {
	Background *Background  `json:"-"`      // of general language
	Dense      *Calibration `json:"dense"`  // for content that support vector machines are trained on; nil: they never are
	Sparse     *Calibration `json:"sparse"` // for content that is too large for them
}

// data/README.md says what the embedded files were made from.

var (
	//go:embed data/words.txt
	shippedWords []byte
	//go:embed data/calibration.json
	shippedCalibration []byte
)

// Shipped is the knowledge that is embedded.
var Shipped = sync.OnceValue(func() *Knowledge {
	know, err := parse(shippedWords, shippedCalibration)
	if err != nil {
		panic(fmt.Sprintf("the embedded knowledge: %v", err)) // a test reads it
	}
	return know
})

func parse(words, calibration []byte) (*Knowledge, error) {
	know := new(Knowledge)
	if err := json.Unmarshal(calibration, know); err != nil {
		return nil, err
	}
	for _, one := range []*Calibration{know.Dense, know.Sparse} {
		if one == nil || len(one.Weights) != termsSize+1 || len(one.Thresholds) == 0 || len(one.FewThresholds) == 0 {
			return nil, errors.New("the calibration was fitted to other evidence than this program has: run make calibrate")
		}
	}
	background, err := ParseBackground(words)
	know.Background = background
	return know, err
}
