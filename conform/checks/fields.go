package checks

import (
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// fields adds the checks of the bounds and types of section 2.
func fields(l *list) {
	add := func(section, name, sentence, body string, expected ...expectation) {
		l.one(section, name, sentence, contact(body), expected...)
	}
	for _, field := range []string{"name", "business", "email", "message"} {
		add("2", field+"-is-required", field+" is required; the detail names it.", dryWith(field, ""), refused(field))
		add("2", field+"-is-not-empty", "An empty "+field+" does not satisfy required.", dryWith(field, `""`), refused(field))
		add("2", field+"-is-not-null", "null is not a string, and "+field+" is required.", dryWith(field, `null`),
			refused(field))
		add("D.rules", field+"-is-not-blank", "A field of only white space is missing.", dryWith(field, `" \t\u2003"`),
			refused(field))
	}
	for _, bound := range []struct {
		field string
		most  int
	}{{"name", 200}, {"business", 200}, {"message", 5000}} {
		at := strings.Repeat("a", bound.most)
		add("8.4", bound.field+"-at-its-bound", bound.field+" has up to the characters of its bound.",
			dryWith(bound.field, `"`+at+`"`), previewOf(bound.field, at))
		add("8.4", bound.field+"-over-its-bound", bound.field+" over its bound is 400.", dryWith(bound.field, `"a`+at+`"`),
			refused(bound.field))
	}
	for _, field := range []string{"name", "business"} {
		wide := strings.Repeat("é", 200)
		add("8.4", field+"-counts-characters", "Lengths count characters, not bytes.", dryWith(field, `"`+wide+`"`),
			previewOf(field, wide))
		add("8.4", field+"-over-in-characters", "201 characters are too many in any script.", dryWith(field, `"é`+wide+`"`),
			refused(field))
		add("D.rules", field+"-is-measured-trimmed", "Lengths count after trimming.", dryWith(field, `"  `+wide+` "`),
			previewOf(field, wide))
	}
	for _, field := range []string{"name", "business", "email", "message", "phone", "segment"} {
		for _, other := range []struct{ kind, value string }{{"a-number", "12"}, {"a-boolean", "true"}, {"an-array", `["a"]`},
			{"an-object", `{"a":1}`}} {
			add("2", field+"-is-not-"+other.kind, field+" is a string; another JSON type is 400.", dryWith(field, other.value),
				refused(field))
		}
	}
	add("D.rules", "optional-null-is-absent", "An optional field that is null is absent.",
		dryJSON(`,"phone":null,"segment":null`), previewOf("phone", nil))
	add("D.problem", "several-faults-are-all-told",
		"errors has every failing field with its message when there are several.",
		`{"email":"x","dry_run":true}`, refused("name", "business", "email", "message"),
		failsIf(func(a *conform.Answer) bool {
			return len(a.List("errors")) != 4
		}, "errors with four fields"), hasTexts("errors.0.field", "errors.0.message"))

	q := func(character string, n int) string { return questionJSON(strings.Repeat(character, n)) }
	for _, row := range []struct {
		section, name, sentence, body string
		expected                      expectation
	}{
		{"2", "is-required", "q is required.", `{}`, refused("q")},
		{"2", "is-not-empty", "q is not empty.", `{"q":""}`, refused("q")},
		{"D.rules", "is-not-blank", "q of only white space is missing.", `{"q":" \n\u3000"}`, refused("q")},
		{"2", "is-not-null", "q is a string, not null.", `{"q":null}`, refused("q")},
		{"2", "is-not-a-number", "q is a string, not a number.", `{"q":7}`, refused("q")},
		{"2", "is-not-an-array", "q is a string, not an array.", `{"q":["a"]}`, refused("q")},
		{"2", "is-not-an-object", "q is a string, not an object.", `{"q":{"a":"b"}}`, refused("q")},
		{"8.4", "under-its-bound", "q has up to 300 characters.", q("a", 299), isOK},
		{"D.rules", "at-300", "q of exactly 300 is accepted.", q("a", 300), isOK},
		{"8.4", "over-its-bound", "q over 300 characters is 400.", q("a", 301), refused("q")},
		{"D.rules", "counts-characters", "The bound of q counts characters, not bytes.", q("日", 300), isOK},
		{"D.rules", "over-in-characters", "301 wide characters are too many.", q("日", 301), refused("q")},
	} {
		l.one(row.section, "q-"+row.name, row.sentence, conform.PostJSON(contract.PathAsk, row.body), row.expected)
	}
	l.one("D.problem", "long-q-has-advice", "The text for a long q says to keep it under 300 characters.",
		ask(strings.Repeat("a", 301)), refused(), contains("under 300 characters"))
}
