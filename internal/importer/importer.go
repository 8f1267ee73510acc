// Package importer turns a published FAQ into a draft of faq.yaml: FAQPage JSON-LD or
// details elements of an HTML page, or CSV. Answers keep the words of their source;
// every entry is a draft, which does not answer until its owner removes that mark.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"path"
	"strings"
	"unicode/utf8"

	"frontdesk/content"
	"frontdesk/contract"
)

// Entry is a question with its answer as the source has it.
type Entry struct{ Question, Answer string }

// errNone means that the source holds no questions with answers.
var errNone = errors.New("no questions with answers found; an HTML page needs FAQPage JSON-LD or <details> elements, " +
	"a CSV file the columns question and answer")

// Read finds the entries of a source. If mediaType, its Content-Type, is empty, the name
// and the text decide the format.
func Read(text []byte, name, mediaType string) ([]Entry, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8; save it as UTF-8 and import it again")
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	read := readHTML
	if isCSV(text, name, mediaType) {
		read = readCSV
	}
	entries, err := read(text)
	if err != nil {
		return nil, err
	}
	entries = unique(entries)
	if len(entries) == 0 {
		return nil, errNone
	}
	return entries, nil
}

func isCSV(text []byte, name, mediaType string) bool {
	kind, _, _ := mime.ParseMediaType(mediaType)
	switch {
	case strings.Contains(kind, "csv"):
		return true
	case strings.Contains(kind, "html"):
		return false
	}
	if extension := strings.ToLower(path.Ext(name)); extension == ".csv" || extension == ".tsv" {
		return true
	}
	return !bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}

// unique drops entries without a question or an answer, and repeated questions: pages
// often repeat their JSON-LD in details elements.
func unique(entries []Entry) []Entry {
	seen := map[string]bool{}
	kept := entries[:0]
	for _, entry := range entries {
		entry = Entry{strings.Join(strings.Fields(entry.Question), " "), strings.TrimSpace(entry.Answer)}
		key := content.QuestionKey(entry.Question)
		if key == "" || entry.Answer == "" || seen[key] {
			continue
		}
		seen[key] = true
		kept = append(kept, entry)
	}
	return kept
}

// YAML writes the entries as a faq.yaml of drafts. source is named in a comment, and so are questions that are too
// long.
func YAML(entries []Entry, source string) ([]byte, error) {
	note := "# From " + strings.Join(strings.Fields(source), " ") +
		". Each entry is a draft: remove its line \"draft: true\" to approve the answer.\n"
	var drafts content.List
	ids := map[string]bool{}
	for _, entry := range entries {
		id := content.NewID(entry.Question, "entry", func(id string) bool { return ids[id] })
		ids[id] = true
		if utf8.RuneCountInString(entry.Question) > contract.MaxQuestion {
			note += fmt.Sprintf("# The question of %s is longer than %d characters: shorten it.\n", id, contract.MaxQuestion)
		}
		drafts = append(drafts, content.Fields{{Key: "id", Value: id}, {Key: "question", Value: entry.Question},
			{Key: "answer", Value: entry.Answer}, {Key: "draft", Value: content.Plain("true")}})
	}
	text, err := content.Marshal(content.Fields{
		{Key: "fallback", Value: "We have no approved answer to this question yet."}, {Key: "entries", Value: drafts}})
	return []byte(note + text), err
}
