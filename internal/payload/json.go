package payload

import (
	"errors"
	"fmt"
	"slices"

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

// usualMembers is the number of members for which space is reserved.
const usualMembers = 4

func parse(body string, accepted *names) (*Object, error) {
	s := scanner{data: body}
	if s.peek() != '{' {
		return nil, notAnObject(&s)
	}
	object := &Object{members: make([]member, 0, min(len(accepted.known), usualMembers))}
	if err := object.scan(&s, accepted); err != nil {
		return nil, err
	}
	if s.peek(); s.pos != len(s.data) {
		return nil, contract.InvalidBody("The body goes on after the JSON object.", hintJSON)
	}
	return object, nil
}

// scan reads the members of the object at s.
func (o *Object) scan(s *scanner, seen *names) error {
	field := "" // the known field whose value is being read, to name it in an error
	err := s.members(func(raw string) error {
		name := unquote(raw)
		known, err := seen.take(name)
		if err != nil && seen.strict {
			o.record(contract.AsError(err).Fields)
		} else if err != nil {
			return err
		}
		if known {
			field = name
		}
		value, err := s.value(1)
		if err == nil && known {
			o.members = append(o.members, member{name, value})
			field = ""
		}
		return err
	})
	if _, refused := errors.AsType[*contract.Error](err); err == nil || refused {
		return err
	}
	if field != "" && isTextFault(err) {
		return contract.Invalid(field, fmt.Sprintf("%s cannot be read: %v", field, err))
	}
	return contract.InvalidBody(fmt.Sprintf("The body is not valid JSON: %v at byte %d.", err, s.pos), hintJSON)
}

// isTextFault reports whether err concerns the characters of a string, and so a field,
// rather than the object around it.
func isTextFault(err error) bool {
	return slices.Contains([]error{faultUTF8, faultSurrogate, faultControl}, err)
}

func notAnObject(s *scanner) error {
	if s.pos == len(s.data) {
		return contract.InvalidBody("The body is empty.", hintJSON)
	}
	return contract.InvalidBody("The body must be a JSON object.", hintJSON)
}
