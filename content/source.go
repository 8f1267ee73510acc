package content

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Bounds of a folder, in bytes: enough for tens of thousands of entries and hundreds of
// long pages. A running service holds a changed folder in memory beside the live one.
const (
	maxFile   = 16 << 20
	maxFolder = 64 << 20
)

const byteOrderMark = "\ufeff" // written by some editors on Windows

// source is one file of the folder. Its errors are added to the loader's.
type source struct {
	*loader
	name      string
	language  string            // in which texts are read
	ids       seen              // of its entries, or of its pricing bands
	questions seen              // by QuestionKey: of two equal ones, only the first could ever be answered
	askedBy   map[string]string // the id of the entry that a question is in, by QuestionKey
}

// in returns a copy of s that reads the texts in a language.
func (s *source) in(language string) *source {
	read := *s
	read.language = language
	return &read
}

// fault reports a fault of a value, with a hint and a formatted message.
func (s *source) fault(node *yaml.Node, hint, message string, values ...any) *Diagnostic {
	fault := s.faultAt(node.Line, hint, message, values...)
	fault.node = node
	return fault
}

// faultAt reports a fault on a line; 0 is the whole file.
func (s *source) faultAt(line int, hint, message string, values ...any) *Diagnostic {
	s.faults = append(s.faults,
		Diagnostic{File: s.name, Line: line, Message: fmt.Sprintf(message, values...), Hint: hint})
	return &s.faults[len(s.faults)-1]
}

// read returns the text of the file. It reports false when the file is missing or not
// readable text.
func (s *source) read() ([]byte, bool) {
	data, ok := s.bytes(maxFile, "the file", "", "")
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	return data, ok && s.isText(data)
}

// bytes returns at most so many bytes of the file, which what names in messages. A larger one
// is a fault with the hint and the code.
func (s *source) bytes(most int64, what, hint, code string) ([]byte, bool) {
	info, err := fs.Stat(s.fsys, s.name)
	var data []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // reading a pipe would block
		err = errors.New("it is not a regular file")
	case info.Size() <= most:
		data, err = fs.ReadFile(s.fsys, s.name)
	}
	s.hashFile(s.name, data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.faultAt(0, s.nearby(), "the file is missing")
	case err != nil:
		s.faultAt(0, "", "the file cannot be read: %s", err)
	case info.Size() > most:
		s.faultAt(0, hint, "%s is larger than %d MiB", what, most>>20).as(code)
	case s.total > maxFolder:
		s.faultAt(0, "", "with this file the folder is larger than %d MiB", maxFolder>>20)
	default:
		return data, true
	}
	return nil, false
}

// isText refuses bytes that are not UTF-8 and invisible characters. Unicode line breaks
// are refused because YAML reads them as line ends and drops white space around them,
// which would change answers.
func (s *source) isText(data []byte) bool {
	text := string(data)
	for at, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[at:], string(r)):
			s.faultAt(lineAt(data, at), "save the file with the encoding UTF-8", "the text is not UTF-8")
			return false
		case isControl(r) && r != '\r' || unicode.In(r, unicode.Zl, unicode.Zp):
			s.faultAt(lineAt(data, at), "delete it", "the invisible character %U is not allowed", r).as("content.character")
			return false
		}
	}
	return true
}

// isControl reports whether r is a control character other than tab and line feed.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }

func lineAt(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }

// nearby is the hint for a missing file: a misspelt name, or how to begin.
func (s *source) nearby() string {
	for _, entry := range s.found {
		if Closest(strings.ToLower(entry.Name()), []string{s.name}) != "" {
			return fmt.Sprintf("there is %q: rename it", entry.Name())
		}
	}
	return "frontdesk init DIR writes a sample of every file"
}
