package checks

import "strings"

// fields adds the checks of the bounds and types of section 2.
func fields(l *list) {
	add := func(section, name, sentence, body string, expected ...expectation) {
		l.one(section, name, sentence, contact(body), expected...)
	}
	for _, field := range []string{"name", "business", "email", "message", "phone", "segment"} {
		add("2", field+"-is-not-a-number", field+" is a string; another JSON type is 400.", dryWith(field, "12"),
			refused(field))
		if field == "phone" || field == "segment" {
			continue
		}
		add("2", field+"-is-required", field+" is required; the detail names it.", dryWith(field, ""), refused(field))
		add("2", field+"-is-not-null", "null is not a string, and "+field+" is required.", dryWith(field, `null`),
			refused(field))
		add("D.rules", field+"-is-not-blank", "A field of only white space is missing.", dryWith(field, `" \t\u2003"`),
			refused(field))
	}
	for _, field := range []string{"name", "business", "message"} {
		at := strings.Repeat("a", map[string]int{"name": 200, "business": 200, "message": 5000}[field])
		add("8.4", field+"-at-its-bound", field+" has up to the characters of its bound.", dryWith(field, `"`+at+`"`),
			previewOf(field, at))
		add("8.4", field+"-over-its-bound", field+" over its bound is 400.", dryWith(field, `"a`+at+`"`), refused(field))
	}
	for _, field := range []string{"name", "business"} {
		wide := strings.Repeat("é", 200)
		add("8.4", field+"-counts-characters", "Lengths count characters, not bytes.", dryWith(field, `"`+wide+`"`),
			previewOf(field, wide))
		add("D.rules", field+"-is-measured-trimmed", "Lengths count after trimming.", dryWith(field, `"  `+wide+` "`),
			previewOf(field, wide))
	}
	add("D.rules", "optional-null-is-absent", "An optional field that is null is absent.",
		dryJSON(`,"phone":null,"segment":null`), previewOf("phone", nil))
	add("D.problem", "every-field-error-is-reported",
		"errors has every failing field with its message.",
		`{"email":"x","dry_run":true}`, refused("name", "business", "email", "message"),
		hasItems("errors", 4), hasTexts("errors.0.field", "errors.0.message"))

	q := func(character string, n int) string { return questionJSON(strings.Repeat(character, n)) }
	for _, row := range []struct {
		section, name, sentence, body string
		expected                      expectation
	}{
		{"2", "is-required", "q is required.", `{}`, refused("q")},
		{"D.rules", "is-not-blank", "q of only white space is missing.", `{"q":" \n\u3000"}`, refused("q")},
		{"2", "is-not-null", "q is a string, not null.", `{"q":null}`, refused("q")},
		{"2", "is-not-an-object", "q is a string, not an object.", `{"q":{"a":"b"}}`, refused("q")},
		{"D.rules", "at-300", "q of exactly 300 is accepted.", q("a", 300), isOK},
		{"8.4", "over-its-bound", "q over 300 characters is 400.", q("a", 301), refused("q")},
		{"D.rules", "counts-characters", "The bound of q counts characters, not bytes.", q("日", 300), isOK},
	} {
		l.one(row.section, "q-"+row.name, row.sentence, post("/v1/ask", row.body), row.expected)
	}
	l.one("D.problem", "long-q-has-advice", "The text for a long q says to keep it under 300 characters.",
		ask(strings.Repeat("a", 301)), refused(), contains("under 300 characters"))
}
