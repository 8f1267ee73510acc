package checks

import (
	"strconv"
	"strings"
	"time"

	"frontdesk/conform"
	"frontdesk/contract"
)

// limited returns the checks of section 8 on questions. Those on real sends are in
// sending.go, those over MCP in toolcalls.go.
func limited() []conform.Check {
	shared := []conform.Request{ask(known), askAgain(known), helpful}
	return []conform.Check{
		early(one("8", "ask-names-its-policy", `Answers to questions carry RateLimit-Policy: "ask";q=5;w=60.`, ask(known), isOK, hasAskPolicy)),
		loopbackOnly(several("D.limits", "ratelimit-counts-down", `RateLimit: "ask";r=N is how many are left.`,
			send(ask(known), isOK, left("ask", 4)),
			send(ask(known), isOK, left("ask", 3)),
			send(ask(known), isOK, left("ask", 2)),
			send(ask(known), isOK, left("ask", 1)),
			send(ask(known), isOK, left("ask", 0)))),
		loopbackOnly(several("8.1", "the-sixth-question-is-refused", `When the limit is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0.`,
			repeat(5, ask(known), isOK),
			send(ask(known), isRefusal(contract.AskPolicy)))),
		loopbackOnly(several("8", "aliases-and-feedback-share-the-limit", "POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit of 5 requests per 60 seconds.",
			send(shared[0], isOK), send(shared[1], isOK), send(shared[2], isOK), send(shared[0], isOK), send(shared[1], isOK),
			send(shared[0], isRefusal(contract.AskPolicy)), send(shared[1], isRefusal(contract.AskPolicy)), send(shared[2], isRefusal(contract.AskPolicy)))),
		{Section: "8", Name: "clients-have-limits-of-their-own", Asks: 7, LoopbackOnly: true,
			Sentence: "The limit is per client: another client has its own.",
			Run: func(p *conform.Probe) {
				askFive(p)
				p.Send(ask(p.KnownQuestion()), statusIs(429))
				p.FromAnotherAddress().Send(ask(p.KnownQuestion()), isOK, hasHeader(contract.HeaderRateLimit, `"ask";r=4`))
			}},
	}
}

// askFive takes all slots of the ask policy.
func askFive(p *conform.Probe) {
	for range 5 {
		p.Send(ask(p.KnownQuestion()), isOK)
	}
}

// exact returns the checks of the decisions on how a limit counts.
func exact() []conform.Check {
	return []conform.Check{
		spoofed(),
		{Section: "D.limits", Name: "limit-is-exact-at-once", Asks: 12, LoopbackOnly: true,
			Sentence: "A limit is exact: of twelve requests at once five are accepted.",
			Run: func(p *conform.Probe) {
				count := map[int]int{}
				for _, a := range p.SendAtOnce(12, ask(p.KnownQuestion())) {
					if a == nil {
						count[0]++
					} else {
						count[a.Status]++
					}
				}
				if count[200] != 5 || count[429] != 7 {
					p.Fail("five answers of status 200 and seven of 429", conform.EncodeJSON(count))
				}
			}},
		{Section: "D.limits", Name: "retry-after-covers-the-window", Asks: 6, LoopbackOnly: true,
			Sentence: "At most five are accepted in any 60 seconds: Retry-After reaches to the end of the window that the first of them began.",
			Run: func(p *conform.Probe) {
				began := time.Now()
				askFive(p)
				a := p.Send(ask(p.KnownQuestion()))
				wait := time.Duration(refusedFor(a, contract.AskPolicy)) * time.Second
				if left := contract.AskPolicy.Window - time.Since(began); wait < left {
					a.Fail("a Retry-After of at least %.0f seconds", left.Seconds())
				}
			}},
		{Section: "D.limits", Name: "limit-outlasts-a-moment", Asks: 7, LoopbackOnly: true,
			Sentence: "A client that retries too early is refused again.",
			Run: func(p *conform.Probe) {
				askFive(p)
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
				p.Sleep(1200 * time.Millisecond) // shorter than every window
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
			}},
		{Section: "D.limits", Name: "retry-after-is-kept", Asks: 7, Slow: true, LoopbackOnly: true,
			Sentence: "A client that waits for Retry-After is accepted.",
			Run: func(p *conform.Probe) {
				askFive(p)
				seconds := refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
				p.Sleep(time.Duration(seconds) * time.Second)
				p.Send(ask(p.KnownQuestion()), isOK)
			}},
	}
}

