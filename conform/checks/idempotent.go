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
				mark := p.RealMark()
				key := keyHeader()
				first := acceptedAs(p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				again := p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)).HasStatus(200).HasMember("id", first.Text("id"))
				if string(again.Body) != string(first.Body) {
					again.Fail("the first answer: %s", first.Body)
				}
				p.Send(realSend(contract.PathContactAlias, realJSON(mark, ""), key)).HasStatus(200).HasMember("id", first.Text("id"))
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "same-key-takes-no-slot", Sends: 5, LoopbackOnly: true,
			Sentence: "A repeated request takes no slot of the limit.",
			Run: func(p *conform.Probe) {
				key, body := keyHeader(), realJSON(p.RealMark(), "")
				for range 4 {
					p.Send(realSend(contract.PathContact, body, key)).HasStatus(200)
				}
				p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), ""))).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"contact";r=1`)
			}},
		{Section: "D.idempotency", Name: "same-key-other-payload", Sends: 2, NeedsMail: true,
			Sentence: "The same key with another payload is 400 naming the header, and nothing is sent.",
			Run: func(p *conform.Probe) {
				key, mark := keyHeader(), p.RealMark()
				p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)).HasStatus(200)
				p.Send(realSend(contract.PathContact, realJSON(mark, `,"phone":"1"`), key)).IsProblem(contract.InvalidRequest).NamesField("Idempotency-Key")
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "same-key-on-every-face", Sends: 3, NeedsMail: true,
			Sentence: "A key works on /mcp too, as the argument idempotency_key or as the header, and gives the first answer.",
			Run: func(p *conform.Probe) {
				word, mark := conform.NewMark(), p.RealMark()
				header := `Idempotency-Key: "` + word + `"`
				first := acceptedAs(p.Send(realSend(contract.PathContact, realJSON(mark, ""), header)))
				argument := call(contract.ToolRequestPilot, realJSON(mark, `,"idempotency_key":"`+word+`"`))
				byHeader := call(contract.ToolRequestPilot, realJSON(mark, ""))
				byHeader.Header = append(byHeader.Header, header)
				for _, r := range []conform.Request{argument, byHeader} {
					r.Uses = contract.ContactPolicy.Name
					p.Send(r).HasStatus(200).HasMember("result.structuredContent", first.JSON())
				}
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "same-key-other-address", Sends: 2, NeedsMail: true,
			Sentence: "A key is scoped by the e-mail address of its request: a guessed key neither blocks a request nor reveals one.",
			Run: func(p *conform.Probe) {
				key, mark := keyHeader(), p.RealMark()
				first := p.Send(realSend(contract.PathContact, realJSON(p.RealMark(), ""), key)).HasStatus(200)
				if second := p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)).HasStatus(200); second.Text("id") == first.Text("id") {
					second.Fail("another id")
				}
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "other-key-is-another-request", Sends: 2,
			Sentence: "Another key is another request.",
			Run: func(p *conform.Probe) {
				body := realJSON(p.RealMark(), "")
				first := p.Send(realSend(contract.PathContact, body, keyHeader())).HasStatus(200)
				if second := p.Send(realSend(contract.PathContact, body, keyHeader())).HasStatus(200); second.Text("id") == first.Text("id") {
					second.Fail("another id")
				}
			}},
	}
}

// resumed returns the checks of keys of requests that failed, wait or were dry runs.
func resumed() []conform.Check {
	return []conform.Check{
		{Section: "D.idempotency", Name: "dry-run-leaves-the-key", Sends: 1, NeedsMail: true,
			Sentence: "A dry run ignores the key: the real send after it is sent.",
			Run: func(p *conform.Probe) {
				key, mark := keyHeader(), p.RealMark()
				preview(p.Send(conform.PostJSON(contract.PathContact, realJSON(mark, `,"dry_run":true`), key)))
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				p.OneMail(mark)
			}},
		{Section: "D.idempotency", Name: "failed-send-is-resumed", Sends: 2, NeedsMail: true,
			Sentence: "After a 502 the same key resumes the same inquiry under the same Message-ID.",
			Run: func(p *conform.Probe) {
				key, mark, sink := keyHeader(), p.RealMark(), p.Sink()
				sink.Refuse(mark)
				p.Send(failing(realSend(contract.PathContact, realJSON(mark, ""), key))).IsProblem(contract.BadGateway)
				sink.Allow(mark)
				acceptedAs(p.Send(realSend(contract.PathContact, realJSON(mark, ""), key)))
				first, second := sink.Refused(mark), p.OneMail(mark)
				if len(first) == 0 || p.OpenMail(first[0]).Header.Get("Message-Id") != p.OpenMail(second).Header.Get("Message-Id") {
					p.Fail("the Message-ID of the mail that was refused", second.Shown())
				}
			}},
		{Section: "D.idempotency", Name: "second-request-waits-for-the-first", Sends: 4, NeedsMail: true, LoopbackOnly: true,
			Sentence: "A second request while the first runs waits for its answer: one mail, one id.",
			Run:      sideBySide},
	}
}

// keyHeader returns a header with a new key, as a structured string like in the draft.
func keyHeader() string { return `Idempotency-Key: "` + conform.NewMark() + `"` }

// sideBySide sends one request four times concurrently.
func sideBySide(p *conform.Probe) {
	mark := p.RealMark()
	r := realSend(contract.PathContact, realJSON(mark, ""), keyHeader())
	p.Record(r)
	answers := make(chan *conform.Answer, 4)
	for range cap(answers) {
		go func() {
			same := p.Clone()
			got, _ := same.Exchange(r, false)
			if len(got) == 0 {
				answers <- nil
				return
			}
			got[0].Probe = p
			answers <- got[0]
		}()
	}
	ids := map[string]bool{}
	var got []*conform.Answer
	for range cap(answers) {
		got = append(got, <-answers)
	}
	for _, a := range got {
		if a == nil {
			p.Fail("four answers", "a connection that was closed without one")
		}
		ids[a.HasStatus(200).Text("id")] = true
	}
	if len(ids) != 1 {
		p.Fail("one id in all answers", conform.EncodeJSON(ids))
	}
	p.OneMail(mark)
}
