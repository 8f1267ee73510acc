package payload

import "strings"

// number walks a number by the grammar of RFC 8259 section 6.
func (s *scanner) number() error {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.at('0') {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.at('.') {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits()
	}
	return nil
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func (s *scanner) digits() error {
	start := s.pos
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	if s.pos == start {
		return s.unexpected()
	}
	return nil
}

var literals = []string{"true", "false", "null"}

func (s *scanner) literal() error {
	for _, word := range literals {
		if strings.HasPrefix(s.data[s.pos:], word) {
			s.pos += len(word)
			return nil
		}
	}
	return s.unexpected()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