// caps returns the checks of section 8.3.
func caps() []conform.Check {
	q, dry, tooLarge := questionJSON("Who is it for?"), dryJSON(""), isProblem(contract.PayloadTooLarge)
	return []conform.Check{
		one("8.3", "ask-body-at-its-cap", "2048 bytes are the cap for ask: a body of exactly that size is accepted.",
			conform.PostJSON(contract.PathAsk, padded(q, 2048)), isOK),
		one("8.3", "ask-body-over-its-cap", "2049 bytes give 413 payload_too_large.",
			conform.PostJSON(contract.PathAsk, padded(q, 2049)), tooLarge),
		one("8.3", "ask-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathAskAlias, padded(q, 2049)), tooLarge),
		one("8.3", "ask-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(conform.PostJSON(contract.PathAsk, padded(questionJSON("x"), 2049))), tooLarge),
		one("8.3", "contact-body-at-its-cap", "8192 bytes are the cap for contact: a body of exactly that size is accepted.",
			conform.PostJSON(contract.PathContact, padded(dry, 8192)), preview),
		one("8.3", "contact-body-over-its-cap", "8193 bytes give 413.",
			conform.PostJSON(contract.PathContact, padded(dry, 8193)), tooLarge),
		one("8.3", "contact-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathContactAlias, padded(dry, 8193)), tooLarge),
		one("8.3", "contact-form-over-its-cap", "The cap holds for forms.",
			conform.PostForm(contract.PathContact, validForm+"&dry_run=true&phone="+strings.Repeat("1", 8192)), tooLarge),
		one("8.3", "contact-chunked-at-its-cap", "A chunked body of exactly the cap is accepted.",
			chunked(conform.PostJSON(contract.PathContact, padded(dry, 8192))), preview),
		one("8.3", "contact-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(conform.PostJSON(contract.PathContact, padded(dry, 8193))), tooLarge),
		one("D.rules", "caps-count-bytes", "A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
			conform.PostJSON(contract.PathContact, dryWith("message", conform.EncodeJSON(strings.Repeat("é", 5000)))), tooLarge, contains("byte")),
	}
}

// isRefusal expects the refusal of a limit: 429, or of a tool a result where the service is
// set so.
func isRefusal(policy contract.Policy) expectation {
	return func(a *conform.Answer) { refusedFor(a, policy) }
}

// refusedFor expects the refusal of a limit and returns its Retry-After.
func refusedFor(a *conform.Answer, policy contract.Policy) (seconds int) {
	isRefused := isProblem(contract.RateLimited)
	if a.Probe.ToolResults() && (a.Request.Path == contract.PathMCP || a.Request.Path == contract.PathWorkspaceMCP) {
		isRefused = failedResult(contract.RateLimited)
	}
	expect(a, isRefused, hasHeader(contract.HeaderRateLimit, policy.Remaining(0)), hasHeader(contract.HeaderRateLimitPolicy, policy.Header()))
	seconds, err := strconv.Atoi(a.HeaderValue(contract.HeaderRetryAfter))
	if err != nil || seconds < 1 || seconds > 60 {
		a.Fail("the header Retry-After, whole seconds from 1 to 60")
	}
	return seconds
}

// spoofed returns the check of headers that name another client.
func spoofed() conform.Check {
	var steps []step
	for _, header := range []string{"X-Forwarded-For: 203.0.113.1", "X-Real-IP: 203.0.113.2", "True-Client-IP: 203.0.113.3", "CF-Connecting-IP: 203.0.113.4", "Forwarded: for=203.0.113.5"} {
		steps = append(steps, send(askWith(header), isOK))
	}
	for _, header := range []string{"X-Forwarded-For: 198.51.100.1", "X-Real-IP: 198.51.100.2", "True-Client-IP: 198.51.100.3", "CF-Connecting-IP: 198.51.100.4"} {
		steps = append(steps, send(askWith(header), statusIs(429)))
	}
	return loopbackOnly(several("D.limits", "forwarded-addresses-are-not-believed",
		"A client is its peer address: headers with other addresses do not change it.", steps...))
}

// askWith is the known question with one more header.
func askWith(header string) conform.Request {
	return conform.PostJSON(contract.PathAsk, questionJSON(known), header)
}
