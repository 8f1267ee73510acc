package checks

import "strings"

// fields adds the checks of the bounds and types of section 2.
func fields(l *list) {
	var texts, required, bounds, trimmed []step
	for _, field := range []string{"name", "business", "email", "message", "phone", "segment"} {
		texts = append(texts, send(contact(dryWith(field, "12")), refused(field)))
		if field == "phone" || field == "segment" {
			continue
		}
		required = append(required, sendEach(refused(field), contact, dryWith(field, ""), dryWith(field, "null")))
		trimmed = append(trimmed, send(contact(dryWith(field, `" \t\u2003"`)), refused(field)))
	}
	for _, field := range []string{"name", "business", "message"} {
		at := strings.Repeat("a", map[string]int{"name": 200, "business": 200, "message": 5000}[field])
		bounds = append(bounds, send(contact(dryWith(field, `"`+at+`"`)), previewOf(field, at)),
			send(contact(dryWith(field, `"a`+at+`"`)), refused(field)))
	}
	for _, field := range []string{"name", "business"} {
		wide := strings.Repeat("é", 200)
		bounds = append(bounds, send(contact(dryWith(field, `"`+wide+`"`)), previewOf(field, wide)))
		trimmed = append(trimmed, send(contact(dryWith(field, `"  `+wide+` "`)), previewOf(field, wide)))
	}
	l.several("2", "fields-are-texts", "Every field but dry_run is a string; another JSON type is 400.", texts...)
	l.several("2", "fields-are-required",
		"name, business, email and message are required, and null is not a string; the detail names the field.", required...)
	l.several("8.4", "fields-have-bounds",
		"name and business have up to 200 characters, message up to 5000; one more is 400. Characters count, not bytes.",
		bounds...)
	l.several("D.rules", "fields-are-trimmed",
		"A field of only white space is missing, and lengths count after trimming.", trimmed...)

	over := ask(strings.Repeat("a", 301))
	l.several("2", "q-is-required", "q is required, and a string.",
		sendEach(refused("q"), question, `{}`, `{"q":null}`, `{"q":{"a":"b"}}`))
	l.several("D.rules", "q-is-readable", "q of only white space is missing, and a control character in it is 400.",
		sendEach(refused("q"), question, `{"q":" \n\u3000"}`, `{"q":"a\u0000b"}`))
	l.several("D.rules", "q-at-300", "q of exactly 300 characters, not bytes, is accepted.",
		sendEach(isOK, ask, strings.Repeat("a", 300), strings.Repeat("日", 300)))
	l.one("8.4", "q-over-its-bound", "q over 300 characters is 400.", over, refused("q"))
	l.one("D.problem", "long-q-has-advice", "The text for a long q says to keep it under 300 characters.",
		over, refused(), contains("under 300 characters"))
}
