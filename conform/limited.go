package conform

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
)

// limited are the sentences of section 8 on questions; those on real sends are in
// sending.go, those over MCP in tools.go.
func limited() []Check {
	return []Check{
		{Section: "8", Name: "ask-names-its-policy", Asks: 1, Vital: true,
			Says: `Answers to questions carry RateLimit-Policy: "ask";q=5;w=60.`,
			Run: func(p *probe) {
				p.send(ask(p.question())).is(200).has(contract.HeaderRateLimitPolicy, `"ask";q=5;w=60`)
			}},
		{Section: "D.limits", Name: "limit-headers-are-spelled-so", Asks: 1, Rude: true,
			Says: "RateLimit-Policy and RateLimit are spelled exactly so on the wire.",
			Run: func(p *probe) {
				p.send(ask(p.question())).is(200).spelled(`RateLimit-Policy: "ask";q=5;w=60`).spelled(`RateLimit: "ask";r=4`).spelled("Service-API-Version: 1")
			}},
		{Section: "D.limits", Name: "ratelimit-counts-down", Asks: 5, Rude: true,
			Says: `RateLimit: "ask";r=N tells how many are left.`,
			Run: func(p *probe) {
				for left := 4; left >= 0; left-- {
					p.send(ask(p.question())).is(200).has(contract.HeaderRateLimit, contract.AskPolicy.Remaining(left))
				}
			}},
		{Section: "8.1", Name: "the-sixth-question-is-refused", Asks: 6, Rude: true,
			Says: `When the limit is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0.`,
			Run: func(p *probe) {
				for range 5 {
					p.send(ask(p.question())).is(200)
				}
				refusedFor(p.send(ask(p.question())), contract.AskPolicy)
			}},
		{Section: "8", Name: "aliases-and-feedback-share-the-limit", Asks: 8, Rude: true,
			Says: "POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit of 5 requests per 60 seconds.",
			Run: func(p *probe) {
				alias := postJSON(contract.PathAskAlias, questionJSON(p.question()))
				for _, r := range []request{ask(p.question()), alias, feedbackOf(`{"helpful":true,"q":"x"}`), ask(p.question()), alias} {
					p.send(r).is(200)
				}
				for _, r := range []request{ask(p.question()), alias, feedbackOf(`{"helpful":true,"q":"x"}`)} {
					refusedFor(p.send(r), contract.AskPolicy)
				}
			}},
		{Section: "8", Name: "clients-have-limits-of-their-own", Asks: 7, Rude: true,
			Says: "The limit is per client: another client is not concerned.",
			Run: func(p *probe) {
				for range 5 {
					p.send(ask(p.question())).is(200)
				}
				p.send(ask(p.question())).is(429)
				p.another().send(ask(p.question())).is(200).has(contract.HeaderRateLimit, `"ask";r=4`)
			}},
	}
}

// exact are what was decided of how a limit counts.
func exact() []Check {
	return []Check{
		{Section: "D.limits", Name: "forwarded-addresses-are-not-believed", Asks: 9, Rude: true,
			Says: "A client is its peer address: headers that name another do not make it another.",
			Run:  spoofed},
		{Section: "D.limits", Name: "limit-is-exact-at-once", Asks: 12, Rude: true,
			Says: "A limit is exact: of twelve requests at once five are accepted.",
			Run:  atOnceLimited},
		{Section: "D.limits", Name: "retry-after-covers-the-window", Asks: 6, Rude: true,
			Says: "At most five are accepted in any 60 seconds: Retry-After reaches to the end of the window that the first of them began.",
			Run:  coversWindow},
		{Section: "D.limits", Name: "limit-outlasts-a-moment", Asks: 7, Rude: true,
			Says: "Who is refused and comes back too early is refused again.",
			Run: func(p *probe) {
				for range 5 {
					p.send(ask(p.question())).is(200)
				}
				refusedFor(p.send(ask(p.question())), contract.AskPolicy)
				p.sleep(tooEarly)
				refusedFor(p.send(ask(p.question())), contract.AskPolicy)
			}},
		{Section: "D.limits", Name: "retry-after-is-kept", Asks: 7, Slow: true, Rude: true,
			Says: "Whoever waits the Retry-After it was given is accepted.",
			Run: func(p *probe) {
				for range 5 {
					p.send(ask(p.question())).is(200)
				}
				seconds := refusedFor(p.send(ask(p.question())), contract.AskPolicy)
				p.sleep(time.Duration(seconds) * time.Second)
				p.send(ask(p.question())).is(200)
			}},
	}
}

// tooEarly is a wait that no window of the contract is over after.
const tooEarly = 1200 * time.Millisecond

