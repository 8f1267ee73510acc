package payload

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// Object holds the members of a body that have a known name. Text and Bool read them
// and record wrong types.
type Object struct {
	form    bool
	strict  bool // unknown names are refused
	known   []string
	members []member
	others  map[string]bool // unknown names that have occurred
	errors  []contract.FieldError
}

// member is a known name and its value: JSON text, or the decoded text of a form.
type member struct {
	name  string
	value string
}

// maxNameErrors is how many wrong names are reported, so that a body of them gets no
// larger answer.
const maxNameErrors = 8

// take checks the next name of a body and reports whether it is known. No name may occur
// twice, or be another spelling of a known one: a caller who writes dryRun must not mail a person.
func (o *Object) take(name string) (isKnown bool, err error) {
	_, given := o.Raw(name)
	switch {
	case given:
		return false, contract.Invalid(name, name+" is given twice")
	case slices.Contains(o.known, name):
		return true, nil
	case o.others[name]:
		return false, contract.InvalidBody("A field is given twice.", "Give each field once.")
	case o.others == nil:
		o.others = map[string]bool{}
	}
	o.others[name] = true
	for _, known := range o.known {
		if respells(name, known) {
			return false, contract.Invalid(known, fmt.Sprintf("%s is misspelled as %s", known, Shown(name)))
		}
	}
	if o.strict {
		return false, unknownName(name, o.known)
	}
	return false, nil
}

// separators are what a name may have between its words.
var separators = regexp.MustCompile(`[_\-\pZ\s\v\x85]`)

// respells reports whether a name equals a known one without separators and case. The
// underscore that begins _meta is no separator: MCP clients may send meta as well.
func respells(name, known string) bool {
	if strings.HasPrefix(known, "_") {
		return strings.EqualFold(name, known)
	}
	return strings.EqualFold(separators.ReplaceAllString(name, ""), separators.ReplaceAllString(known, ""))
}

func unknownName(name string, known []string) error {
	what := "there are no arguments"
	if len(known) > 0 {
		what = "the arguments are " + strings.Join(known, ", ")
	}
	return contract.Invalid(Cut(name), fmt.Sprintf("%s is not known: %s", Shown(name), what))
}

// maxShown is how many characters of a caller's own name an answer repeats.
const maxShown = 64

// Shown formats a caller's own name for an answer: quoted, and cut if it is very long.
func Shown(name string) string { return strconv.Quote(Cut(name)) }

// Cut is Shown without the quotes.
func Cut(name string) string {
	if runes := []rune(name); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return name
}

// Raw returns the value of a member and whether it was given: JSON text without white space
// around it, or the decoded text of a form.
func (o *Object) Raw(name string) (string, bool) {
	for _, m := range o.members {
		if m.name == name {
			return m.value, true
		}
	}
	return "", false
}

// Text returns a string field, or "" when it is absent. In JSON, null means
// absent.
func (o *Object) Text(name string) string {
	value, given := o.Raw(name)
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

// Bool returns a boolean field, or nil when it is absent. Only true and false are
// accepted, in a form as words. Null is refused, because with dry_run it could mean
// either.
func (o *Object) Bool(name string) *bool {
	value, given := o.Raw(name)
	switch {
	case !given:
		return nil
	case value == "true":
		return new(true)
	case value == "false":
		return new(false)
	}
	what := "must be true or false"
	if lower := strings.ToLower(value); o.form && (lower == "true" || lower == "false") {
		what += ", in lower case"
	}
	o.fail(name, what)
	return nil
}

func (o *Object) fail(name, what string) {
	o.errors = append(o.errors, contract.FieldError{Field: name, Message: fmt.Sprintf("%s %s", name, what)})
}

func (o *Object) failed(name string) bool {
	return slices.ContainsFunc(o.errors, func(f contract.FieldError) bool { return f.Field == name })
}

// Err returns the recorded errors as one, or nil.
func (o *Object) Err() error {
	if len(o.errors) == 0 {
		return nil
	}
	return contract.InvalidFields(o.errors)
}

// unquote decodes a JSON string.
func unquote(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		panic(err) // it is valid JSON
	}
	return text
}
