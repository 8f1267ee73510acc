package payload

import (
	"maps"
	"net/url"
	"slices"
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
	object := &Object{known: known, form: true}
	// Sorted, so that a body with several errors always gets the same answer.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			isKnown, err := object.take(name)
			switch {
			case err != nil:
				return nil, err
			case isKnown && !utf8.ValidString(value):
				return nil, contract.Invalid(name, name+" is not valid UTF-8")
			case isKnown:
				object.members = append(object.members, member{name, value})
			}
		}
	}
	return object, nil
}

// CheckQuery refuses a query string that has the name of a field in any spelling. Fields count only in
// the body, and a dry_run in the query string must not be lost.
func CheckQuery(rawQuery string, known []string) error {
	if rawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return contract.InvalidBody("The query string cannot be read.", "Send the fields in the body, and no query string.")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, field := range known {
			if respells(name, field) {
				return contract.Invalid(field, field+" is in the query string: send it in the body")
			}
		}
	}
	return nil
}
