package checks

// contacting adds the checks of dry runs of pilot requests.
func contacting(l *list) {
	aForm := contactForm(dryForm)
	l.one("4.contact", "dry-run-previews",
		"With dry_run true the answer is 200 with ok, dry_run and would_send, which holds exactly what would have been "+
			"sent, and without RateLimit headers.", dryRun(), preview, limitless)
	l.one("4.contact", "dry-run-as-a-form", "A form-encoded body is accepted; dry_run is sent as dry_run=true.",
		aForm, preview)
	l.one("9.5", "contact-alias-works", "POST /api/contact keeps working and honours dry_run.",
		post("/api/contact", dryJSON("")), preview)
	l.one("2", "optional-fields-are-previewed", "phone and segment are optional strings and part of what would be sent.",
		contact(dryJSON(`,"phone":"+1 555 0100","segment":"retail"`)), previewOf("phone", "+1 555 0100"),
		previewOf("segment", "retail"))
	l.onLoopback("8", "dry-runs-have-no-limit", "Dry runs are exempt from the contact limit.",
		repeat(4*l.contact.Quota, dryRun()))
	l.several("D.contact", "would-send-has-the-mail",
		"would_send holds the normalized fields, trimmed and without those that were not given or are null, and subject, "+
			"reply_to and text of the mail that a real send would make.",
		send(contact(dryWith("name", `"\u00a0 Ada \t"`)), previewOf("name", "Ada"), previewOf("phone", nil),
			previewOf("segment", nil)),
		send(contact(dryJSON(`,"phone":null,"segment":null`)), previewOf("phone", nil), previewOf("segment", nil)),
		send(dryRun(), previewOf("reply_to", "ada@conform.example"), hasTexts("would_send.subject"),
			memberContains("would_send.text", "Ada Lovelace", "Analytical Engines Ltd", "Hello there")))
	l.several("D.preview", "digest-names-the-mail",
		"A dry run has the SHA-256 of its mail: equal mails have equal digests, different mails different ones.",
		send(dryRun(), isOK, memberMatches("digest", `^[0-9a-f]{64}$`)), send(aForm, isOK, sameMember("digest")),
		send(contact(dryWith("message", `"Hello there!"`)), isOK, otherMember("digest")),
		send(contact(dryJSON(`,"preview":"0"`)), preview)) // it is not compared
}

// preview expects the answer to a dry run.
var preview = all(servesJSON, hasMember("ok", true), hasMember("dry_run", true),
	hasTexts("would_send.name", "would_send.business", "would_send.email", "would_send.message"))

// previewOf expects a preview with the given value of a field.
func previewOf(field string, value any) expectation {
	return all(isOK, hasMember("would_send."+field, value))
}
