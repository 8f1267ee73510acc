package checks

import (
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
)

// limited adds the checks of section 8 on questions, and of the decisions on how a limit
// counts. Those on real sends are in sending.go, those over MCP in tools.go.
func limited(l *list) {
	question, again, isRefused := ask(known), askAgain(known), isRefusal(l.ask)
	whole := repeat(l.ask.Quota, question)

	l.onLoopback("8.1", "the-sixth-question-is-refused",
		`POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit, and RateLimit: "ask";r=N is how many are `+
			`left. When it is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0, also for a client that `+
			"retries too early.",
		append(useUp(l.ask, question, again, helpful), sendAll(isRefused, question, again, helpful),
			send(question, isRefused, func(a *answer) { a.Probe.Sleep(1200 * time.Millisecond) }),
			send(question, isRefused))...)
	l.onLoopback("8", "clients-have-limits-of-their-own", "The limit is per client: another client has its own.", whole,
		send(question, statusIs(429), func(a *answer) { a.Probe.FromAnotherAddress() }),
		send(question, isOK, taken(l.ask, 1)))

	names := []string{"X-Forwarded-For: ", "X-Real-IP: ", "True-Client-IP: ", "CF-Connecting-IP: ", "Forwarded: for="}
	var spoofed []request
	for i := range l.ask.Quota + len(names) {
		spoofed = append(spoofed, ask(known, names[i%len(names)]+"203.0.113."+strconv.Itoa(i+1)))
	}
	l.onLoopback("D.limits", "forwarded-addresses-are-not-believed",
		"A client is its peer address: headers with other addresses do not change it.",
		sendAll(isOK, spoofed[:l.ask.Quota]...), sendAll(statusIs(429), spoofed[l.ask.Quota:]...))
	l.countedRun("D.limits", "limit-is-exact-at-once",
		"A limit is exact: of seven requests too many at once seven are refused.", l.ask, l.ask.Quota+7, func(p *probe) {
			count := map[int]int{}
			for _, a := range p.SendAtOnce(l.ask.Quota+7, ask(p.KnownQuestion())) {
				count[a.Status]++
			}
			if count[200] != l.ask.Quota || count[429] != 7 {
				p.Fail("seven answers of status 429, the others of 200", encode(count))
			}
		})
	l.countedRun("D.limits", "retry-after-covers-the-window",
		"Retry-After reaches to the end of the window that the first of the accepted requests began.",
		l.ask, l.ask.Quota+1, func(p *probe) {
			began := time.Now()
			play(p, []step{whole, send(question, func(a *answer) {
				wait := time.Duration(refusedFor(a, l.ask)) * time.Second
				if left := l.ask.Window - time.Since(began); wait < left {
					a.Fail("a Retry-After of at least %.0f seconds", left.Seconds())
				}
			})})
		})
	l.onLoopback("D.limits", "retry-after-is-kept", "A client that waits for Retry-After is accepted.", whole,
		send(question, func(a *answer) {
			a.Probe.Sleep(time.Duration(refusedFor(a, l.ask)) * time.Second)
		}),
		send(question, isOK)).Slow = true
}

// caps adds the checks of section 8.3, and the check of the largest headers.
func caps(l *list) {
	const contactCap, askCap = 8192, 2048
	q, dry := questionJSON("Who is it for?"), dryJSON("")
	l.several("8.3", "ask-body-has-its-cap", "2048 bytes are the cap for ask; one more gives 413 payload_too_large.",
		send(post("/v1/ask", padded(q, askCap)), isOK),
		sendAll(tooLarge, post("/v1/ask", padded(q, askCap+1)), post("/api/ask", padded(q, askCap+1))))
	at, over := padded(dry, contactCap), padded(dry, contactCap+1)
	l.several("8.3", "contact-body-has-its-cap",
		"8192 bytes are the cap for contact; one more gives 413, for a form and without a Content-Length too.",
		sendAll(preview, contact(at), chunked(contact(at))),
		sendAll(tooLarge, contact(over), chunked(contact(over)), post("/api/contact", over),
			contactForm(dryForm+"&phone="+strings.Repeat("1", contactCap))))
	l.one("D.rules", "caps-count-bytes",
		"A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
		contact(dryWith("message", encode(strings.Repeat("é", 5000)))), tooLarge, contains("byte"))
	l.onLoopback("D.rules", "headers-past-32-kib", "431 past 32 KiB of headers.",
		send(get("/v1/health", "X-Fill: "+strings.Repeat("a", 27<<10)), isOK),
		send(get("/v1/health", "X-Fill: "+strings.Repeat("a", 40<<10)), statusIs(431)))
}

// isRefusal expects the refusal of a limit: 429, or of a tool a result where the service is
// set so.
func isRefusal(policy contract.Policy) expectation {
	return func(a *answer) { refusedFor(a, policy) }
}

// refusedFor expects the refusal of a limit and returns its Retry-After.
func refusedFor(a *answer, policy contract.Policy) (seconds int) {
	isRefused := isProblem(contract.RateLimited)
	if a.Probe.ToolResults() && strings.HasSuffix(a.Request.Path, "/mcp") {
		isRefused = failedResult(contract.RateLimited)
	}
	all(isRefused, taken(policy, policy.Quota), hasHeader("RateLimit-Policy", policy.Header()))(a)
	seconds, err := strconv.Atoi(a.HeaderValue("Retry-After"))
	if most := int(policy.Window.Seconds()); err != nil || seconds < 1 || seconds > most {
		a.Fail("the header Retry-After, whole seconds from 1 to %d", most)
	}
	return seconds
}
