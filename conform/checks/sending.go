package checks

import (
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// sending returns the checks of pilot requests that are sent for real.
func sending() []conform.Check {
	return slices.Concat(accepted(), sendLimits(), undelivered(), previewLock())
}

func accepted() []conform.Check {
	return []conform.Check{
		{Section: "4.contact", Name: "real-send-is-accepted", Sends: 1,
			Sentence: "Without dry_run, 200 means that the inquiry is accepted.",
			Run:      func(p *conform.Probe) { acceptedAs(p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), "")))) }},
		{Section: "9.5", Name: "real-send-by-the-alias", Sends: 1, Sentence: "POST /api/contact keeps working.",
			Run: func(p *conform.Probe) {
				acceptedAs(p.Send(realSend(contract.PathContactAlias, realJSON(p.RealMark(), ""))))
			}},
		{Section: "4.contact", Name: "real-send-as-a-form", Sends: 1,
			Sentence: "The body of a real send may be form-encoded; dry_run=false is a real send.",
			Run: func(p *conform.Probe) {
				r := conform.PostForm(contract.PathContact, "name=Conformance&business=frontdesk+conform&message=Nothing+to+do.&dry_run=false&email="+p.RealMark()+"%40conform.example")
				r.Uses = contract.ContactPolicy.Name
				acceptedAs(p.Send(r))
			}},
		{Section: "4.mcp", Name: "request-pilot-sends", Sends: 1, NeedsMail: true,
			Sentence: "request_pilot without dry_run emails a person, like POST /v1/contact.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Send(realCall(realJSON(mark, ""))).HasStatus(200).HasMember("result.structuredContent.status", "accepted").HasHeader(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
				p.OneMail(mark)
			}},
		{Section: "6", Name: "real-send-mails-once", Sends: 1, NeedsMail: true,
			Sentence: "The only outbound effect is the email to a person on a real contact send: one.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Send(realSend(contract.PathContact, realJSON(mark, ""))).HasStatus(200)
				p.OneMail(mark)
			}},
		{Section: "3", Name: "dry-run-mails-nothing", Sends: 1, NeedsMail: true,
			Sentence: "A request with dry_run true sends nothing; without it, a contact request emails a person.",
			Run: func(p *conform.Probe) {
				dry, real := conform.NewMark(), p.RealMark()
				p.Send(conform.PostJSON(contract.PathContact, realJSON(dry, `,"dry_run":true`))).HasStatus(200)
				p.Send(call("request_pilot", realJSON(dry, `,"dry_run":true`))).HasStatus(200)
				// When the mail of this real send arrives, mails of the dry runs would have arrived.
				p.Send(realSend(contract.PathContact, realJSON(real, ""))).HasStatus(200)
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

// acceptedAs expects the answer to a real send.
func acceptedAs(a *conform.Answer) *conform.Answer {
	a.HasStatus(200).HasType(contract.TypeJSON).HasMember("ok", true).HasMember("status", "accepted").HasHeader(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
	a.Text("id")
	a.Text("message")
	return a
}

// realCall is request_pilot for real.
func realCall(arguments string) conform.Request {
	r := call("request_pilot", arguments)
	r.Uses = contract.ContactPolicy.Name
	return r
}

func sendLimits() []conform.Check {
	return []conform.Check{
		{Section: "8.1", Name: "the-fourth-send-is-refused", Sends: 4, LoopbackOnly: true,
			Sentence: `Three real sends in 60 seconds; then 429 with Retry-After and RateLimit: "contact";r=0.`,
			Run: func(p *conform.Probe) {
				for left := 2; left >= 0; left-- {
					acceptedAs(p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), "")))).HasHeader(contract.HeaderRateLimit, contract.ContactPolicy.Remaining(left))
				}
				refusedFor(p.Send(realSend(contract.PathContact, realJSON(conform.NewMark(), ""))), contract.ContactPolicy)
				preview(p.Send(dryRun())) // has no limit
			}},
		{Section: "8", Name: "sends-share-the-limit", Sends: 6, LoopbackOnly: true,
			Sentence: "POST /v1/contact, POST /api/contact and request_pilot share one limit.",
			Run: func(p *conform.Probe) {
				p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), ""))).HasHeader(contract.HeaderRateLimit, `"contact";r=2`)
				p.Send(realSend(contract.PathContactAlias, realJSON(p.RealMark(), ""))).HasHeader(contract.HeaderRateLimit, `"contact";r=1`)
				p.Send(realCall(realJSON(p.RealMark(), ""))).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"contact";r=0`)
				refused := realJSON(conform.NewMark(), "")
				refusedFor(p.Send(realSend(contract.PathContactAlias, refused)), contract.ContactPolicy)
				refusedFor(p.Send(realSend(contract.PathContact, refused)), contract.ContactPolicy)
				refusedFor(p.Send(realCall(refused)), contract.ContactPolicy)
			}},
		{Section: "D.rules", Name: "invalid-sends-take-no-slot", Sends: 1, LoopbackOnly: true,
			Sentence: "Contact takes a slot only for a valid real send.",
			Run: func(p *conform.Probe) {
				for range 4 {
					p.Send(conform.PostJSON(contract.PathContact, dryWith("email", `"x"`))).IsProblem(contract.InvalidRequest).LacksHeader(contract.HeaderRateLimit)
					p.Send(dryRun()).HasStatus(200)
					p.Send(dryRun("Origin: https://evil.example")).HasStatus(403)
					p.Send(conform.PostJSON(contract.PathContact, padded(dryJSON(""), 9000))).HasStatus(413)
				}
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), "")))).HasHeader(contract.HeaderRateLimit, `"contact";r=2`)
			}},
		{Section: "D.limits", Name: "asks-and-sends-are-counted-apart", Sends: 1, Asks: 1, LoopbackOnly: true,
			Sentence: "Each policy counts separately.",
			Run: func(p *conform.Probe) {
				p.Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"ask";r=4`)
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), "")))).HasHeader(contract.HeaderRateLimit, `"contact";r=2`)
			}},
	}
}

