package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// hintJSON is the hint for a body that is not a JSON object.
const hintJSON = `Send one JSON object in UTF-8, such as {"q":"What does it cost?"}.`

// ParseJSON reads a body that is one JSON object. Members with unknown names are read
// and ignored.
func ParseJSON[T []byte | string](body T, known []string) (*Object, error) {
	return parse(string(body), &names{known: known, given: map[string]bool{}})
}

// ParseArguments reads the arguments of an MCP tool. It is ParseJSON but does not accept
// unknown names (decisions, MCP): it records them, and all other faults of names, so that
// they are reported together with the faults of the values.
func ParseArguments(arguments string, known []string) (*Object, error) {
	return parse(arguments, &names{known: known, given: map[string]bool{}, strict: true})
}

// maxDepth is how deep values may nest. The contract's bodies are flat, but unknown
// members are read too before they are ignored.
const maxDepth = 32

// fault is what is wrong with JSON text, worded to follow "The body is not valid JSON: ".
type fault string

const (
	faultEnd       fault = "it ends too early"
	faultSyntax    fault = "there is an unexpected character"
	faultDepth     fault = "its values are nested too deep"
	faultUTF8      fault = "it holds text that is not UTF-8"
	faultSurrogate fault = "it holds half of a surrogate pair"
	faultControl   fault = "it holds a control character that is not escaped"
)

// at is the refusal of a body with a fault at a byte.
func (f fault) at(byte int) error {
	return contract.InvalidBody(fmt.Sprintf("The body is not valid JSON: %s at byte %d.", f, byte), hintJSON)
}

// space is the white space of JSON.
const space = " \t\n\r"

func parse(body string, accepted *names) (*Object, error) {
	switch text := strings.TrimLeft(body, space); {
	case text == "":
		return nil, contract.InvalidBody("The body is empty.", hintJSON)
	case text[0] != '{':
		return nil, contract.InvalidBody("The body must be a JSON object.", hintJSON)
	}
	object := &Object{}
	wrong, at := syntaxFault(body)
	field, err := object.scan(body[:at], accepted)
	switch {
	case err != nil:
		return nil, err
	case wrong == faultControl && field != "":
		return nil, unreadable(field, wrong)
	case wrong == "" && at < len(body):
		return nil, contract.InvalidBody("The body goes on after the JSON object.", hintJSON)
	case wrong != "":
		return nil, wrong.at(at)
	}
	return object, nil
}

// syntaxFault returns the first fault of JSON text and where it is. Text behind a whole
// value is no fault, but where it begins.
func syntaxFault(body string) (wrong fault, at int) {
	data := []byte(body)
	if json.Valid(data) {
		return "", len(body)
	}
	failure, _ := errors.AsType[*json.SyntaxError](json.Unmarshal(data, new(any)))
	at = int(failure.Offset) - 1
	switch message := failure.Error(); {
	case strings.HasPrefix(message, "unexpected end"):
		return faultEnd, len(body)
	case strings.HasSuffix(message, "after top-level value"):
		return "", at
	case strings.HasSuffix(message, "in string literal"):
		return faultControl, at
	case strings.HasSuffix(message, "max depth"):
		return faultDepth, at
	}
	return faultSyntax, at
}

// scan reads the members of the object that a text is, or begins with. It returns the known
// field in whose value the text ends, if it does.
func (o *Object) scan(text string, seen *names) (field string, err error) {
	rest := strings.TrimLeft(text, space)[1:]
	for {
		rest = strings.TrimLeft(rest, space+",")
		end := endOfString(rest)
		if end < 0 { // the end of the object, or of the text
			return "", nil
		}
		raw := rest[:end]
		if wrong := textFault(raw); wrong != "" {
			return "", wrong.at(len(text) - len(rest))
		}
		name := unquote(raw)
		isKnown, err := seen.take(name)
		if err != nil && !seen.strict {
			return "", err
		} else if err != nil {
			o.record(contract.AsError(err).Fields)
		}
		rest = strings.TrimLeft(rest[end:], space+":")
		end, depth := endOfValue(rest)
		value := strings.TrimRight(rest[:end], space)
		switch wrong := textFault(value); {
		case depth > maxDepth:
			return "", faultDepth.at(len(text) - len(rest))
		case wrong != "" && isKnown:
			return "", unreadable(name, wrong)
		case wrong != "":
			return "", wrong.at(len(text) - len(rest))
		case isKnown && end == len(rest):
			return name, nil
		case isKnown:
			o.members = append(o.members, member{name, value})
		}
		rest = rest[end:]
	}
}

// unreadable refuses a field for a fault of its text.
func unreadable(field string, wrong fault) error {
	return contract.Invalid(field, fmt.Sprintf("%s cannot be read: %s", field, wrong))
}

// endOfString is where a string ends that begins a text, or -1.
func endOfString(text string) int {
	for at := 1; at < len(text) && text[0] == '"'; at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return -1
}

// endOfValue is where a member's value ends that begins a text, and how deep it nests.
func endOfValue(text string) (end, depth int) {
	open := 0
	for end < len(text) {
		switch text[end] {
		case '"':
			length := endOfString(text[end:])
			if length < 0 {
				return len(text), depth
			}
			end += length
			continue
		case '{', '[':
			open++
			depth = max(depth, open)
		case '}', ']', ',':
			if open == 0 {
				return end, depth
			}
			if text[end] != ',' {
				open--
			}
		}
		end++
	}
	return end, depth
}

// surrogates matches the halves of characters beyond U+FFFF, one with its other half, and
// all other escapes, so that an escaped backslash never begins one.
var surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F])|\\.`)

// textFault returns what is wrong with the text of strings. Half of a surrogate pair is
// no character.
func textFault(raw string) fault {
	if !utf8.ValidString(raw) {
		return faultUTF8
	}
	if strings.Contains(raw, `\u`) {
		for _, found := range surrogates.FindAllStringSubmatch(raw, -1) {
			if found[1] != "" {
				return faultSurrogate
			}
		}
	}
	return ""
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
