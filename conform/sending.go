package conform

import (
	"slices"
	"strings"

	"frontdesk/contract"
)

// sending are the sentences on pilot requests that are sent for real.
func sending() []Check {
	return slices.Concat(accepted(), sendLimits(), undelivered(), previewLock())
}

func accepted() []Check {
	return []Check{
		{Section: "4.contact", Name: "real-send-is-accepted", Sends: 1,
			Says: "Without dry_run, 200 means that the inquiry is accepted.",
			Run:  func(p *probe) { acceptedAs(p.send(realSend(contract.PathContact, realJSON(p.mark(), "")))) }},
		{Section: "9.5", Name: "real-send-by-the-alias", Sends: 1, Says: "POST /api/contact keeps working.",
			Run: func(p *probe) { acceptedAs(p.send(realSend(contract.PathContactAlias, realJSON(p.mark(), "")))) }},
		{Section: "4.contact", Name: "real-send-as-a-form", Sends: 1,
			Says: "The body of a real send may be form-encoded; dry_run=false is a real send.",
			Run: func(p *probe) {
				r := postForm(contract.PathContact, "name=Conformance&business=frontdesk+conform&message=Nothing+to+do.&dry_run=false&email="+p.mark()+"%40conform.example")
				r.takes = contract.ContactPolicy.Name
				acceptedAs(p.send(r))
			}},
		{Section: "4.mcp", Name: "request-pilot-sends", Sends: 1, Mail: true,
			Says: "request_pilot without dry_run emails a person, like POST /v1/contact.",
			Run: func(p *probe) {
				mark := p.mark()
				p.send(realCall(realJSON(mark, ""))).is(200).member("result.structuredContent.status", "accepted").has(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
				p.oneMail(mark)
			}},
		{Section: "6", Name: "real-send-mails-once", Sends: 1, Mail: true,
			Says: "The only outbound effect is the email to a person on a real contact send: one.",
			Run: func(p *probe) {
				mark := p.mark()
				p.send(realSend(contract.PathContact, realJSON(mark, ""))).is(200)
				p.oneMail(mark)
			}},
		{Section: "3", Name: "dry-run-mails-nothing", Sends: 1, Mail: true,
			Says: "A request with dry_run true sends nothing; without it, a contact request emails a person.",
			Run: func(p *probe) {
				dry, real := newMark(), p.mark()
				p.send(postJSON(contract.PathContact, realJSON(dry, `,"dry_run":true`))).is(200)
				p.send(call("request_pilot", realJSON(dry, `,"dry_run":true`))).is(200)
				// The real send behind them has arrived when theirs would have.
				p.send(realSend(contract.PathContact, realJSON(real, ""))).is(200)
				p.oneMail(real)
				p.noMail(dry)
			}},
		{Section: "3", Name: "nothing-was-mailed-by-mistake", Mail: true, Final: true,
			Says: "Of this whole run, only real sends were mailed: no dry run and nothing that was refused.",
			Run: func(p *probe) {
				for _, m := range p.run.options.Sink.with("@conform.example") {
					if !p.run.marks.isIn(m.data) {
						p.expected("no mail of a request that is a dry run or not valid", m.shown())
					}
				}
			}},
	}
}

// acceptedAs expects the answer to a real send.
func acceptedAs(a *answer) *answer {
	a.is(200).kind(contract.TypeJSON).member("ok", true).member("status", "accepted").has(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
	a.text("id")
	a.text("message")
	return a
}

// realCall is request_pilot for real.
func realCall(arguments string) request {
	r := call("request_pilot", arguments)
	r.takes = contract.ContactPolicy.Name
	return r
}

func sendLimits() []Check {
	return []Check{
		{Section: "8.1", Name: "the-fourth-send-is-refused", Sends: 4, Rude: true,
			Says: `Three real sends in 60 seconds; then 429 with Retry-After and RateLimit: "contact";r=0.`,
			Run: func(p *probe) {
				for left := 2; left >= 0; left-- {
					acceptedAs(p.send(realSend(contract.PathContact, realJSON(p.mark(), "")))).has(contract.HeaderRateLimit, contract.ContactPolicy.Remaining(left))
				}
				refusedFor(p.send(realSend(contract.PathContact, realJSON(newMark(), ""))), contract.ContactPolicy)
				preview(p.send(dryRun())) // which the limit does not concern
			}},
		{Section: "8", Name: "sends-share-the-limit", Sends: 6, Rude: true,
			Says: "POST /v1/contact, POST /api/contact and request_pilot share one limit.",
			Run: func(p *probe) {
				p.send(realSend(contract.PathContact, realJSON(p.mark(), ""))).has(contract.HeaderRateLimit, `"contact";r=2`)
				p.send(realSend(contract.PathContactAlias, realJSON(p.mark(), ""))).has(contract.HeaderRateLimit, `"contact";r=1`)
				p.send(realCall(realJSON(p.mark(), ""))).is(200).has(contract.HeaderRateLimit, `"contact";r=0`)
				refused := realJSON(newMark(), "")
				refusedFor(p.send(realSend(contract.PathContactAlias, refused)), contract.ContactPolicy)
				refusedFor(p.send(realSend(contract.PathContact, refused)), contract.ContactPolicy)
				refusedFor(p.send(realCall(refused)), contract.ContactPolicy)
			}},
		{Section: "D.rules", Name: "invalid-sends-take-no-slot", Sends: 1, Rude: true,
			Says: "Contact takes a slot for a valid real send alone.",
			Run: func(p *probe) {
				for range 4 {
					p.send(postJSON(contract.PathContact, dryWith("email", `"x"`))).problem(contract.InvalidRequest).lacks(contract.HeaderRateLimit)
					p.send(dryRun()).is(200)
					p.send(dryRun("Origin: https://evil.example")).is(403)
					p.send(postJSON(contract.PathContact, padded(dryJSON(""), 9000))).is(413)
				}
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(p.mark(), "")))).has(contract.HeaderRateLimit, `"contact";r=2`)
			}},
		{Section: "D.limits", Name: "asks-and-sends-are-counted-apart", Sends: 1, Asks: 1, Rude: true,
			Says: "Each policy counts for itself.",
			Run: func(p *probe) {
				p.send(ask(p.question())).is(200).has(contract.HeaderRateLimit, `"ask";r=4`)
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(p.mark(), "")))).has(contract.HeaderRateLimit, `"contact";r=2`)
			}},
	}
}

