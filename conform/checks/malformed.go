package checks

import (
	"net/http"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// row is a malformed or unusual pilot request: what is sent, and the field that the
// refusal names, if any.
type row struct {
	section, name, sentence string
	header                  []string // in addition to the JSON type, or a type in its place
	body                    string
	ok                      bool // it is a valid dry run
	field                   string
}

func (r row) fields() []string {
	if r.field == "" {
		return nil
	}
	return []string{r.field}
}

// of makes the checks of a family of rows. Each is meant as a dry run.
func of(family string, rows []row) []conform.Check {
	var checks []conform.Check
	for _, row := range rows {
		r := conform.Request{Method: http.MethodPost, Path: contract.PathContact, Header: row.header, Body: row.body}
		if !r.Has("Content-Type") {
			r.Header = append([]string{conform.TypeJSON}, r.Header...)
		}
		expected := all(preview, omits("eve@")) // eve is named only in ignored fields
		if !row.ok {
			expected = isProblem(contract.InvalidRequest, row.fields()...)
		}
		checks = append(checks, one(row.section, family+"-"+row.name, row.sentence, r, expected))
	}
	return checks
}

// malformed returns the checks of malformed inputs.
func malformed() []conform.Check {
	bodies := slices.Concat(of("json", jsonRows()), of("dry-run", dryRunRows()), of("form", formRows()), of("type", typeRows()))
	for i := range bodies {
		bodies[i] = risky(bodies[i])
	}
	return slices.Concat(bodies, of("address", addressRows()), of("character", characterRows()), texts(), questionTexts(), sizes())
}

const (
	saysJSON  = "The body is one JSON object; anything else is 400."
	saysNames = "Unknown fields are ignored; keys match exactly; a key given twice, or differing from a known one by case, is 400."
)

func jsonRows() []row {
	dry := dryJSON("")
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	return []row{
		{"4.contact", "empty", saysJSON, nil, "", false, ""},
		{"4.contact", "white-space", saysJSON, nil, " \n ", false, ""},
		{"4.contact", "null", saysJSON, nil, "null", false, ""},
		{"4.contact", "array", saysJSON, nil, "[" + dry + "]", false, ""},
		{"4.contact", "string", saysJSON, nil, `"x"`, false, ""},
		{"4.contact", "number", saysJSON, nil, "12", false, ""},
		{"4.contact", "true", saysJSON, nil, "true", false, ""},
		{"4.contact", "truncated", saysJSON, nil, dry[:len(dry)-1], false, ""},
		{"4.contact", "truncated-in-a-string", saysJSON, nil, dry[:12], false, ""},
		{"4.contact", "trailing-comma", saysJSON, nil, dryJSON(","), false, ""},
		{"4.contact", "two-documents", saysJSON, nil, dry + `{` + validFields + `,"dry_run":false}`, false, ""},
		{"4.contact", "trailing-word", saysJSON, nil, dry + " x", false, ""},
		{"4.contact", "trailing-brace", saysJSON, nil, dry + "}", false, ""},
		{"4.contact", "comment", saysJSON, nil, "// c\n" + dry, false, ""},
		{"4.contact", "single-quotes", saysJSON, nil, strings.ReplaceAll(dry, `"`, `'`), false, ""},
		{"4.contact", "bare-key", saysJSON, nil, strings.Replace(dry, `"name"`, `name`, 1), false, ""},
		{"4.contact", "raw-newline", saysJSON, nil, dryWith("message", "\"a\nb\""), false, ""},
		{"4.contact", "raw-nul", saysJSON, nil, dryWith("message", "\"a\x00b\""), false, ""},
		{"4.contact", "nan", saysJSON, nil, dryJSON(`,"x":NaN`), false, ""},
		{"4.contact", "hexadecimal", saysJSON, nil, dryJSON(`,"x":0x10`), false, ""},
		{"4.contact", "leading-zero", saysJSON, nil, dryJSON(`,"x":01`), false, ""},
		{"4.contact", "bad-escape", saysJSON, nil, dryWith("message", `"\x41"`), false, ""},
		{"4.contact", "utf-16", saysJSON, nil, "\xff\xfe{\x00}\x00", false, ""},
		{"4.contact", "surrounding-white-space", "White space around the object is legal JSON.", nil, " \r\n\t" + dry + "\r\n ", true, ""},
		{"4.contact", "escaped-keys", "A key may be written with escapes.", nil, strings.Replace(dry, `"name"`, `"n\u0061me"`, 1), true, ""},
		{"4.contact", "surrogate-pair", "A surrogate pair is one character.", nil, dryWith("name", `"Ada\ud83d\ude00"`), true, ""},
		{"D.rules", "byte-order-mark", saysJSON, nil, "\xef\xbb\xbf" + dry, false, ""},
		{"D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", nil, dryWith("name", "\"a\xffb\""), false, "name"},
		{"D.rules", "overlong-utf-8", "Invalid UTF-8 is 400 naming the field.", nil, dryWith("name", "\"a\xc0\xafb\""), false, "name"},
		{"D.rules", "lone-surrogate", "A lone surrogate is 400 naming the field.", nil, dryWith("name", `"a\ud800"`), false, "name"},
		{"D.rules", "lone-low-surrogate", "A lone surrogate is 400 naming the field.", nil, dryWith("message", `"\udc00 a"`), false, "message"},
		{"D.rules", "unknown-field", saysNames, nil, dryJSON(`,"utm":"x","bcc":"eve@conform.example","n":{"a":[1,null]}`), true, ""},
		{"D.rules", "prototype", saysNames, nil, dryJSON(`,"__proto__":{"dry_run":false},"constructor":{}`), true, ""},
		{"D.rules", "many-unknown-fields", saysNames, nil, dryJSON(`,"` + repeatMembers(300)), true, ""},
		{"D.rules", "key-twice", saysNames, nil, dryJSON(`,"name":"Eve"`), false, "name"},
		{"D.rules", "key-in-capitals", saysNames, nil, dryJSON(`,"EMAIL":"eve@conform.example"`), false, "email"},
		{"D.rules", "key-with-kelvin-sign", saysNames, nil, dryJSON(`,"` + "\u212a" + `":1`), true, ""},
		{"D.rules", "deep-in-an-unknown-field", "A body that is nested too deep is refused quickly with 400.", nil, dryJSON(`,"x":` + deep(3500)), false, ""},
		{"2", "deep-in-a-field", "A field that is an array is 400, however deep.", nil, dryWith("name", deep(900)), false, ""},
	}
}

// repeatMembers closes a key that has been opened and adds members of unknown names.
func repeatMembers(n int) string {
	return strings.TrimPrefix(strings.ReplaceAll(repeatList(`"k%d":0`, n), " ", ""), `"`)
}

func dryRunRows() []row {
	const sentence = "dry_run is a boolean: anything else is 400 and never a send."
	var rows []row
	for _, other := range []struct{ name, value string }{
		{"string-true", `"true"`}, {"string-false", `"false"`}, {"zero", "0"}, {"one", "1"}, {"yes", `"yes"`}, {"empty", `""`}, {"object", "{}"}, {"array", "[true]"}, {"null", "null"},
	} {
		rows = append(rows, row{"2", other.name, sentence, nil, dryWith("dry_run", other.value), false, "dry_run"})
	}
	return append(rows,
		row{"D.rules", "twice", "dry_run must never be lost: given twice it is 400.", nil, dryJSON(`,"dry_run":false`), false, "dry_run"},
		row{"D.rules", "twice-equal", "A key given twice is 400, equal or not.", nil, dryJSON(`,"dry_run":true`), false, "dry_run"},
		row{"D.rules", "in-capitals", "A key that differs only by case is 400: dry_run must never be lost.", nil, `{` + validFields + `,"Dry_Run":true}`, false, "dry_run"},
		row{"D.rules", "escaped-twice", "Escapes do not hide that a key is given twice.", nil, dryJSON(`,"dry_\u0072un":false`), false, "dry_run"},
	)
}

func formRows() []row {
	form := []string{conform.TypeForm}
	dry := validForm + "&dry_run=true"
	var rows []row
	for _, other := range []struct{ name, value string }{{"one", "1"}, {"capital", "True"}, {"yes", "yes"}, {"on", "on"}, {"empty", ""}} {
		rows = append(rows, row{"D.rules", "dry-run-" + other.name, "dry_run in a form is true or false; anything else is 400 and never a send.", form, validForm + "&dry_run=" + other.value, false, "dry_run"})
	}
	return append(rows,
		row{"4.contact", "missing-name", "A form is validated like JSON.", form, strings.Replace(dry, "name=Ada+Lovelace&", "", 1), false, "name"},
		row{"4.contact", "bad-address", "A form is validated like JSON.", form, strings.Replace(dry, "%40", "", 1), false, "email"},
		row{"4.contact", "empty", "A form is validated like JSON.", form, "", false, ""},
		row{"4.contact", "semicolons", "Semicolons do not separate fields.", form, strings.ReplaceAll(dry, "&", ";"), false, ""},
		row{"4.contact", "brackets", "name[] is another field than name.", form, strings.Replace(dry, "name=", "name[]=", 1), false, "name"},
		row{"4.contact", "international", "A form is percent-encoded UTF-8.", form, strings.Replace(dry, "Ada+Lovelace", "Zo%C3%AB+%E6%9D%8E", 1), true, ""},
		row{"4.contact", "with-charset", "A media type may have parameters.", []string{conform.TypeForm + "; charset=UTF-8"}, dry, true, ""},
		row{"D.rules", "bad-escape", "A form that cannot be read is 400.", form, dry + "&x=%zz", false, ""},
		row{"D.rules", "half-an-escape", "A form that cannot be read is 400.", form, dry + "&x=%4", false, ""},
		row{"D.rules", "key-twice", saysNames, form, dry + "&name=Eve", false, "name"},
		row{"D.rules", "dry-run-twice", saysNames, form, dry + "&dry_run=false", false, "dry_run"},
		row{"D.rules", "key-in-capitals", saysNames, form, validForm + "&DRY_RUN=true", false, "dry_run"},
		row{"D.rules", "unknown-field", saysNames, form, dry + "&utm=x", true, ""},
		row{"D.rules", "invalid-utf-8", "Invalid UTF-8 is 400 naming the field.", form, strings.Replace(dry, "Ada", "%FF", 1), false, "name"},
	)
}
