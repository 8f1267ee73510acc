package conform

import (
	"frontdesk/contract"
)

// idempotent are what was decided of the header Idempotency-Key (IETF draft).
func idempotent() []Check {
	return []Check{
		{Section: "D.idempotency", Name: "same-key-same-answer", Sends: 3, Mail: true,
			Says: "The same key and payload within 24 h gives the first answer and sends nothing.",
			Run: func(p *probe) {
				mark := p.mark()
				key := keyHeader()
				first := acceptedAs(p.send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				again := p.send(realSend(contract.PathContact, realJSON(mark, ""), key)).is(200).member("id", first.text("id"))
				if string(again.body) != string(first.body) {
					again.fail("the first answer: %s", first.body)
				}
				p.send(realSend(contract.PathContactAlias, realJSON(mark, ""), key)).is(200).member("id", first.text("id"))
				p.oneMail(mark)
			}},
		{Section: "D.idempotency", Name: "same-key-takes-no-slot", Sends: 5, Rude: true,
			Says: "A repeated request takes no slot of the limit.",
			Run: func(p *probe) {
				key, body := keyHeader(), realJSON(p.mark(), "")
				for range 4 {
					p.send(realSend(contract.PathContact, body, key)).is(200)
				}
				p.send(realSend(contract.PathContact, realJSON(p.mark(), ""))).is(200).has(contract.HeaderRateLimit, `"contact";r=1`)
			}},
		{Section: "D.idempotency", Name: "same-key-other-payload", Sends: 2, Mail: true,
			Says: "The same key with another payload is 400 naming the header, and nothing is sent.",
			Run: func(p *probe) {
				key, other := keyHeader(), newMark()
				p.send(realSend(contract.PathContact, realJSON(p.mark(), ""), key)).is(200)
				p.send(realSend(contract.PathContact, realJSON(other, ""), key)).problem(contract.InvalidRequest).blames("Idempotency-Key")
				p.noMail(other)
			}},
		{Section: "D.idempotency", Name: "other-key-is-another-request", Sends: 2,
			Says: "Another key is another request.",
			Run: func(p *probe) {
				body := realJSON(p.mark(), "")
				first := p.send(realSend(contract.PathContact, body, keyHeader())).is(200)
				if second := p.send(realSend(contract.PathContact, body, keyHeader())).is(200); second.text("id") == first.text("id") {
					second.fail("another id")
				}
			}},
	}
}

// resumed are the keys of requests that failed, wait or were dry.
func resumed() []Check {
	return []Check{
		{Section: "D.idempotency", Name: "dry-run-leaves-the-key", Sends: 1, Mail: true,
			Says: "A dry run ignores the key: the real send after it is sent.",
			Run: func(p *probe) {
				key, mark := keyHeader(), p.mark()
				preview(p.send(postJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`), key)))
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				p.oneMail(mark)
			}},
		{Section: "D.idempotency", Name: "failed-send-is-resumed", Sends: 2, Mail: true,
			Says: "After a 502 the same key resumes the same inquiry under the same Message-ID.",
			Run: func(p *probe) {
				key, mark, sink := keyHeader(), p.mark(), p.run.options.Sink
				sink.refuse(mark)
				p.send(failing(realSend(contract.PathContact, realJSON(mark, ""), key))).problem(contract.BadGateway)
				sink.allow(mark)
				acceptedAs(p.send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				first, second := sink.turnedAway(mark), p.oneMail(mark)
				if len(first) == 0 || p.open(first[0]).header.Get("Message-Id") != p.open(second).header.Get("Message-Id") {
					p.expected("the Message-ID of the mail that was refused", second.shown())
				}
			}},
		{Section: "D.idempotency", Name: "second-request-waits-for-the-first", Sends: 4, Mail: true, Rude: true,
			Says: "A second request while the first runs waits for its answer: one mail, one id.",
			Run:  sideBySide},
	}
}

// keyHeader is a key of its own, as the draft writes it: a structured string.
func keyHeader() string { return `Idempotency-Key: "` + newMark() + `"` }

// sideBySide sends one request four times at once.
func sideBySide(p *probe) {
	mark := p.mark()
	r := realSend(contract.PathContact, realJSON(mark, ""), keyHeader())
	p.sent = append(p.sent, r)
	answers := make(chan *answer, 4)
	for range cap(answers) {
		go func() {
			same := &probe{run: p.run, check: p.check, from: p.from}
			got, _ := same.exchange(r, false)
			if len(got) == 0 {
				answers <- nil
				return
			}
			got[0].probe = p
			answers <- got[0]
		}()
	}
	ids := map[string]bool{}
	var got []*answer
	for range cap(answers) {
		got = append(got, <-answers)
	}
	for _, a := range got {
		if a == nil {
			p.expected("four answers", "a connection that was closed without one")
		}
		ids[a.is(200).text("id")] = true
	}
	if len(ids) != 1 {
		p.expected("one id in all answers", compact(ids))
	}
	p.oneMail(mark)
}
