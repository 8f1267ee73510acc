package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"frontdesk/content"
)

// question is a line of a data set. Without an id no entry answers it.
type question struct {
	Q  string  `json:"q"`
	ID *string `json:"id"`
}

// folder is where the data sets lie.
type folder string

func (f folder) entries(name string) ([]content.Entry, error) {
	return readLines[content.Entry](filepath.Join(string(f), name))
}

func (f folder) questions(name string) ([]question, error) {
	return readLines[question](filepath.Join(string(f), name))
}

func readLines[T any](path string) ([]T, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for line := 1; lines.Scan(); line++ {
		var value T
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		all = append(all, value)
	}
	return all, lines.Err()
}
