package checks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
)

// limited adds the checks of section 8 on questions, and of the decisions on how a limit
// counts. Those on real sends are in sending.go, those over MCP in tools.go.
func limited(l *list) {
	question, again, isRefused := ask(known), askAgain(known), isRefusal(l.ask)
	whole := repeat(l.ask.Quota, question, isOK)

	l.one("8", "ask-names-its-policy", "Answers to questions carry the policy ask in RateLimit-Policy.", question, isOK,
		hasPolicy(l.ask)).Early = true
	l.onLoopback("D.limits", "ratelimit-counts-down", `RateLimit: "ask";r=N is how many are left.`,
		useUp(l.ask, question)...)
	l.onLoopback("8.1", "the-sixth-question-is-refused",
		`When the limit is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0.`,
		whole, send(question, isRefused))
	l.onLoopback("8", "aliases-and-feedback-share-the-limit",
		"POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit.",
		append(useUp(l.ask, question, again, helpful), send(question, isRefused), send(again, isRefused),
			send(helpful, isRefused))...)
	l.onLoopback("8", "clients-have-limits-of-their-own", "The limit is per client: another client has its own.", whole,
		send(question, statusIs(429), func(a *answer) { a.Probe.FromAnotherAddress() }),
		send(question, isOK, taken(l.ask, 1)))

	var spoofed []step
	for i := range l.ask.Quota + 5 {
		expected, names := isOK, []string{"X-Forwarded-For: ", "X-Real-IP: ", "True-Client-IP: ", "CF-Connecting-IP: ",
			"Forwarded: for="}
		if i >= l.ask.Quota {
			expected = statusIs(429)
		}
		spoofed = append(spoofed, send(ask(known, names[i%5]+"203.0.113."+strconv.Itoa(i+1)), expected))
	}
	l.onLoopback("D.limits", "forwarded-addresses-are-not-believed",
		"A client is its peer address: headers with other addresses do not change it.", spoofed...)
	atOnce := l.run("D.limits", "limit-is-exact-at-once",
		"A limit is exact: of seven requests too many at once seven are refused.", func(p *probe) {
			count := map[int]int{}
			for _, a := range p.SendAtOnce(l.ask.Quota+7, ask(p.KnownQuestion())) {
				count[a.Status]++
			}
			if count[200] != l.ask.Quota || count[429] != 7 {
				p.Fail("seven answers of status 429, the others of 200", encode(count))
			}
		})
	atOnce.Slots, atOnce.LoopbackOnly = map[contract.Policy]int{l.ask: l.ask.Quota + 7}, true
	window := l.run("D.limits", "retry-after-covers-the-window",
		"Retry-After reaches to the end of the window that the first of the accepted requests began.", func(p *probe) {
			began := time.Now()
			play(p, []step{whole, send(question, func(a *answer) {
				wait := time.Duration(refusedFor(a, l.ask)) * time.Second
				if left := l.ask.Window - time.Since(began); wait < left {
					a.Fail("a Retry-After of at least %.0f seconds", left.Seconds())
				}
			})})
		})
	window.Slots, window.LoopbackOnly = map[contract.Policy]int{l.ask: l.ask.Quota + 1}, true
	l.onLoopback("D.limits", "limit-outlasts-a-moment", "A client that retries too early is refused again.", whole,
		send(question, isRefused, func(a *answer) { a.Probe.Sleep(1200 * time.Millisecond) }),
		send(question, isRefused))
	l.onLoopback("D.limits", "retry-after-is-kept", "A client that waits for Retry-After is accepted.", whole,
		send(question, func(a *answer) {
			a.Probe.Sleep(time.Duration(refusedFor(a, l.ask)) * time.Second)
		}),
		send(question, isOK)).Slow = true
}

// caps adds the checks of section 8.3.
func caps(l *list) {
	const contactCap, askCap = 8192, 2048
	q, dry := questionJSON("Who is it for?"), dryJSON("")
	for _, row := range []struct {
		name, sentence string
		request        request
		expected       expectation
	}{
		{"ask-body-at-its-cap", "2048 bytes are the cap for ask: a body of exactly that size is accepted.",
			post("/v1/ask", padded(q, askCap)), isOK},
		{"ask-body-over-its-cap", "2049 bytes give 413 payload_too_large.", post("/v1/ask", padded(q, askCap+1)), tooLarge},
		{"ask-alias-body-over-its-cap", "The alias has the same cap.", post("/api/ask", padded(q, askCap+1)), tooLarge},
		{"contact-body-at-its-cap", "8192 bytes are the cap for contact: a body of exactly that size is accepted.",
			contact(padded(dry, contactCap)), preview},
		{"contact-body-over-its-cap", "8193 bytes give 413.", contact(padded(dry, contactCap+1)), tooLarge},
		{"contact-alias-body-over-its-cap", "The alias has the same cap.",
			post("/api/contact", padded(dry, contactCap+1)), tooLarge},
		{"contact-form-over-its-cap", "The cap holds for forms.",
			postForm("/v1/contact", dryForm+"&phone="+strings.Repeat("1", contactCap)), tooLarge},
		{"contact-chunked-at-its-cap", "A chunked body of exactly the cap is accepted.",
			chunked(contact(padded(dry, contactCap))), preview},
		{"contact-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			chunked(contact(padded(dry, contactCap+1))), tooLarge},
	} {
		l.one("8.3", row.name, row.sentence, row.request, row.expected)
	}
	l.one("D.rules", "caps-count-bytes",
		"A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
		contact(dryWith("message", encode(strings.Repeat("é", 5000)))), tooLarge, contains("byte"))
}

// isRefusal expects the refusal of a limit: 429, or of a tool a result where the service is
// set so.
func isRefusal(policy contract.Policy) expectation {
	return func(a *answer) { refusedFor(a, policy) }
}

// refusedFor expects the refusal of a limit and returns its Retry-After.
func refusedFor(a *answer, policy contract.Policy) (seconds int) {
	isRefused := isProblem(contract.RateLimited)
	if a.Probe.ToolResults() && slices.Contains([]string{"/mcp", "/api/public/mcp"}, a.Request.Path) {
		isRefused = failedResult(contract.RateLimited)
	}
	all(isRefused, taken(policy, policy.Quota), hasHeader("RateLimit-Policy", policy.Header()))(a)
	seconds, err := strconv.Atoi(a.HeaderValue("Retry-After"))
	if most := int(policy.Window.Seconds()); err != nil || seconds < 1 || seconds > most {
		a.Fail("the header Retry-After, whole seconds from 1 to %d", most)
	}
	return seconds
}
