package checks

import (
	"frontdesk/conform"
	"frontdesk/contract"
)

// idempotent adds the checks of the header Idempotency-Key (IETF draft).
func idempotent(l *list) {
	const sameKey, newKey = `Idempotency-Key: "{dry}"`, `Idempotency-Key: "{new}"`
	file := func(mark, members, key string) conform.Request { return forReal(contact(realJSON(mark, members), key)) }
	same := file("{same}", "", sameKey)
	byArgument, byHeader := forReal(call("request_pilot", realJSON("{same}", `,"idempotency_key":"{dry}"`))), forReal(call("request_pilot", realJSON("{same}", "")))
	byHeader.Header = append(byHeader.Header, sameKey)

	l.several("D.idempotency", "same-key-same-answer", "The same key and payload within 24 h gives the first answer and sends nothing.",
		send(same, accepted), send(same, isOK, sameMember("id"), sameBody("the first answer: {first}")),
		send(forReal(conform.PostJSON(contract.PathContactAlias, same.Body, sameKey)), isOK, sameMember("id"), mailedOnce)).NeedsMail = true
	l.several("D.idempotency", "same-key-takes-no-slot", "A repeated request takes no slot of the limit.",
		repeat(4, same, isOK), send(realSend, isOK, left("contact", 1))).LoopbackOnly = true
	l.several("D.idempotency", "same-key-other-payload", "The same key with another payload is 400 naming the header, and nothing is sent.",
		send(same, isOK), send(file("{same}", `,"phone":"1"`, sameKey), refused("Idempotency-Key"), mailedOnce)).NeedsMail = true
	l.several("D.idempotency", "same-key-on-every-face", "A key works on /mcp too, as the argument idempotency_key or as the header, and gives the first answer.",
		send(same, accepted), send(byArgument, isOK, resultIsFirst), send(byHeader, isOK, resultIsFirst, mailedOnce)).NeedsMail = true
	l.several("D.idempotency", "same-key-other-address", "A key is scoped by the e-mail address of its request: a guessed key neither blocks a request nor reveals one.",
		send(file("{mark}", "", sameKey), isOK), send(file("{mark}", "", sameKey), isOK, otherMember("id", "another id"), mailedOnce)).NeedsMail = true
	l.several("D.idempotency", "other-key-is-another-request", "Another key is another request.",
		send(file("{same}", "", newKey), isOK), send(file("{same}", "", newKey), isOK, otherMember("id", "another id")))
	l.several("D.idempotency", "dry-run-leaves-the-key", "A dry run ignores the key: the real send after it is sent.",
		send(contact(realJSON("{same}", `,"dry_run":true`), sameKey), preview), send(same, accepted, mailedOnce)).NeedsMail = true
	l.several("D.idempotency", "failed-send-is-resumed", "After a 502 the same key resumes the same inquiry under the same Message-ID.",
		send(failing(same), isProblem(contract.BadGateway), func(a *conform.Answer) { a.Probe.Sink().Allow(markOf(a.Request)) }),
		send(same, accepted, func(a *conform.Answer) {
			p := a.Probe
			refused, sent := p.Sink().Mails(markOf(a.Request), true), p.OneMail(markOf(a.Request))
			if len(refused) == 0 || p.OpenMail(refused[0]).Header.Get("Message-Id") != p.OpenMail(sent).Header.Get("Message-Id") {
				p.Fail("the Message-ID of the mail that was refused", sent.Shown())
			}
		}))
	waits := l.run("D.idempotency", "second-request-waits-for-the-first", "A second request while the first runs waits for its answer: one mail, one id.", func(p *conform.Probe) {
		ids, r := map[string]bool{}, filler(p)(same)
		for _, a := range p.SendAtOnce(4, r) {
			if a == nil {
				p.Fail("four answers", "a connection that was closed without one")
			}
			isOK(a)
			ids[a.Text("id")] = true
		}
		if len(ids) != 1 {
			p.Fail("one id in all answers", conform.EncodeJSON(ids))
		}
		p.OneMail(markOf(r))
	})
	waits.Slots, waits.NeedsMail, waits.LoopbackOnly = slots(contract.ContactPolicy, 4), true, true
}
