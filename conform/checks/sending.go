package checks

import (
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// sending returns the checks of pilot requests that are sent for real.
func sending() []conform.Check {
	return slices.Concat(sends(), sendLimits(), undelivered(), previewLock())
}

func sends() []conform.Check {
	form := conform.PostForm(contract.PathContact, "name=Conformance&business=frontdesk+conform&message=Nothing+to+do.&dry_run=false&email={mark}%40conform.example")
	form.Uses = contract.ContactPolicy.Name
	return []conform.Check{
		one("4.contact", "real-send-is-accepted", "Without dry_run, 200 means that the inquiry is accepted.", real(), accepted),
		one("9.5", "real-send-by-the-alias", "POST /api/contact keeps working.",
			realSend(contract.PathContactAlias, realJSON("{mark}", "")), accepted),
		one("4.contact", "real-send-as-a-form", "The body of a real send may be form-encoded; dry_run=false is a real send.", form, accepted),
		needsMail(one("4.mcp", "request-pilot-sends", "request_pilot without dry_run emails a person, like POST /v1/contact.",
			realCall(realJSON("{mark}", "")), isOK, hasMember("result.structuredContent.status", "accepted"), hasContactPolicy, mailedOnce)),
		needsMail(one("6", "real-send-mails-once", "The only outbound effect is the email to a person on a real contact send: one.",
			real(), isOK, mailedOnce)),
		{Section: "3", Name: "dry-run-mails-nothing", Sends: 1, NeedsMail: true,
			Sentence: "A request with dry_run true sends nothing; without it, a contact request emails a person.",
			Run: func(p *conform.Probe) {
				dry, real := conform.NewMark(), p.RealMark()
				p.Send(conform.PostJSON(contract.PathContact, realJSON(dry, `,"dry_run":true`)), isOK)
				p.Send(call("request_pilot", realJSON(dry, `,"dry_run":true`)), isOK)
				// When the mail of this real send arrives, mails of the dry runs would have arrived.
				p.Send(realSend(contract.PathContact, realJSON(real, "")), isOK)
				p.OneMail(real)
				p.NoMail(dry)
			}},
		{Section: "3", Name: "nothing-was-mailed-by-mistake", NeedsMail: true, Final: true,
			Sentence: "In the whole run only real sends were mailed, no dry run and no refused request.",
			Run: func(p *conform.Probe) {
				for _, m := range p.Sink().Holding("@conform.example") {
					if !p.IsFromRealSend(m) {
						p.Fail("no mail of a request that is a dry run or not valid", m.Shown())
					}
				}
			}},
	}
}

// accepted expects the answer to a real send.
var accepted = all(serves(contract.TypeJSON), hasMember("ok", true), hasMember("status", "accepted"), hasContactPolicy, hasTexts("id", "message"))

// realCall is request_pilot for real.
func realCall(arguments string) conform.Request {
	r := call("request_pilot", arguments)
	r.Uses = contract.ContactPolicy.Name
	return r
}

func sendLimits() []conform.Check {
	refused := []conform.Request{realSend(contract.PathContactAlias, realJSON("{dry}", "")), realSend(contract.PathContact, realJSON("{dry}", "")), realCall(realJSON("{dry}", ""))}
	invalid := []step{
		send(conform.PostJSON(contract.PathContact, dryWith("email", `"x"`)), isProblem(contract.InvalidRequest), lacksHeader(contract.HeaderRateLimit)),
		send(dryRun(), isOK),
		send(dryRun("Origin: https://evil.example"), statusIs(403)),
		send(conform.PostJSON(contract.PathContact, padded(dryJSON(""), 9000)), statusIs(413)),
	}
	return []conform.Check{
		loopbackOnly(several("8.1", "the-fourth-send-is-refused", `Three real sends in 60 seconds; then 429 with Retry-After and RateLimit: "contact";r=0.`,
			send(real(), accepted, left("contact", 2)),
			send(real(), accepted, left("contact", 1)),
			send(real(), accepted, left("contact", 0)),
			send(refused[1], isRefusal(contract.ContactPolicy)),
			send(dryRun(), preview))), // has no limit
		loopbackOnly(several("8", "sends-share-the-limit", "POST /v1/contact, POST /api/contact and request_pilot share one limit.",
			send(real(), left("contact", 2)),
			send(realSend(contract.PathContactAlias, realJSON("{mark}", "")), left("contact", 1)),
			send(realCall(realJSON("{mark}", "")), isOK, left("contact", 0)),
			send(refused[0], isRefusal(contract.ContactPolicy)),
			send(refused[1], isRefusal(contract.ContactPolicy)),
			send(refused[2], isRefusal(contract.ContactPolicy)))),
		loopbackOnly(several("D.rules", "invalid-sends-take-no-slot", "Contact takes a slot only for a valid real send.",
			append(slices.Repeat(invalid, 4), send(real(), accepted, left("contact", 2)))...)),
		loopbackOnly(several("D.limits", "asks-and-sends-are-counted-apart", "Each policy counts separately.",
			send(ask(known), isOK, left("ask", 4)),
			send(real(), accepted, left("contact", 2)))),
	}
}

func undelivered() []conform.Check {
	return []conform.Check{
		needsMail(one("7", "bad-gateway", "502 bad_gateway: the email delivery service for contact requests failed; retry after a minute.",
			failing(real()), isProblem(contract.BadGateway), hasContactPolicy, func(a *conform.Answer) {
				if !strings.Contains(a.Text("hint"), "after a minute") {
					a.Fail("a hint to retry after a minute")
				}
			}, mailedNothing)),
		needsMail(one("D.mcp", "request-pilot-fails-as-a-result", "A mail failure in request_pilot is a result with isError true that holds the problem record.",
			failing(realCall(realJSON("{mark}", ""))), isOK, hasMember("result.isError", true), func(a *conform.Answer) {
				if !conform.ContainsAll(a.Text("result.content.0.text"), `"code":"bad_gateway"`, `"status":502`) {
					a.Fail("the problem record as text")
				}
			})),
		loopbackOnly(needsMail(several("D.rules", "failed-sends-take-a-slot", "Contact takes a slot for a valid real send even if the delivery then fails.",
			send(failing(real()), isProblem(contract.BadGateway), left("contact", 2)),
			send(real(), accepted, left("contact", 1))))),
	}
}

func previewLock() []conform.Check {
	return []conform.Check{
		{Section: "D.preview", Name: "previewed-send-is-sent", Sends: 1, NeedsMail: true,
			Sentence: "A real send may carry the digest of its dry run as preview: then exactly that mail is sent.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Send(realSend(contract.PathContact, realJSON(mark, previewOfDryRun(p, mark))), accepted)
				p.OneMail(mark)
			}},
		{Section: "D.preview", Name: "changed-send-is-refused", Sends: 1, NeedsMail: true,
			Sentence: "When the mail would differ by a byte it is 400 naming preview, and nothing is sent.",
			Run: func(p *conform.Probe) {
				changed := conform.NewMark()
				p.Send(realSend(contract.PathContact, realJSON(changed, previewOfDryRun(p, conform.NewMark()))), isProblem(contract.InvalidRequest, "preview"))
				p.NoMail(changed)
			}},
	}
}

// previewOfDryRun returns the member preview with the digest of a dry run.
func previewOfDryRun(p *conform.Probe, mark string) string {
	dry := p.Send(conform.PostJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`)), isOK)
	return `,"preview":` + conform.EncodeJSON(dry.Text("digest"))
}
