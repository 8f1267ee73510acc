package payload

import (
	"strconv"
	"strings"
	"unicode/utf16"
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
	var err error
	switch {
	case depth > maxDepth:
		err = faultDepth
	case first == '{':
		err = s.members(func(string) error { return s.walk(depth + 1) })
	case first == '[':
		err = s.list(']', func() error { return s.walk(depth + 1) })
	case first == '"':
		_, err = s.text()
	case first == '-' || '0' <= first && first <= '9':
		err = s.number()
	default:
		err = s.literal()
	}
	return s.data[start:s.pos], err
}

func (s *scanner) walk(depth int) error {
	_, err := s.value(depth)
	return err
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
	start := s.pos
	ascii := true
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			raw := s.data[start:s.pos]
			if !ascii && !utf8.ValidString(raw) {
				return raw, faultUTF8
			}
			return raw, nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return "", err
			}
		case c < ' ':
			return "", faultControl
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", faultEnd
}

// escape walks an escape from its backslash to its last character. Half of a
// surrogate pair is refused: it stands for no character.
func (s *scanner) escape() error {
	s.pos++
	if s.pos == len(s.data) {
		return faultEnd
	}
	switch s.data[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
	default:
		return faultSyntax
	}
	first, ok := s.hex(s.pos + 1)
	if !ok {
		return faultSyntax
	}
	s.pos += 4
	if !utf16.IsSurrogate(first) {
		return nil
	}
	second, ok := rune(0), strings.HasPrefix(s.data[s.pos+1:], `\u`)
	if ok {
		second, ok = s.hex(s.pos + 3)
	}
	if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
		return faultSurrogate
	}
	s.pos += 6
	return nil
}

// hex reads four hexadecimal digits at i.
func (s *scanner) hex(i int) (rune, bool) {
	if len(s.data) < i+4 {
		return 0, false
	}
	code, err := strconv.ParseUint(s.data[i:i+4], 16, 32)
	return rune(code), err == nil
}

// number walks a number by the grammar of RFC 8259 section 6.
func (s *scanner) number() error {
	s.skip("-")
	if !s.skip("0") {
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.skip(".") {
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.skip("eE") {
		s.skip("+-")
		return s.digits()
	}
	return nil
}

func (s *scanner) digits() error {
	const digits = "0123456789"
	if !s.skip(digits) {
		return s.unexpected()
	}
	for s.skip(digits) {
	}
	return nil
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
