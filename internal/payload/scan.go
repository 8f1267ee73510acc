package payload

import (
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

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, or 0 at the end. A NUL byte is not
// valid JSON either, so 0 is unambiguous.
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// expect skips white space and the byte c.
func (s *scanner) expect(c byte) error {
	if next := s.peek(); next != c {
		return s.unexpected()
	}
	s.pos++
	return nil
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
		err = s.members(func(string) error {
			_, err := s.value(depth + 1)
			return err
		})
	case first == '[':
		err = s.array(depth)
	case first == '"':
		_, err = s.text()
	case first == '-' || isDigit(first):
		err = s.number()
	default:
		err = s.literal()
	}
	return s.data[start:s.pos], err
}

// members walks an object. For each member it calls value, with the name's raw
// text, to walk the member's value.
func (s *scanner) members(value func(name string) error) error {
	s.pos++ // the brace
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		if s.peek() != '"' {
			return s.unexpected()
		}
		name, err := s.text()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := value(name); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.pos++
			continue
		}
		return s.expect('}')
	}
}

func (s *scanner) array(depth int) error {
	s.pos++ // the bracket
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for {
		if _, err := s.value(depth + 1); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.pos++
			continue
		}
		return s.expect(']')
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
	if len(s.data) < s.pos+3 || s.data[s.pos+1] != '\\' || s.data[s.pos+2] != 'u' {
		return faultSurrogate
	}
	second, ok := s.hex(s.pos + 3)
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
	var r rune
	for _, c := range []byte(s.data[i : i+4]) {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
