package payload

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep values may nest. The contract's bodies are flat, but unknown
// members are read too before they are ignored.
const maxDepth = 32

// scanner walks JSON text (RFC 8259) without building values.
type scanner struct {
	data string
	pos  int
}

// fault is what stops a scan, worded to follow "The body is not valid JSON: ".
type fault string

func (f fault) Error() string { return string(f) }

const (
	faultEnd       fault = "it ends too early"
	faultSyntax    fault = "there is an unexpected character"
	faultDepth     fault = "its values are nested too deep"
	faultUTF8      fault = "it holds text that is not UTF-8"
	faultSurrogate fault = "it holds half of a surrogate pair"
	faultControl   fault = "it holds a control character that is not escaped"
)

// peek returns the next byte after white space, or 0 at the end. A NUL byte is not
// valid JSON either, so 0 is unambiguous.
func (s *scanner) peek() byte {
	for s.skip(" \t\n\r") {
	}
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// skip skips the next byte if it is one of set, and reports whether it did.
func (s *scanner) skip(set string) bool {
	if s.pos == len(s.data) || strings.IndexByte(set, s.data[s.pos]) < 0 {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) unexpected() error {
	if s.pos >= len(s.data) {
		return faultEnd
	}
	return faultSyntax
}

// value walks one value and returns its text.
func (s *scanner) value(depth int) (string, error) {
	first := s.peek()
	start := s.pos
	walk := func() error {
		_, err := s.value(depth + 1)
		return err
	}
	var err error
	switch {
	case depth > maxDepth:
		err = faultDepth
	case first == '{':
		err = s.members(func(string) error { return walk() })
	case first == '[':
		err = s.list(']', walk)
	case first == '"':
		_, err = s.text()
	case first == '-' || '0' <= first && first <= '9':
		err = s.number()
	default:
		err = s.literal()
	}
	return s.data[start:s.pos], err
}

// members walks an object. For each member it calls value, with the name's raw
// text, to walk the member's value.
func (s *scanner) members(value func(name string) error) error {
	return s.list('}', func() error {
		if s.peek() != '"' {
			return s.unexpected()
		}
		name, err := s.text()
		if err != nil {
			return err
		}
		if s.peek() != ':' {
			return s.unexpected()
		}
		s.pos++
		return value(name)
	})
}

// list walks from a bracket to the one that closes it. It calls item for what is between
// two commas.
func (s *scanner) list(closing byte, item func() error) error {
	s.pos++ // the bracket
	if s.peek() == closing {
		s.pos++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.pos++
		case closing:
			s.pos++
			return nil
		default:
			return s.unexpected()
		}
	}
}

// text walks a string and returns it with its quotes.
func (s *scanner) text() (string, error) {
	start, hasEscapes := s.pos, false
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			raw := s.data[start:s.pos]
			switch {
			case !utf8.ValidString(raw):
				return raw, faultUTF8
			case hasEscapes:
				return raw, checkEscapes(raw)
			}
			return raw, nil
		case c == '\\':
			hasEscapes = true
			s.pos++
		case c < ' ':
			return "", faultControl
		}
	}
	s.pos = len(s.data)
	return "", faultEnd
}

// surrogates matches the halves of characters beyond U+FFFF, one with its other half, and
// all other escapes, so that an escaped backslash never begins one.
var surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F])|\\.`)

// checkEscapes refuses wrong escapes in a string. Half of a surrogate pair stands for no
// character.
func checkEscapes(raw string) error {
	if !json.Valid([]byte(raw)) {
		return faultSyntax
	}
	for _, found := range surrogates.FindAllStringSubmatch(raw, -1) {
		if found[1] != "" {
			return faultSurrogate
		}
	}
	return nil
}

// number walks a number.
func (s *scanner) number() error {
	start := s.pos
	for s.skip("+-.eE0123456789") {
	}
	switch {
	case json.Valid([]byte(s.data[start:s.pos])):
		return nil
	case s.pos == len(s.data):
		return faultEnd
	}
	return faultSyntax
}

func (s *scanner) literal() error {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(s.data[s.pos:], word) {
			s.pos += len(word)
			return nil
		}
	}
	return s.unexpected()
}
