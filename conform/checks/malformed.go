package checks

import "strings"

// risky adds a check of pilot requests that are meant as dry runs, but whose dry_run a broken
// service might lose.
func (l *list) risky(section, name, sentence string, steps ...step) {
	l.several(section, name, sentence, steps...).MaySend = true
}

// dryRunOf makes a dry run in which a field has the text.
func dryRunOf(field string) maker {
	return func(text string, _ ...string) request { return contact(dryWith(field, encode(text))) }
}

// typed is a valid dry run as JSON with these header lines only.
func typed(header ...string) request {
	return untyped("/v1/contact", dryJSON(""), header...)
}

// bodies adds checks of unusual and malformed pilot requests.
func bodies(l *list) {
	dry := dryJSON("")
	l.risky("4.contact", "contact-body-is-one-object", "The body is one JSON object; anything else is 400.",
		sendEach(refused(), contact, "", "["+dry+"]", dry[:len(dry)-1], dry+`{`+validFields+`,"dry_run":false}`, dry+" x",
			dryWith("message", "\"a\nb\"")))
	l.risky("4.contact", "contact-body-may-be-a-form",
		"A form is validated like JSON. Media types are compared without case, and their parameters are ignored.",
		send(typed("Content-Type: APPLICATION/Json"), preview),
		send(untyped("/v1/contact", dryForm, typeForm+"; charset=UTF-8"), preview),
		send(contactForm(strings.Replace(dryForm, "%40", "", 1)), refused("email")))
	l.risky("D.rules", "contact-body-is-readable",
		"Invalid UTF-8 and lone surrogates are 400 naming the field; a form with a bad escape is 400.",
		sendEach(refused("name"), contact, dryWith("name", "\"a\xffb\""), dryWith("name", `"a\ud800"`)),
		send(contactForm(strings.Replace(dryForm, "Ada", "%FF", 1)), refused("name")),
		send(contactForm(dryForm+"&x=%zz"), refused()))
	l.risky("D.rules", "unknown-fields-are-ignored", "Unknown fields are ignored.",
		sendAll(all(preview, omits("eve@")), contact(dryJSON(`,"utm":"x","bcc":"eve@conform.example","n":{"a":[1,null]}`)),
			contactForm(dryForm+"&utm=x")))
	l.risky("D.rules", "keys-match-exactly",
		"Keys match exactly; a key given twice, or that equals a known one without separators and case, is 400.",
		sendEach(refused("email"), contact, dryJSON(`,"EMAIL":"eve@conform.example"`),
			dryJSON(`,"e-mail":"eve@conform.example"`)),
		send(contactForm(dryForm+"&name=Eve"), refused("name")))

	const neverLost = "dry_run is a boolean (in a form: true or false). Another value, or a misspelt key, is 400 " +
		"and never a send."
	isRefused := refused("dry_run")
	l.risky("2", "dry-run-is-a-boolean", neverLost,
		sendEach(isRefused, contact, dryWith("dry_run", `"true"`), dryWith("dry_run", "{}"), dryWith("dry_run", "null")))
	l.risky("D.rules", "dry-run-is-never-lost", neverLost,
		sendEach(isRefused, contact, dryJSON(`,"dry_run":false`), dryJSON(`,"dry_\u0072un":false`),
			`{`+validFields+`,"Dry_Run":true}`, `{`+validFields+`,"dryRun":true}`, `{`+validFields+`,"dry-run":true}`),
		sendEach(isRefused, contactForm, validForm+"&dry_run=1", validForm+"&dry_run=", dryForm+"&dry_run=false",
			validForm+"&DRY_RUN=true", validForm+"&dryRun=true"))
	l.risky("D.rules", "query-fields-are-refused",
		"A query parameter with the name of a field is 400: a form is only the body.",
		sendAll(isRefused, postForm("/v1/contact?dry_run=true", validForm), postForm("/v1/contact?dry-run=true", validForm)),
		send(postForm("/v1/contact?"+validForm, ""), refused()),
		send(postForm("/v1/contact?utm=x", dryForm), preview))

	l.risky("D.rules", "contact-goes-by-its-type",
		"Contact is read by its Content-Type; another type, or several, is 400, and so is any "+
			"Content-Encoding other than identity. "+
			"A body of the form type that starts with { is JSON: curl's default.",
		sendAll(refused(), typed("Content-Type: text/plain"), typed(typeJSON, typeForm),
			typed(typeJSON, "Content-Encoding: gzip")),
		sendAll(preview, typed(typeForm), typed(typeJSON, "Content-Encoding: identity")))
}

// characters adds checks of the characters that an address and the other fields may have.
func characters(l *list) {
	const oneAddress = "An address is the whole value: one plain ASCII address of at most 254 bytes."
	l.several("2", "address-is-one-address", oneAddress,
		sendEach(refused("email"), dryRunOf("email"), "ada", "ada..x@conform.example", "Ada <ada@conform.example>",
			"ada@conform.example, eve@conform.example", "ada@conform.example\r\n\r\n<html>",
			"ada@conform.example\u2028Bcc: eve@conform.example"),
		sendEach(preview, dryRunOf("email"), "ada.l+tag@mail.conform.example", "o'brien@conform.example"))
	at254 := "a@" + strings.Repeat(strings.Repeat("b", 63)+".", 3) + strings.Repeat("c", 254-2-3*64-8) + ".example"
	l.several("D.rules", "address-is-plain", oneAddress,
		sendEach(refused("email"), dryRunOf("email"), `"a b"@conform.example`, "a"+at254, "ada@localhost"),
		sendEach(preview, dryRunOf("email"), at254))

	steps := []step{
		sendEach(refused("message"), dryRunOf("message"), "a\x00b", "a\x1bb"),
		sendEach(preview, dryRunOf("message"), "one\r\ntwo\nthree\rfour\tfive", "שלום \u202eabc\u202c"),
	}
	for _, field := range []string{"name", "business", "phone", "segment"} {
		steps = append(steps,
			sendEach(refused(field), dryRunOf(field), "a\nBcc: eve@conform.example", "a\x00b", "a\u0085b", "a\u202eb"),
			sendEach(preview, dryRunOf(field), "می\u200cخواهم 👩\u200d💻"))
	}
	l.several("D.rules", "controls-are-refused",
		"Control characters are 400, except tab and line breaks in message; format characters are accepted in message, "+
			"elsewhere only the joiners.", steps...)
}

// questionBodies adds checks of unusual and malformed questions.
func questionBodies(l *list) {
	const readable = "A question is one JSON object whose q is readable text; anything else is 400."
	l.several("4.ask", "ask-body-is-one-object", readable, sendEach(refused(), question, "", `["x"]`,
		`{"q":"x"}{"q":"y"}`))
	l.several("D.rules", "ask-body-is-readable", readable, sendEach(refused(), question,
		`{"q":"x","q":"y"}`, `{"Q":"x"}`, "{\"q\":\"a\xff\"}"))
	named := func(field string) step {
		return send(question(`{"`+field+`":"x"}`), refused("q"), memberContains("hint", field))
	}
	l.several("D.rules", "ask-hint-names-the-field", "When q is missing, the hint names the field that seems to hold it.",
		named("question"), named("query"), named("text"))
	l.one("D.rules", "ask-reads-json-only", "The refusal of a form sent to ask says that ask reads only JSON.",
		postForm("/v1/ask", "q=x"), refused(), memberContains("detail", "JSON only"))
}