func undelivered() []conform.Check {
	return []conform.Check{
		{Section: "7", Name: "bad-gateway", Sends: 1, NeedsMail: true,
			Sentence: "502 bad_gateway: the email delivery service for contact requests failed; retry after a minute.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Sink().Refuse(mark)
				a := p.Send(failing(realSend(contract.PathContact, realJSON(mark, "")))).IsProblem(contract.BadGateway).HasHeader(contract.HeaderRateLimitPolicy, `"contact";q=3;w=60`)
				if !strings.Contains(a.Text("hint"), "after a minute") {
					a.Fail("a hint to retry after a minute")
				}
				p.NoMail(mark)
			}},
		{Section: "D.mcp", Name: "request-pilot-fails-as-a-result", Sends: 1, NeedsMail: true,
			Sentence: "A mail failure in request_pilot is a result with isError true that holds the problem record.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Sink().Refuse(mark)
				a := p.Send(failing(realCall(realJSON(mark, "")))).HasStatus(200).HasMember("result.isError", true)
				if !conform.ContainsAll(a.Text("result.content.0.text"), `"code":"bad_gateway"`, `"status":502`) {
					a.Fail("the problem record as text")
				}
			}},
		{Section: "D.rules", Name: "failed-sends-take-a-slot", Sends: 2, NeedsMail: true, LoopbackOnly: true,
			Sentence: "Contact takes a slot for a valid real send even if the delivery then fails.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				p.Sink().Refuse(mark)
				p.Send(failing(realSend(contract.PathContact, realJSON(mark, "")))).IsProblem(contract.BadGateway).HasHeader(contract.HeaderRateLimit, `"contact";r=2`)
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), "")))).HasHeader(contract.HeaderRateLimit, `"contact";r=1`)
			}},
	}
}

// failing marks a request whose delivery the check will make fail.
func failing(r conform.Request) conform.Request {
	r.FailsDelivery = true
	return r
}

func previewLock() []conform.Check {
	return []conform.Check{
		{Section: "D.preview", Name: "previewed-send-is-sent", Sends: 1, NeedsMail: true,
			Sentence: "A real send may carry the digest of its dry run as preview: then exactly that mail is sent.",
			Run: func(p *conform.Probe) {
				mark := p.RealMark()
				dry := p.Send(conform.PostJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`))).HasStatus(200)
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(mark, `,"preview":`+conform.EncodeJSON(dry.Text("digest"))))))
				p.OneMail(mark)
			}},
		{Section: "D.preview", Name: "changed-send-is-refused", Sends: 1, NeedsMail: true,
			Sentence: "When the mail would differ by a byte it is 400 naming preview, and nothing is sent.",
			Run: func(p *conform.Probe) {
				mark, changed := conform.NewMark(), conform.NewMark()
				dry := p.Send(conform.PostJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`))).HasStatus(200)
				p.Send(realSend(contract.PathContact, realJSON(changed, `,"preview":`+conform.EncodeJSON(dry.Text("digest"))))).IsProblem(contract.InvalidRequest).NamesField("preview")
				p.NoMail(changed)
			}},
	}
}
