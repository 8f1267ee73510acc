package importer

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Names of the two columns, in the languages of the pages.
var (
	// French: question
	questionColumns = []string{"question", "frage", "pregunta", "domanda", "pergunta", "vraag", "pytanie"}
	answerColumns   = []string{"answer", "antwort", "respuesta", "réponse", "reponse", "risposta", "resposta", "antwoord",
		"odpowiedź", "odpowiedz"}
)

var quotedField = regexp.MustCompile(`(?m)(?:^|\t)"`)

// readCSV reads RFC 4180 with a comma, a semicolon or a tab between the columns. The
// first row names the columns; without known names, the first column holds the
// questions and the second the answers.
func readCSV(text []byte) ([]Entry, error) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comma = separator(text)
	reader.FieldsPerRecord = -1
	// Text with tabs often has quotation marks that mean themselves. If one begins a field, all must be in order: it
	// would take the rows up to the next one.
	reader.LazyQuotes = reader.Comma == '\t' && !quotedField.Match(text)
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("CSV: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	question, answer := column(rows[0], questionColumns), column(rows[0], answerColumns)
	if question >= 0 && answer >= 0 {
		rows = rows[1:]
	} else {
		question, answer = 0, 1
	}
	var entries []Entry
	for _, row := range rows {
		if max(question, answer) < len(row) {
			entries = append(entries, Entry{row[question], row[answer]})
		}
	}
	return entries, nil
}

// separator returns the separator that occurs most in the first line.
func separator(text []byte) rune {
	first, _, _ := strings.Cut(string(text), "\n")
	count := func(one rune) int { return strings.Count(first, string(one)) }
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int { return count(a) - count(b) })
}

func column(row, names []string) int {
	return slices.IndexFunc(row, func(cell string) bool {
		return slices.Contains(names, strings.ToLower(strings.TrimSpace(cell)))
	})
}
