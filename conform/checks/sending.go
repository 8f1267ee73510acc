package checks

import (
	"mime"
	netmail "net/mail"
	"strings"

	"frontdesk/contract"
)

// accepted expects the answer to a real send.
var accepted = all(servesJSON, hasMember("ok", true), hasMember("status", "accepted"),
	hasTexts("id", "message"))

// sending adds the checks of pilot requests that are sent for real.
func sending(l *list) {
	l.one("4.contact", "real-send-is-accepted", "Without dry_run, 200 means that the inquiry is accepted.", realSend,
		accepted, hasPolicy(l.contact))
	l.one("9.5", "real-send-by-the-alias", "POST /api/contact keeps working.", realAlias, accepted)
	l.one("4.contact", "real-send-as-a-form", "The body of a real send may be form-encoded; dry_run=false is a real send.",
		forReal(contactForm(
			"name=Conformance&business=frontdesk+conform&message=Nothing+to+do.&dry_run=false&email={mark}%40conform.example")),
		accepted)
	l.mailed("6", "real-send-mails-once", "The only outbound effect is the email to a person on a real send, also by "+
		"request_pilot: one.", send(realSend, isOK, mailedOnce),
		send(realCall, isOK, gives("status", "accepted"), hasPolicy(l.contact), mailedOnce))
	dryMark := contact(realJSON("{other}", `,"dry_run":true`))
	// When the mail of the real send arrives, mails of the dry runs would have arrived.
	l.mailed("3", "dry-run-mails-nothing",
		"A request with dry_run true sends nothing; without it, a contact request emails a person.",
		send(dryMark, isOK), send(callPilot(dryMark.Body), isOK),
		send(realSend, isOK, mailedOnce, func(a *answer) { mailedNothing(a.Probe.FirstAnswer) }))
	body := realJSON("{other}", "")
	l.onLoopback("8", "sends-share-the-limit",
		"POST /v1/contact, POST /api/contact and request_pilot share one limit. When it is exceeded: 429 with Retry-After "+
			`and RateLimit: "contact";r=0; a dry run has no limit.`,
		append(useUp(l.contact, realSend, realAlias, realCall), sendAll(isRefusal(l.contact), forReal(contact(body)),
			forReal(post("/api/contact", body)), forReal(callPilot(body))), send(dryRun(), preview))...)
	l.onLoopback("D.rules", "invalid-sends-take-no-slot",
		"Contact takes a slot only for a valid real send, and not of ask.",
		send(contact(dryWith("email", `"x"`)), refused(), lacksHeader("RateLimit")), send(dryRun(), isOK),
		send(dryRun(evil), statusIs(403)), send(contact(padded(dryJSON(""), 9000)), statusIs(413)),
		send(realSend, accepted, taken(l.contact, 1)), send(ask(known), isOK, taken(l.ask, 1)))

	l.one("7", "bad-gateway", "502 bad_gateway: the email delivery service for contact requests failed; retry after a "+
		"minute.", failing(realSend), isProblem(contract.BadGateway), hasPolicy(l.contact),
		memberContains("hint", "after a minute"), mailedNothing)
	l.one("D.mcp", "request-pilot-fails-as-a-result",
		"A mail failure in request_pilot is a result with isError true that holds the problem record.",
		failing(realCall), isOK, hasMember("result.isError", true),
		memberContains("result.content.0.text", `"code":"bad_gateway"`, `"status":502`))
	l.onLoopback("D.rules", "failed-sends-take-a-slot",
		"Contact takes a slot for a valid real send even if the delivery then fails.",
		send(failing(realSend), isProblem(contract.BadGateway), taken(l.contact, 1)),
		send(realSend, accepted, taken(l.contact, 2)))

	l.mailed("D.preview", "previewed-send-is-sent",
		"A real send may carry the digest of its dry run as preview: then exactly that mail is sent. When the mail would "+
			"differ by a byte it is 400 naming preview, and nothing is sent.",
		send(contact(realJSON("{same}", `,"dry_run":true`)), isOK, hasTexts("digest")),
		send(filed("{mark}", `,"preview":"{first.digest}"`), refused("preview"), mailedNothing),
		send(filed("{same}", `,"preview":"{first.digest}"`), accepted, mailedOnce))
}