func undelivered() []Check {
	return []Check{
		{Section: "7", Name: "bad-gateway", Sends: 1, Mail: true,
			Says: "502 bad_gateway: the email delivery service for contact requests failed; retry after a minute.",
			Run: func(p *probe) {
				mark := p.mark()
				p.run.options.Sink.refuse(mark)
				a := p.send(failing(realSend(contract.PathContact, realJSON(mark, "")))).problem(contract.BadGateway).has(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
				if !strings.Contains(a.text("hint"), "after a minute") {
					a.fail("a hint to retry after a minute")
				}
				p.noMail(mark)
			}},
		{Section: "D.mcp", Name: "request-pilot-fails-as-a-result", Sends: 1, Mail: true,
			Says: "A mail failure in request_pilot is a result with isError true that holds the problem record.",
			Run: func(p *probe) {
				mark := p.mark()
				p.run.options.Sink.refuse(mark)
				a := p.send(failing(realCall(realJSON(mark, "")))).is(200).member("result.isError", true)
				if !containsAll(a.text("result.content.0.text"), `"code":"bad_gateway"`, `"status":502`) {
					a.fail("the problem record as text")
				}
			}},
		{Section: "D.rules", Name: "failed-sends-take-a-slot", Sends: 2, Mail: true, Rude: true,
			Says: "Contact takes a slot for a valid real send, also when delivery then fails.",
			Run: func(p *probe) {
				mark := p.mark()
				p.run.options.Sink.refuse(mark)
				p.send(failing(realSend(contract.PathContact, realJSON(mark, "")))).problem(contract.BadGateway).has(contract.HeaderRateLimit, `"contact";r=2`)
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(p.mark(), "")))).has(contract.HeaderRateLimit, `"contact";r=1`)
			}},
	}
}

// failing marks a request whose delivery the check makes fail.
func failing(r request) request {
	r.provoked = true
	return r
}

func previewLock() []Check {
	return []Check{
		{Section: "D.preview", Name: "previewed-send-is-sent", Sends: 1, Mail: true,
			Says: "A real send may carry the digest of its dry run as preview: then exactly that mail is sent.",
			Run: func(p *probe) {
				mark := p.mark()
				dry := p.send(postJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`))).is(200)
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(mark, `,"preview":`+compact(dry.text("digest"))))))
				p.oneMail(mark)
			}},
		{Section: "D.preview", Name: "changed-send-is-refused", Sends: 1, Mail: true,
			Says: "When the mail would differ by a byte it is 400 naming preview, and nothing is sent.",
			Run: func(p *probe) {
				mark, changed := newMark(), newMark()
				dry := p.send(postJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`))).is(200)
				p.send(realSend(contract.PathContact, realJSON(changed, `,"preview":`+compact(dry.text("digest"))))).problem(contract.InvalidRequest).blames("preview")
				p.noMail(changed)
			}},
	}
}
