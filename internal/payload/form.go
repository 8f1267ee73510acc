package payload

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// ParseForm reads a body of the type application/x-www-form-urlencoded. Fields
// whose name is not known are read and ignored.
func ParseForm(body []byte, known []string) (*Object, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, contract.InvalidBody("The form cannot be read: a percent escape or a separator is wrong.",
			"Write the body as name=value pairs joined by &, percent-encoded in UTF-8.")
	}
	object := &Object{form: true}
	seen := &names{known: known, given: map[string]bool{}}
	for _, name := range sortedNames(values) {
		isKnown := false
		for range values[name] { // a second value is a name that is given twice
			if isKnown, err = seen.take(name); err != nil {
				return nil, err
			}
		}
		if !isKnown {
			continue
		}
		value := values.Get(name)
		if !utf8.ValidString(value) {
			return nil, contract.Invalid(name, name+" is not valid UTF-8")
		}
		object.members = append(object.members, member{name, value})
	}
	return object, nil
}

// sortedNames sorts the names, so that a body with several faults always gets the same
// answer.
func sortedNames(values url.Values) []string { return slices.Sorted(maps.Keys(values)) }

// CheckQuery refuses a query string that has the name of a field. Fields count only in
// the body, and a dry_run in the query string must not be lost.
func CheckQuery(rawQuery string, known []string) error {
	if rawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return contract.InvalidBody("The query string cannot be read.", "Send the fields in the body, and no query string.")
	}
	for _, name := range sortedNames(values) {
		for _, field := range known {
			if strings.EqualFold(name, field) {
				return contract.Invalid(field, field+" is in the query string: send it in the body")
			}
		}
	}
	return nil
}