func mails(l *list) {
	l.one("D.contact", "mail-has-its-headers",
		"The mail: To the owner, From the configured address, Reply-To the requester, plain text, Message-ID and Date set.",
		realSend, isOK, func(a *answer) {
			p, mark := a.Probe, markOf(a.Request)
			m := p.OneMail(mark)
			header := p.OpenMail(m).Header
			kind, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
			reply, err := netmail.ParseAddress(header.Get("Reply-To"))
			if err != nil || reply.Address != mark+"@conform.example" || kind != "text/plain" ||
				header.Get("Message-Id") == "" || header.Get("Date") == "" ||
				!m.GoesTo(header) || strings.Contains(header.Get("From"), mark) {
				p.Fail("From, Reply-To "+mark+"@conform.example, text/plain, Message-ID, Date, and the recipients of To",
					m.Shown())
			}
		}).NeedsMail = true
	for _, nasty := range []struct{ name, who, business, message string }{
		{"international", "Zoë 李 Ωμέγα", "Bäckerei Müller 🥐", "Grüße\n\tשלום \u202eabc\u202c\n"},
		{"dots", "Ada", "AE", "Hi\r\n.\r\nMAIL FROM:<eve@conform.example>\r\n..\r\n.x"},
		{"headers", `"Support" <support@conform.example>,`, "=?utf-8?q?Bcc:?= eve" + strings.Repeat("Ä", 150),
			"Bcc: eve@conform.example\n--b\nFrom eve\n=3D= \n" + strings.Repeat("w", 1200)},
	} {
		fields := `{"name":` + encode(nasty.who) + `,"business":` + encode(nasty.business) +
			`,"email":"{same}@conform.example","message":` + encode(nasty.message)
		l.mailed("D.contact", "mail-is-the-preview-"+nasty.name,
			"would_send has subject and text of the mail that a real send makes, with any text in it.",
			send(contact(fields+`,"dry_run":true}`), isOK),
			send(forReal(contact(fields+`}`)), isOK, func(a *answer) {
				a.Probe.SameMail(a.Probe.OneMail(markOf(a.Request)), a.Probe.FirstAnswer)
			}))
	}
}

// idempotent adds the checks of the header Idempotency-Key (IETF draft).
func idempotent(l *list) {
	const sameKey = `Idempotency-Key: "{other}"`
	same, another := filed("{same}", "", sameKey), filed("{mark}", "", sameKey)
	byArgument, byHeader := forReal(callPilot(realJSON("{same}", `,"idempotency_key":"{other}"`))),
		forReal(callPilot(realJSON("{same}", ""), sameKey))

	l.mailed("D.idempotency", "same-key-same-answer",
		"The same key and payload within 24 h gives the first answer and sends nothing, also as the argument "+
			"idempotency_key on /mcp.",
		send(same, accepted), send(forReal(post("/api/contact", same.Body, sameKey)), isOK, sameBody),
		send(byArgument, isOK, resultIsFirst, mailedOnce))
	l.onLoopback("D.idempotency", "same-key-takes-no-slot",
		"A repeated request takes no slot of the limit. The header counts on /mcp too.",
		repeat(l.contact.Quota+1, same), send(byHeader, isOK, resultIsFirst),
		send(realSend, isOK, taken(l.contact, 2)))
	l.mailed("D.idempotency", "same-key-other-payload",
		"The same key with another payload is 400 naming the header, and nothing is sent.",
		send(same, isOK), send(filed("{same}", `,"phone":"1"`, sameKey), refused("Idempotency-Key"), mailedOnce))
	l.mailed("D.idempotency", "same-key-other-address",
		"A key is scoped by the e-mail address of its request: a guessed key neither blocks a request nor reveals one.",
		send(another, isOK), send(another, isOK, otherMember("id"), mailedOnce))
	l.mailed("D.idempotency", "dry-run-leaves-the-key", "A dry run ignores the key: the real send after it is sent.",
		send(contact(realJSON("{same}", `,"dry_run":true`), sameKey), preview),
		send(same, accepted, mailedOnce))
	l.several("D.idempotency", "failed-send-is-resumed",
		"After a 502 the same key resumes the same inquiry under the same Message-ID.",
		send(failing(same), isProblem(contract.BadGateway), func(a *answer) {
			a.Probe.Options.Sink.Allow(markOf(a.Request))
		}),
		send(same, accepted, func(a *answer) {
			p := a.Probe
			refused, sent := p.Options.Sink.Mails(markOf(a.Request), true), p.OneMail(markOf(a.Request))
			id := p.OpenMail(sent).Header.Get("Message-Id")
			if len(refused) == 0 || p.OpenMail(refused[0]).Header.Get("Message-Id") != id {
				p.Fail("the Message-ID of the mail that was refused", sent.Shown())
			}
		}))
	l.countedRun("D.idempotency", "second-request-waits-for-the-first",
		"A second request while the first runs waits for its answer: one mail, one id.", l.contact, l.contact.Quota,
		func(p *probe) {
			ids, r := map[string]bool{}, filler(p)(same)
			for _, a := range p.SendAtOnce(l.contact.Quota, r) {
				if a.Status == 0 {
					p.Fail("an answer to each request", "a connection that was closed without one")
				}
				isOK(a)
				ids[a.Text("id")] = true
			}
			if len(ids) != 1 {
				p.Fail("one id in all answers", encode(ids))
			}
			p.OneMail(markOf(r))
		}).NeedsMail = true
}
