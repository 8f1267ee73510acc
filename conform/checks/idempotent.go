package checks

import (
	"frontdesk/conform"
	"frontdesk/contract"
)

// idempotent returns the checks of the header Idempotency-Key (IETF draft).
func idempotent() []conform.Check {
	return []conform.Check{
		{Section: "D.idempotency", Name: "same-key-same-answer", Sends: 3, NeedsMail: true,
			Sentence: "The same key and payload within 24 h gives the first answer and sends nothing.",
			Run: func(p *conform.Probe) {
				mark, key := p.RealMark(), keyHeader()
				r := realSend(contract.PathContact, realJSON(mark, ""), key)
				first := p.Send(r, accepted)
				again := p.Send(r, isOK, hasMember("id", first.Text("id")))
				if string(again.Body) != string(first.Body) {
					again.Fail("the first answer: %s", first.Body)
				}
				p.Send(realSend(contract.PathContactAlias, realJSON(mark, ""), key), isOK, hasMember("id", first.Text("id")))
				p.OneMail(mark)
			}},
		loopbackOnly(several("D.idempotency", "same-key-takes-no-slot", "A repeated request takes no slot of the limit.",
			repeat(4, sameSend, isOK),
			send(real(), isOK, left("contact", 1)))),
		needsMail(several("D.idempotency", "same-key-other-payload", "The same key with another payload is 400 naming the header, and nothing is sent.",
			send(sameSend, isOK),
			send(realSend(contract.PathContact, realJSON("{same}", `,"phone":"1"`), sameKey), isProblem(contract.InvalidRequest, "Idempotency-Key"), mailedOnce))),
		{Section: "D.idempotency", Name: "same-key-on-every-face", Sends: 3, NeedsMail: true,
			Sentence: "A key works on /mcp too, as the argument idempotency_key or as the header, and gives the first answer.",
			Run: func(p *conform.Probe) {
				word, mark := conform.NewMark(), p.RealMark()
				header := `Idempotency-Key: "` + word + `"`
				first := p.Send(realSend(contract.PathContact, realJSON(mark, ""), header), accepted)
				byHeader := realCall(realJSON(mark, ""))
				byHeader.Header = append(byHeader.Header, header)
				for _, r := range []conform.Request{realCall(realJSON(mark, `,"idempotency_key":"`+word+`"`)), byHeader} {
					p.Send(r, isOK, hasMember("result.structuredContent", first.JSON()))
				}
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "same-key-other-address", Sends: 2, NeedsMail: true,
			Sentence: "A key is scoped by the e-mail address of its request: a guessed key neither blocks a request nor reveals one.",
			Run: func(p *conform.Probe) {
				key, mark := keyHeader(), p.RealMark()
				twoIDs(p, realSend(contract.PathContact, realJSON(p.RealMark(), ""), key), realSend(contract.PathContact, realJSON(mark, ""), key))
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "other-key-is-another-request", Sends: 2,
			Sentence: "Another key is another request.",
			Run: func(p *conform.Probe) {
				body := realJSON(p.RealMark(), "")
				twoIDs(p, realSend(contract.PathContact, body, keyHeader()), realSend(contract.PathContact, body, keyHeader()))
			}},
	}
}

// twoIDs expects that two requests are two inquiries.
func twoIDs(p *conform.Probe, one, other conform.Request) {
	first := p.Send(one, isOK)
	if second := p.Send(other, isOK); second.Text("id") == first.Text("id") {
		second.Fail("another id")
	}
}

// resumed returns the checks of keys of requests that failed, wait or were dry runs.
func resumed() []conform.Check {
	return []conform.Check{
		needsMail(several("D.idempotency", "dry-run-leaves-the-key", "A dry run ignores the key: the real send after it is sent.",
			send(conform.PostJSON(contract.PathContact, realJSON("{same}", `,"dry_run":true`), sameKey), preview),
			send(sameSend, accepted, mailedOnce))),
		{Section: "D.idempotency", Name: "failed-send-is-resumed", Sends: 2, NeedsMail: true,
			Sentence: "After a 502 the same key resumes the same inquiry under the same Message-ID.",
			Run: func(p *conform.Probe) {
				key, mark, sink := keyHeader(), p.RealMark(), p.Sink()
				sink.Refuse(mark)
				p.Send(failing(realSend(contract.PathContact, realJSON(mark, ""), key)), isProblem(contract.BadGateway))
				sink.Allow(mark)
				p.Send(realSend(contract.PathContact, realJSON(mark, ""), key), accepted)
				first, second := sink.Refused(mark), p.OneMail(mark)
				if len(first) == 0 || p.OpenMail(first[0]).Header.Get("Message-Id") != p.OpenMail(second).Header.Get("Message-Id") {
					p.Fail("the Message-ID of the mail that was refused", second.Shown())
				}
			}},
		{Section: "D.idempotency", Name: "second-request-waits-for-the-first", Sends: 4, NeedsMail: true, LoopbackOnly: true,
			Sentence: "A second request while the first runs waits for its answer: one mail, one id.",
			Run: func(p *conform.Probe) {
				mark, ids := p.RealMark(), map[string]bool{}
				for _, a := range p.SendAtOnce(4, realSend(contract.PathContact, realJSON(mark, ""), keyHeader())) {
					if a == nil {
						p.Fail("four answers", "a connection that was closed without one")
					}
					isOK(a)
					ids[a.Text("id")] = true
				}
				if len(ids) != 1 {
					p.Fail("one id in all answers", conform.EncodeJSON(ids))
				}
				p.OneMail(mark)
			}},
	}
}

// keyHeader returns a header with a new key, as a structured string like in the draft.
func keyHeader() string { return `Idempotency-Key: "` + conform.NewMark() + `"` }

// sameKey is a header with one new key for all requests of a check.
const sameKey = `Idempotency-Key: "{dry}"`

// sameSend is one request with that key.
var sameSend = realSend(contract.PathContact, realJSON("{same}", ""), sameKey)
