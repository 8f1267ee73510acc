package lexical

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Knowledge is what a selector knows beside the content.
type Knowledge struct {
	Background *Background  // of general language
	Dense      *Calibration // for content that logistic regression and machines are trained on
	Sparse     *Calibration // for content that is too large for them
}

// The files of the knowledge, in one folder. data/README.md says what they were made
// from.
const (
	wordsFile       = "words.txt"
	calibrationFile = "calibration.json"
)

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

// calibrations is the form of calibrationFile.
type calibrations struct {
	Dense  *Calibration `json:"dense"`
	Sparse *Calibration `json:"sparse"`
}

func parse(words, calibration []byte) (*Knowledge, error) {
	var c calibrations
	if err := json.Unmarshal(calibration, &c); err != nil {
		return nil, err
	}
	for _, one := range []*Calibration{c.Dense, c.Sparse} {
		if one == nil || len(one.Weights) != dimensions || len(one.Information) != dimensions || len(one.Thresholds) == 0 || len(one.FewThresholds) == 0 {
			return nil, fmt.Errorf("%s has not the terms of this program: make calibrate", calibrationFile)
		}
	}
	background, err := parseBackground(words)
	return &Knowledge{Background: background, Dense: c.Dense, Sparse: c.Sparse}, err
}

// parseBackground reads the number of texts and then each word with its count.
func parseBackground(words []byte) (*Background, error) {
	lines := bufio.NewScanner(bytes.NewReader(words))
	b := &Background{words: map[string]float32{}}
	for line := 1; lines.Scan(); line++ {
		word, digits, _ := strings.Cut(lines.Text(), " ")
		count, err := strconv.Atoi(digits)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", wordsFile, line, err)
		case line == 1:
			b.texts = float64(count)
		default:
			b.words[word] = float32(count)
		}
	}
	b.gatherStems()
	return b, lines.Err()
}

// Write writes the knowledge to a folder, as it is embedded.
func (k *Knowledge) Write(dir string) error {
	var words bytes.Buffer
	fmt.Fprintf(&words, "texts %d\n", int(k.Background.texts))
	for _, word := range k.Background.sorted() {
		fmt.Fprintf(&words, "%s %d\n", word, int(k.Background.words[word]))
	}
	if err := os.WriteFile(filepath.Join(dir, wordsFile), words.Bytes(), 0o644); err != nil {
		return err
	}
	calibration, err := json.Marshal(calibrations{k.Dense, k.Sparse})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, calibrationFile), append(calibration, '\n'), 0o644)
}

// sorted are the words, in their order.
func (b *Background) sorted() []string {
	words := make([]string, 0, len(b.words))
	for word := range b.words {
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}
