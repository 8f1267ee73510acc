package evaluation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Question is a line of an evaluation file: {"q": "…", "id": "…"}, the id null when
// no entry answers.
type Question struct {
	Q  string
	ID string // empty for null
}

// longestLine is far beyond any question.
const longestLine = 1 << 20

// Read reads JSON lines; blank ones are passed over. The error names every bad line
// as name:line. known reports whether the content has an id.
func Read(r io.Reader, name string, known func(id string) bool) ([]Question, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	var questions []Question
	var bad []error
	number := 1
	for ; lines.Scan(); number++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		question, err := parse(line, known)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s:%d: %w", name, number, err))
			continue
		}
		questions = append(questions, question)
	}
	if err := lines.Err(); err != nil {
		bad = append(bad, fmt.Errorf("%s:%d: %w", name, number, err))
	}
	if len(bad) == 0 && len(questions) == 0 {
		bad = append(bad, fmt.Errorf("%s:1: there is no question", name))
	}
	return questions, errors.Join(bad...)
}

func parse(line []byte, known func(id string) bool) (Question, error) {
	var given struct {
		Q  *string         `json:"q"`
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(line, &given); err != nil {
		return Question{}, fmt.Errorf("not an object with q and id: %w", err)
	}
	if given.Q == nil || *given.Q == "" {
		return Question{}, errors.New("q is missing")
	}
	question := Question{Q: *given.Q}
	switch {
	case given.ID == nil:
		return Question{}, errors.New("id is missing; write null when no entry answers")
	case string(given.ID) == "null":
		return question, nil
	case json.Unmarshal(given.ID, &question.ID) != nil:
		return Question{}, errors.New("id must be a text or null")
	case !known(question.ID):
		return Question{}, fmt.Errorf("no entry has the id %q", question.ID)
	}
	return question, nil
}
