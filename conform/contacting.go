package conform

import (
	"regexp"
	"strings"

	"frontdesk/contract"
)

// contacting are the sentences on dry runs of pilot requests.
func contacting() []Check {
	return []Check{
		one("4.contact", "dry-run-previews", "With dry_run true the answer is 200 with ok, dry_run and would_send, which holds exactly what would have been sent.",
			dryRun(), preview),
		one("4.contact", "dry-run-as-a-form", "A form-encoded body is taken; dry_run is sent as dry_run=true.",
			postForm(contract.PathContact, validForm+"&dry_run=true"), preview),
		one("9.5", "contact-alias-works", "POST /api/contact keeps working and honours dry_run.",
			postJSON(contract.PathContactAlias, dryJSON("")), preview),
		one("9.5", "contact-alias-takes-forms", "POST /api/contact takes a form too.",
			postForm(contract.PathContactAlias, validForm+"&dry_run=true"), preview),
		one("2", "optional-fields-are-previewed", "phone and segment are optional strings and part of what would be sent.",
			postJSON(contract.PathContact, dryJSON(`,"phone":"+1 555 0100","segment":"retail"`)),
			func(a *answer) {
				a.is(200).member("would_send.phone", "+1 555 0100").member("would_send.segment", "retail").contains("+1 555 0100")
			}),
		one("8", "dry-run-has-no-ratelimit", "Dry runs have no RateLimit headers.", dryRun(),
			func(a *answer) { a.is(200).lacks(contract.HeaderRateLimit, contract.HeaderRateLimitPolicy) }),
		{Section: "8", Name: "dry-runs-have-no-limit", Rude: true,
			Says: "Dry runs are exempt from the contact limit.",
			Run: func(p *probe) {
				for range 12 {
					p.send(dryRun()).is(200)
				}
			}},
		one("D.contact", "would-send-is-normalized", "would_send holds the normalized fields: trimmed, and without those that were not given.",
			postJSON(contract.PathContact, dryWith("name", `"\u00a0 Ada \t"`)),
			func(a *answer) {
				a.is(200).member("would_send.name", "Ada").member("would_send.phone", nil).member("would_send.segment", nil)
			}),
		one("D.contact", "would-send-has-the-mail", "would_send has subject, reply_to and text of the very mail a real send would make.",
			dryRun(),
			func(a *answer) {
				a.is(200).member("would_send.reply_to", "ada@conform.example")
				a.text("would_send.subject")
				if text := a.text("would_send.text"); !containsAll(text, "Ada Lovelace", "Analytical Engines Ltd", "Hello there") {
					a.fail("a text that holds what was written")
				}
			}),
		one("D.preview", "dry-run-has-a-digest", "A dry run's answer has digest, the SHA-256 of the mail it would send.",
			dryRun(),
			func(a *answer) {
				if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(a.is(200).text("digest")) {
					a.fail("a digest of 64 hexadecimal digits")
				}
			}),
	}
}

// digests are what was decided of the preview lock, as far as dry runs show it.
func digests() []Check {
	return []Check{
		{Section: "D.preview", Name: "digest-names-the-mail",
			Says: "Equal mails have equal digests, other mails have others.",
			Run: func(p *probe) {
				first := p.send(dryRun()).is(200).text("digest")
				p.send(dryRun()).is(200).member("digest", first)
				p.send(postForm(contract.PathContact, "name=Ada+Lovelace&business=Analytical+Engines+Ltd&email=ada%40conform.example&message=Hello+there&dry_run=true")).is(200).member("digest", first)
				if other := p.send(postJSON(contract.PathContact, dryWith("message", `"Hello there!"`))).is(200); other.text("digest") == first {
					other.fail("another digest than %s", first)
				}
			}},
		{Section: "D.preview", Name: "wrong-preview-is-refused", Risky: true,
			Says: "A real send whose preview is another mail's is 400 naming preview, and nothing is sent.",
			Run: func(p *probe) {
				digest := strings.Repeat("0", 64)
				p.send(postJSON(contract.PathContact, `{`+validFields+`,"preview":"`+digest+`"}`)).problem(contract.InvalidRequest).blames(contract.FieldPreview)
			}},
		one("D.idempotency", "dry-run-ignores-the-key", "A dry run ignores Idempotency-Key.",
			dryRun(`Idempotency-Key: "conform-dry"`), preview),
	}
}

// preview expects the answer to a dry run.
func preview(a *answer) {
	a.is(200).kind(contract.TypeJSON).member("ok", true).member("dry_run", true)
	for _, field := range []string{"name", "business", "email", "message"} {
		a.text("would_send." + field)
	}
}
