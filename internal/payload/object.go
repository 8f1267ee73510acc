package payload

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// Object is a body that has been read: the members with a known name. Text and
// Bool take values out of it and note what is wrong with their types.
type Object struct {
	form    bool
	members []member
	faults  []contract.FieldError
}

// member is a known name and its value: JSON text, or the decoded text of a form.
type member struct {
	name  string
	value string
}

// names checks the names of a body one by one: none may come twice, and none may
// differ from a known one by case alone.
type names struct {
	known  []string        // 64 at most
	given  uint64          // the known ones that have come, a bit each
	others map[string]bool // the other ones that have come
	strict bool            // no name but the known ones
}

// take notes a name and reports whether it is a known one.
func (n *names) take(name string) (bool, error) {
	if i := slices.Index(n.known, name); i >= 0 {
		bit := uint64(1) << i
		if n.given&bit != 0 {
			return false, contract.Invalid(name, name+" is given twice")
		}
		n.given |= bit
		return true, nil
	}
	return false, n.takeOther(name)
}

func (n *names) takeOther(name string) error {
	if n.others[name] {
		return contract.InvalidBody("A field is given twice.", "Give each field once.")
	}
	if n.others == nil {
		n.others = map[string]bool{}
	}
	n.others[name] = true
	for _, known := range n.known {
		if strings.EqualFold(name, known) {
			return contract.Invalid(known, known+" is written in another case: field names are lower-case")
		}
	}
	if n.strict {
		return unknownName(name, n.known)
	}
	return nil
}

func unknownName(name string, known []string) error {
	what := "there are no arguments"
	if len(known) > 0 {
		what = "the arguments are " + strings.Join(known, ", ")
	}
	return contract.Invalid(cut(name), fmt.Sprintf("%s is not known: %s", Shown(name), what))
}

// maxShown is how much of a name that a caller made up is repeated to it, in
// characters.
const maxShown = 64

// Shown is a name that a caller made up as an answer may repeat it: quoted, and cut
// where it is very long.
func Shown(name string) string { return strconv.Quote(cut(name)) }

func cut(name string) string {
	if runes := []rune(name); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return name
}

// lookup returns the value of a member and whether it was given.
func (o *Object) lookup(name string) (string, bool) {
	for _, m := range o.members {
		if m.name == name {
			return m.value, true
		}
	}
	return "", false
}

// Raw returns the JSON text of a member, without white space around it, and
// whether it was given.
func (o *Object) Raw(name string) (string, bool) { return o.lookup(name) }

// Text returns a string field, or "" when it is absent. In JSON, null means
// absent.
func (o *Object) Text(name string) string {
	value, given := o.lookup(name)
	switch {
	case !given || o.form:
		return value
	case value == "null":
		return ""
	case value[0] != '"':
		o.fail(name, "must be a string")
		return ""
	}
	return unquote(value)
}

// Bool returns a boolean field, or nil when it is absent: true or false and
// nothing else, in a form the words. Null is refused, because a caller who writes
// dry_run may mean either.
func (o *Object) Bool(name string) *bool {
	value, given := o.lookup(name)
	switch {
	case !given:
		return nil
	case value == "true":
		return new(true)
	case value == "false":
		return new(false)
	}
	o.fail(name, "must be true or false")
	return nil
}

func (o *Object) fail(name, what string) {
	o.faults = append(o.faults, contract.FieldError{Field: name, Message: fmt.Sprintf("%s %s", name, what)})
}

// unquote decodes a JSON string that the scanner has accepted.
func unquote(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		panic(err) // the scanner accepts no more than encoding/json; see FuzzParseJSON
	}
	return text
}
