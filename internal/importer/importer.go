// Package importer turns a published FAQ into a draft of faq.yaml: JSON-LD and the questions that an HTML page shows,
// CSV, or text. Answers keep the words of their source; every entry is a draft, which does not answer until its owner
// removes that mark.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"frontdesk/content"
	"frontdesk/contract"
)

// Entry is a question with its answer as the source has it.
type Entry struct{ Question, Answer string }

// errNone means that the source holds no questions with answers.
var errNone = errors.New("no questions with answers found; see `frontdesk import --help`")

// Read finds the entries of a source. If mediaType, its Content-Type, is empty, the name and the text decide the
// format. If a question appears several times, Read keeps its first answer. conflicts holds the questions that also
// have a different one. unread holds titles of an FAQ in HTML that may be questions: they have text below, but no
// question mark.
func Read(text []byte, name, mediaType string) (entries []Entry, conflicts, unread []string, err error) {
	if text, err = decoded(text, mediaType); err != nil {
		return nil, nil, nil, err
	}
	kind, _, _ := mime.ParseMediaType(mediaType)
	extension := strings.ToLower(path.Ext(name))
	isCSV := strings.Contains(kind, "csv") || extension == ".csv" || extension == ".tsv"
	switch {
	case strings.Contains(kind, "html") || !isCSV && bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")):
		entries, unread, err = readHTML(text)
	case isCSV || hasColumns(text):
		entries, err = readCSV(text)
	default:
		entries = readText(string(text))
	}
	if entries, conflicts = unique(entries); err == nil && len(entries) == 0 {
		err = errNone
	}
	return entries, conflicts, unread, err
}

// declaredCharset matches the encoding that a page or its Content-Type declares.
var declaredCharset = regexp.MustCompile(`(?i)charset\s*=\s*["']?([\w-]+)`)

// decoded returns a text in UTF-8 without a byte order mark. Another encoding must be declared, and have one byte for
// each character.
func decoded(text []byte, mediaType string) ([]byte, error) {
	if utf8.Valid(text) {
		return bytes.TrimPrefix(text, []byte("\ufeff")), nil
	}
	const head = 1024 // bytes, within which a page declares its encoding (HTML 13.2.3.2)
	found := declaredCharset.FindStringSubmatch(mediaType + "\n" + string(text[:min(len(text), head)]))
	if found != nil {
		name := plainName(found[1])
		if slices.Contains([]string{"latin1", "iso88591", "usascii", "ascii"}, name) {
			name = "windows1252" // as browsers read them
		}
		for _, known := range charmap.All {
			if plainName(fmt.Sprint(known)) == name {
				return known.NewDecoder().Bytes(text)
			}
		}
	}
	return nil, errors.New("the text is not UTF-8; save it as UTF-8 and import it again")
}

// plainName returns the name of an encoding without the signs between its parts.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name))
}

// emptyLines matches lines of white space, as unicode.IsSpace has it, between two blocks of text.
var emptyLines = regexp.MustCompile(`\n[\s\v\x{85}\pZ]*\n\s*`)

// hasColumns reports whether a text looks like CSV: its first line has the name of a column, or it has several columns
// and no line of the text is empty.
func hasColumns(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	comma := string(separator(text))
	columns := strings.Split(string(first), comma)
	isNamed := column(columns, questionColumns) >= 0 || column(columns, answerColumns) >= 0
	rows := strings.ReplaceAll(string(bytes.TrimSpace(text)), comma, ",") // a line of tabs may be a row
	return isNamed || len(columns) > 1 && !emptyLines.MatchString(rows)
}

// heading matches a line that may be a heading in Markdown, with number signs before its text or asterisks around it.
var heading = regexp.MustCompile(`^(?:#{1,6}\s+)?(?:\*\*(.+)\*\*\s*|(.*))$`)

func withoutMarks(line string) string { return heading.ReplaceAllString(line, "$1$2") }

// readText reads blocks separated by empty lines. A block is a question with its answer below. If the first line of any
// block is a Markdown heading or ends with a question mark, blocks without such a first line are part of the preceding
// answer, and so are deeper headings without a question mark below one that has it.
func readText(text string) (entries []Entry) {
	blocks := emptyLines.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), -1)
	isTitle := func(block string) bool {
		first, _, _ := strings.Cut(block, "\n")
		return strings.HasPrefix(first, "#") && withoutMarks(first) != first || questionMark.MatchString(first)
	}
	hasMarks, signs := slices.ContainsFunc(blocks, isTitle), "-"
	for _, block := range blocks {
		question, answer, _ := strings.Cut(block, "\n")
		isAsked := questionMark.MatchString(question)
		if hasMarks && (!isTitle(block) || !isAsked && strings.HasPrefix(question, signs+"#")) {
			if last := len(entries) - 1; last >= 0 {
				entries[last].Answer = strings.TrimSpace(entries[last].Answer + "\n\n" + block)
			}
			continue
		}
		if signs = "-"; isAsked { // the number signs of a heading, or a word
			signs, _, _ = strings.Cut(question, " ")
		}
		entries = append(entries, Entry{withoutMarks(question), answer})
	}
	return entries
}

// unique drops entries without a question or an answer, and repeated questions: pages often repeat their JSON-LD in
// details elements. conflicts holds the questions that appear with different answers.
func unique(entries []Entry) (kept []Entry, conflicts []string) {
	answers := map[string]string{}
	for _, entry := range entries {
		entry = Entry{strings.Join(strings.Fields(entry.Question), " "), strings.TrimSpace(entry.Answer)}
		key := content.QuestionKey(entry.Question)
		first, isKnown := answers[key]
		switch {
		case key == "" || entry.Answer == "":
		case !isKnown:
			answers[key] = entry.Answer
			kept = append(kept, entry)
		case content.QuestionKey(first) != content.QuestionKey(entry.Answer) && !slices.Contains(conflicts, entry.Question):
			conflicts = append(conflicts, entry.Question)
		}
	}
	return kept, conflicts
}

// Draft returns the entry as a draft for faq.yaml.
func (e Entry) Draft(id string) content.Fields {
	return content.Fields{{Key: "id", Value: id}, {Key: "question", Value: e.Question}, {Key: "answer", Value: e.Answer},
		{Key: "draft", Value: content.Plain("true")}}
}

// YAML writes the entries as a faq.yaml of drafts. source is named in a comment, and so are questions that are too
// long.
func YAML(entries []Entry, source string) ([]byte, error) {
	note := "# From " + strings.Join(strings.Fields(source), " ") +
		". Each entry is a draft: remove its line \"draft: true\" to approve the answer.\n"
	var drafts content.List
	facts, ids := (&content.Content{}).FactIDs(), map[string]bool{} // an entry with the id of a fact replaces it
	for _, entry := range entries {
		id := content.NewID(entry.Question, "entry", func(id string) bool { return ids[id] || slices.Contains(facts, id) })
		ids[id] = true
		if utf8.RuneCountInString(entry.Question) > contract.MaxQuestion {
			note += fmt.Sprintf("# The question of %s is longer than %d characters: shorten it.\n", id, contract.MaxQuestion)
		}
		drafts = append(drafts, entry.Draft(id))
	}
	text, err := content.Marshal(content.Fields{
		{Key: "fallback", Value: "We have no approved answer to this question yet."}, {Key: "entries", Value: drafts}})
	return []byte(note + text), err
}
