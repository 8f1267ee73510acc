package checks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/conform"
	"frontdesk/contract"
)

// limited adds the checks of section 8 on questions, and of the decisions on how a limit
// counts. Those on real sends are in sending.go, those over MCP in tools.go.
func limited(l *list) {
	question, again, isRefused := ask(known), askAgain(known), isRefusal(contract.AskPolicy)
	five := repeat(5, question, isOK) // all slots

	l.one("8", "ask-names-its-policy", `Answers to questions carry RateLimit-Policy: "ask";q=5;w=60.`, question, isOK,
		hasAskPolicy).Early = true
	l.several("D.limits", "ratelimit-counts-down", `RateLimit: "ask";r=N is how many are left.`,
		send(question, isOK, left("ask", 4)), send(question, isOK, left("ask", 3)), send(question, isOK, left("ask", 2)),
		send(question, isOK, left("ask", 1)), send(question, isOK, left("ask", 0))).LoopbackOnly = true
	l.several("8.1", "the-sixth-question-is-refused",
		`When the limit is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0.`,
		five, send(question, isRefused)).LoopbackOnly = true
	l.several("8", "aliases-and-feedback-share-the-limit",
		"POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit of 5 requests per 60 seconds.",
		send(question, isOK), send(again, isOK), send(helpful, isOK), send(question, isOK), send(again, isOK),
		send(question, isRefused), send(again, isRefused), send(helpful, isRefused)).LoopbackOnly = true
	l.several("8", "clients-have-limits-of-their-own", "The limit is per client: another client has its own.", five,
		send(question, statusIs(429), func(a *conform.Answer) {
			a.Probe.FromAnotherAddress()
		}), send(question, isOK, left("ask", 4))).LoopbackOnly = true

	var spoofed []step
	for i, name := range slices.Repeat([]string{"X-Forwarded-For: ", "X-Real-IP: ", "True-Client-IP: ",
		"CF-Connecting-IP: ", "Forwarded: for="}, 2) {
		expected := isOK
		if i >= contract.AskPolicy.Quota {
			expected = statusIs(429)
		}
		spoofed = append(spoofed, send(ask(known, name+"203.0.113."+strconv.Itoa(i+1)), expected))
	}
	l.several("D.limits", "forwarded-addresses-are-not-believed",
		"A client is its peer address: headers with other addresses do not change it.", spoofed...).LoopbackOnly = true
	atOnce := l.run("D.limits", "limit-is-exact-at-once",
		"A limit is exact: of twelve requests at once five are accepted.", func(p *conform.Probe) {
			count := map[int]int{}
			for _, a := range p.SendAtOnce(12, ask(p.KnownQuestion())) {
				count[a.Status]++
			}
			if count[200] != 5 || count[429] != 7 {
				p.Fail("five answers of status 200 and seven of 429", conform.EncodeJSON(count))
			}
		})
	atOnce.Slots, atOnce.LoopbackOnly = slots(contract.AskPolicy, 12), true
	window := l.run("D.limits", "retry-after-covers-the-window",
		"At most five are accepted in any 60 seconds: Retry-After reaches to the end of the window that the first of them "+
			"began.", func(p *conform.Probe) {
			began := time.Now()
			play(p, []step{five, send(question, func(a *conform.Answer) {
				wait := time.Duration(refusedFor(a, contract.AskPolicy)) * time.Second
				if left := contract.AskPolicy.Window - time.Since(began); wait < left {
					a.Fail("a Retry-After of at least %.0f seconds", left.Seconds())
				}
			})})
		})
	window.Slots, window.LoopbackOnly = slots(contract.AskPolicy, 6), true
	l.several("D.limits", "limit-outlasts-a-moment", "A client that retries too early is refused again.", five,
		// shorter than every window
		send(question, isRefused, func(a *conform.Answer) { a.Probe.Sleep(1200 * time.Millisecond) }),
		send(question, isRefused)).LoopbackOnly = true
	kept := l.several("D.limits", "retry-after-is-kept", "A client that waits for Retry-After is accepted.", five,
		send(question, func(a *conform.Answer) {
			a.Probe.Sleep(time.Duration(refusedFor(a, contract.AskPolicy)) * time.Second)
		}),
		send(question, isOK))
	kept.Slow, kept.LoopbackOnly = true, true
}

// caps adds the checks of section 8.3.
func caps(l *list) {
	const contactCap, askCap = 8192, 2048
	q, dry, tooLong := questionJSON("Who is it for?"), dryJSON(""), validForm+"&dry_run=true&phone="+
		strings.Repeat("1", contactCap)
	for _, row := range []struct {
		name, sentence string
		request        conform.Request
		expected       expectation
	}{
		{"ask-body-at-its-cap", "2048 bytes are the cap for ask: a body of exactly that size is accepted.",
			conform.PostJSON(contract.PathAsk, padded(q, askCap)), isOK},
		{"ask-body-over-its-cap", "2049 bytes give 413 payload_too_large.",
			conform.PostJSON(contract.PathAsk, padded(q, askCap+1)), tooLarge},
		{"ask-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathAskAlias, padded(q, askCap+1)), tooLarge},
		{"ask-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(conform.PostJSON(contract.PathAsk, padded(questionJSON("x"), askCap+1))), tooLarge},
		{"contact-body-at-its-cap", "8192 bytes are the cap for contact: a body of exactly that size is accepted.",
			contact(padded(dry, contactCap)), preview},
		{"contact-body-over-its-cap", "8193 bytes give 413.", contact(padded(dry, contactCap+1)), tooLarge},
		{"contact-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathContactAlias, padded(dry, contactCap+1)), tooLarge},
		{"contact-form-over-its-cap", "The cap holds for forms.", conform.PostForm(contract.PathContact, tooLong), tooLarge},
		{"contact-chunked-at-its-cap", "A chunked body of exactly the cap is accepted.",
			chunked(contact(padded(dry, contactCap))), preview},
		{"contact-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(contact(padded(dry, contactCap+1))), tooLarge},
	} {
		l.one("8.3", row.name, row.sentence, row.request, row.expected)
	}
	l.one("D.rules", "caps-count-bytes",
		"A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
		contact(dryWith("message", conform.EncodeJSON(strings.Repeat("é", 5000)))), tooLarge, contains("byte"))
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
	expect(a, isRefused, hasHeader(contract.HeaderRateLimit, policy.Remaining(0)),
		hasHeader(contract.HeaderRateLimitPolicy, policy.Header()))
	seconds, err := strconv.Atoi(a.HeaderValue(contract.HeaderRetryAfter))
	if err != nil || seconds < 1 || seconds > 60 {
		a.Fail("the header Retry-After, whole seconds from 1 to 60")
	}
	return seconds
}
