package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// ParseJSON reads a body that is one JSON object. Members with unknown names are read
// and ignored.
func ParseJSON[T []byte | string](body T, known []string) (*Object, error) {
	return parse(string(body), &Object{known: known})
}

// ParseArguments reads the arguments of an MCP tool. It is ParseJSON but does not accept
// unknown names (decisions, MCP): it records them, and all other wrong names, so that
// they are reported together with the errors of the values.
func ParseArguments(arguments string, known []string) (*Object, error) {
	return parse(arguments, &Object{known: known, strict: true})
}

func parse(body string, object *Object) (*Object, error) {
	s := &scanner{text: body, known: object.known}
	switch first := s.peek(); {
	case s.at == len(body):
		return nil, s.refusal("The body is empty.")
	case first != '{':
		return nil, s.refusal("The body must be a JSON object.")
	}
	object.members = make([]member, 0, len(object.known))
	s.members(func(name string) {
		isKnown, err := object.take(name)
		switch {
		case err != nil && !object.strict:
			s.stop(err)
		case err != nil && len(object.errors) < maxNameErrors:
			object.errors = append(object.errors, contract.AsError(err).Fields...)
		case isKnown:
			s.field = name
			object.members = append(object.members, member{name, s.value(1)})
			s.field = ""
			return
		}
		s.value(1)
	})
	if s.peek(); s.at < len(s.text) {
		return nil, s.refusal("The body goes on after the JSON object.")
	}
	return object, s.err
}

// maxDepth is how deep values may nest. The contract's bodies are flat, but unknown
// members are read too before they are ignored.
const maxDepth = 32

// scanner walks JSON text (RFC 8259) up to its first error.
type scanner struct {
	text  string
	known []string
	at    int
	field string // the known field whose value is being read, to name it in an error
	err   error
}

// stop ends the walk: nothing after the first error is read.
func (s *scanner) stop(err error) {
	if s.err == nil {
		s.err = err
	}
	s.text = s.text[:s.at]
}

// reason is what is wrong with JSON text, worded to follow "The body is not valid JSON: ".
type reason string

const (
	reasonEnd       reason = "it ends too early"
	reasonSyntax    reason = "there is an unexpected character"
	reasonDepth     reason = "its values are nested too deep"
	reasonUTF8      reason = "it holds text that is not UTF-8"
	reasonSurrogate reason = "it holds half of a surrogate pair"
	reasonControl   reason = "it holds a control character that is not escaped"
)

// fail stops at an error, whose reason at the end of the text is reasonEnd. An error of the characters
// of a string concerns a field rather than the object around it.
func (s *scanner) fail(why reason) {
	isText := why == reasonUTF8 || why == reasonSurrogate || why == reasonControl
	if isText && s.field != "" {
		s.stop(contract.Invalid(s.field, fmt.Sprintf("%s cannot be read: %s", s.field, why)))
		return
	}
	if s.at == len(s.text) {
		why = reasonEnd
	}
	s.stop(s.refusal(fmt.Sprintf("The body is not valid JSON: %s at byte %d.", why, s.at)))
}

// refusal refuses a body that is not one JSON object.
func (s *scanner) refusal(detail string) error {
	return contract.InvalidBody(detail, "Send one JSON object in UTF-8; its fields are "+strings.Join(s.known, ", ")+".")
}

// peek returns the next byte after white space, or 0 at the end. A NUL byte is not valid
// JSON either.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// next walks over white space, and over a byte if it comes next. It reports whether it did.
func (s *scanner) next(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// want is next for a byte that must come.
func (s *scanner) want(c byte) {
	if !s.next(c) {
		s.fail(reasonSyntax)
	}
}

// list walks from a bracket to the one that closes it. It calls item for what is between
// two commas.
func (s *scanner) list(closing byte, item func()) {
	s.at++
	if s.next(closing) {
		return
	}
	for s.err == nil {
		item()
		if s.next(closing) {
			return
		}
		s.want(',')
	}
}

// members walks over an object. It calls value with each name, to walk over the member's
// value.
func (s *scanner) members(value func(name string)) {
	s.list('}', func() {
		if s.peek() != '"' {
			s.fail(reasonSyntax)
			return
		}
		name := s.quoted()
		if s.want(':'); s.err == nil {
			value(unquote(name))
		}
	})
}

// value walks over a value and returns its text.
func (s *scanner) value(depth int) string {
	first := s.peek()
	start := s.at
	switch {
	case depth > maxDepth && (first == '{' || first == '['):
		s.fail(reasonDepth)
	case first == '{':
		s.members(func(string) { s.value(depth + 1) })
	case first == '[':
		s.list(']', func() { s.value(depth + 1) })
	case first == '"':
		s.quoted()
	default: // a number, true, false or null
		for s.at < len(s.text) && strings.IndexByte("+-.0123456789Eaeflnrstu", s.text[s.at]) >= 0 {
			s.at++
		}
		if !json.Valid([]byte(s.text[start:s.at])) {
			s.fail(reasonSyntax)
		}
	}
	return s.text[start:s.at]
}

// surrogates matches the halves of characters beyond U+FFFF, one with its other half, and
// all other escapes, so that an escaped backslash never begins one.
var surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F])|\\.`)

// quoted walks over a string and returns it with its quotes. ASCII without escapes needs no
// second look. Half of a surrogate pair is no
// character.
func (s *scanner) quoted() string {
	start, isPlain := s.at, true
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			isPlain = false
			s.at++
		case c >= utf8.RuneSelf:
			isPlain = false
		case c < ' ':
			s.fail(reasonControl)
		}
	}
	s.at = min(s.at, len(s.text))
	s.want('"')
	raw := s.text[start:s.at]
	isHalf := func(escape []string) bool { return escape[1] != "" }
	switch {
	case isPlain:
	case !utf8.ValidString(raw):
		s.fail(reasonUTF8)
	case !json.Valid([]byte(raw)):
		s.fail(reasonSyntax)
	case strings.Contains(raw, `\u`) && slices.ContainsFunc(surrogates.FindAllStringSubmatch(raw, -1), isHalf):
		s.fail(reasonSurrogate)
	}
	return raw
}

// JSON encodes an answer: without the escapes that HTML needs, so that text reads as
// it was written, and with a final newline for people at a terminal. It panics on a
// value that JSON cannot hold, which is a mistake in an answer type.
func JSON(v any) []byte {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return body.Bytes()
}
