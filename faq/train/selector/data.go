package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"frontdesk/content"
	"frontdesk/faq/semantic"
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

func writeJSON(path string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// The files of the parameters in their folder. The name of the parameters begins with the set that they have not seen.
const (
	centresFile    = "centres.json"
	parametersFile = "parameters.json"
)

func writeParameters(dir, without string, p *semantic.Parameters) error {
	return errors.Join(
		writeJSON(filepath.Join(dir, centresFile), p.Centres),
		writeJSON(filepath.Join(dir, without+parametersFile), p))
}

func readParameters(dir, without string) (*semantic.Parameters, error) {
	p := &semantic.Parameters{Centres: new(semantic.Centres)}
	return p, errors.Join(
		readJSON(filepath.Join(dir, centresFile), p.Centres),
		readJSON(filepath.Join(dir, without+parametersFile), p))
}

func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, value)
}