func coversWindow(p *probe) {
	began := time.Now()
	for range 5 {
		p.send(ask(p.question())).is(200)
	}
	a := p.send(ask(p.question()))
	wait := time.Duration(refusedFor(a, contract.AskPolicy)) * time.Second
	if left := contract.AskPolicy.Window - time.Since(began); wait < left {
		a.fail("a Retry-After of at least %.0f seconds", left.Seconds())
	}
}

// caps are the sizes of section 8.3.
func caps() []Check {
	return []Check{
		one("8.3", "ask-body-at-its-cap", "2048 bytes are the cap for ask: a body of exactly that is taken.",
			postJSON(contract.PathAsk, padded(questionJSON("Who is it for?"), 2048)), statusIs(200)),
		one("8.3", "ask-body-over-its-cap", "2049 bytes give 413 payload_too_large.",
			postJSON(contract.PathAsk, padded(questionJSON("Who is it for?"), 2049)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "ask-alias-body-over-its-cap", "The alias has the same cap.",
			postJSON(contract.PathAskAlias, padded(questionJSON("Who is it for?"), 2049)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "ask-chunked-over-its-cap", "The cap holds where no length is told.",
			request{method: http.MethodPost, path: contract.PathAsk, header: []string{typeJSON}, body: padded(questionJSON("x"), 2049), chunked: true},
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-body-at-its-cap", "8192 bytes are the cap for contact: a body of exactly that is taken.",
			postJSON(contract.PathContact, padded(dryJSON(""), 8192)), preview),
		one("8.3", "contact-body-over-its-cap", "8193 bytes give 413.",
			postJSON(contract.PathContact, padded(dryJSON(""), 8193)), isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-alias-body-over-its-cap", "The alias has the same cap.",
			postJSON(contract.PathContactAlias, padded(dryJSON(""), 8193)), isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-form-over-its-cap", "The cap holds for forms.",
			postForm(contract.PathContact, validForm+"&dry_run=true&phone="+strings.Repeat("1", 8192)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-chunked-at-its-cap", "A chunked body of exactly the cap is taken.",
			request{method: http.MethodPost, path: contract.PathContact, header: []string{typeJSON}, body: padded(dryJSON(""), 8192), chunked: true},
			preview),
		one("8.3", "contact-chunked-over-its-cap", "The cap holds where no length is told.",
			request{method: http.MethodPost, path: contract.PathContact, header: []string{typeJSON}, body: padded(dryJSON(""), 8193), chunked: true},
			isProblem(contract.PayloadTooLarge)),
		one("D.rules", "caps-count-bytes", "A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
			postJSON(contract.PathContact, dryWith("message", compact(strings.Repeat("é", 5000)))), func(a *answer) { a.problem(contract.PayloadTooLarge).contains("byte") }),
	}
}

func statusIs(status int) func(*answer) { return func(a *answer) { a.is(status) } }

// refusedFor expects the refusal of a limit and returns its Retry-After.
func refusedFor(a *answer, policy contract.Policy) (seconds int) {
	a.problem(contract.RateLimited).has(contract.HeaderRateLimit, policy.Remaining(0)).has(contract.HeaderRateLimitPolicy, policy.Header())
	return retryAfter(a)
}

func retryAfter(a *answer) int {
	seconds, err := strconv.Atoi(a.value(contract.HeaderRetryAfter))
	if err != nil || seconds < 1 || seconds > 60 {
		a.fail("the header Retry-After, whole seconds from 1 to 60")
	}
	return seconds
}

func spoofed(p *probe) {
	for i, header := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "Forwarded"} {
		r := ask(p.question())
		value := "203.0.113." + strconv.Itoa(i+1)
		if header == "Forwarded" {
			value = "for=" + value
		}
		r.header = append(r.header, header+": "+value)
		p.send(r).is(200)
	}
	for i, header := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"} {
		r := ask(p.question())
		r.header = append(r.header, header+": 198.51.100."+strconv.Itoa(i+1))
		p.send(r).is(429)
	}
}

// atOnceLimited sends twelve questions side by side from one address.
func atOnceLimited(p *probe) {
	const n = 12
	q := p.question()
	statuses := make(chan int, n)
	for range n {
		go func() {
			same := &probe{run: p.run, check: p.check, from: p.from}
			answers, _ := same.exchange(ask(q), false)
			if len(answers) == 0 {
				statuses <- 0
				return
			}
			statuses <- answers[0].status
		}()
	}
	count := map[int]int{}
	for range n {
		count[<-statuses]++
	}
	p.sent = []request{ask(q)}
	if count[200] != contract.AskPolicy.Quota || count[429] != n-contract.AskPolicy.Quota {
		p.expected("five answers of status 200 and seven of 429", compact(count))
	}
}
