package checks

import (
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// fields returns the checks of the bounds and types of section 2.
func fields() []conform.Check {
	var checks []conform.Check
	add := func(section, name, sentence, body string, expected ...expectation) {
		checks = append(checks, one(section, name, sentence, conform.PostJSON(contract.PathContact, body), expected...))
	}
	refused := func(field string) expectation { return isProblem(contract.InvalidRequest, field) }
	for _, field := range []string{"name", "business", "email", "message"} {
		add("2", field+"-is-required", field+" is required; the detail names it.", dryWith(field, ""), refused(field))
		add("2", field+"-is-not-empty", "An empty "+field+" does not satisfy required.", dryWith(field, `""`), refused(field))
		add("2", field+"-is-not-null", "null is not a string, and "+field+" is required.", dryWith(field, `null`), refused(field))
		add("D.rules", field+"-is-not-blank", "A field of only white space is missing.", dryWith(field, `" \t\u2003"`), refused(field))
	}
	for _, bound := range []struct {
		field string
		most  int
	}{{"name", 200}, {"business", 200}, {"message", 5000}} {
		at := strings.Repeat("a", bound.most)
		add("8.4", bound.field+"-at-its-bound", bound.field+" has up to the characters of its bound.", dryWith(bound.field, conform.EncodeJSON(at)), previewOf(bound.field, at))
		add("8.4", bound.field+"-over-its-bound", bound.field+" over its bound is 400.", dryWith(bound.field, conform.EncodeJSON(at+"a")), refused(bound.field))
	}
	for _, field := range []string{"name", "business"} {
		wide := strings.Repeat("é", 200)
		add("8.4", field+"-counts-characters", "Lengths count characters, not bytes.", dryWith(field, conform.EncodeJSON(wide)), previewOf(field, wide))
		add("8.4", field+"-over-in-characters", "201 characters are too many in any script.", dryWith(field, conform.EncodeJSON(wide+"é")), refused(field))
		add("D.rules", field+"-is-measured-trimmed", "Lengths count after trimming.", dryWith(field, conform.EncodeJSON("  "+wide+" ")), previewOf(field, wide))
	}
	for _, field := range []string{"name", "business", "email", "message", "phone", "segment"} {
		for _, other := range []struct{ kind, value string }{{"a-number", "12"}, {"a-boolean", "true"}, {"an-array", `["a"]`}, {"an-object", `{"a":1}`}} {
			add("2", field+"-is-not-"+other.kind, field+" is a string; another JSON type is 400.", dryWith(field, other.value), refused(field))
		}
	}
	add("D.rules", "optional-null-is-absent", "An optional field that is null is absent.",
		dryJSON(`,"phone":null,"segment":null`), previewOf("phone", nil))
	add("D.problem", "several-faults-are-all-told", "errors has every failing field with its message when there are several.",
		`{"email":"x","dry_run":true}`, isProblem(contract.InvalidRequest, "name", "business", "email", "message"), func(a *conform.Answer) {
			if len(a.List("errors")) != 4 {
				a.Fail("errors with four fields")
			}
		}, hasTexts("errors.0.field", "errors.0.message"))
	return append(checks, questions()...)
}

// previewOf expects a preview with the given value of a field.
func previewOf(field string, value any) expectation {
	return all(isOK, hasMember("would_send."+field, value))
}

// questions returns the checks of the bounds of q.
func questions() []conform.Check {
	var checks []conform.Check
	for _, row := range []struct {
		section, name, sentence, body string
		ok                            bool
	}{
		{"2", "q-is-required", "q is required.", `{}`, false},
		{"2", "q-is-not-empty", "q is not empty.", `{"q":""}`, false},
		{"D.rules", "q-is-not-blank", "q of only white space is missing.", `{"q":" \n\u3000"}`, false},
		{"2", "q-is-not-null", "q is a string, not null.", `{"q":null}`, false},
		{"2", "q-is-not-a-number", "q is a string, not a number.", `{"q":7}`, false},
		{"2", "q-is-not-an-array", "q is a string, not an array.", `{"q":["a"]}`, false},
		{"2", "q-is-not-an-object", "q is a string, not an object.", `{"q":{"a":"b"}}`, false},
		{"8.4", "q-under-its-bound", "q has up to 300 characters.", questionJSON(strings.Repeat("a", 299)), true},
		{"D.rules", "q-at-300", "q of exactly 300 is accepted.", questionJSON(strings.Repeat("a", 300)), true},
		{"8.4", "q-over-its-bound", "q over 300 characters is 400.", questionJSON(strings.Repeat("a", 301)), false},
		{"D.rules", "q-counts-characters", "The bound of q counts characters, not bytes.", questionJSON(strings.Repeat("日", 300)), true},
		{"D.rules", "q-over-in-characters", "301 wide characters are too many.", questionJSON(strings.Repeat("日", 301)), false},
	} {
		expected := isProblem(contract.InvalidRequest, contract.FieldQuestion)
		if row.ok {
			expected = isOK
		}
		checks = append(checks, one(row.section, row.name, row.sentence, conform.PostJSON(contract.PathAsk, row.body), expected))
	}
	return append(checks, one("D.problem", "long-q-has-advice", "The text for a long q says to keep it under 300 characters.",
		ask(strings.Repeat("a", 301)), isProblem(contract.InvalidRequest), contains("under 300 characters")))
}
