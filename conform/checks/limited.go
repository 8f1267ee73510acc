package checks

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"frontdesk/conform"
	"frontdesk/contract"
)

// limited returns the checks of section 8 on questions. Those on real sends are in
// sending.go, those over MCP in toolcalls.go.
func limited() []conform.Check {
	return []conform.Check{
		{Section: "8", Name: "ask-names-its-policy", Asks: 1, Early: true,
			Sentence: `Answers to questions carry RateLimit-Policy: "ask";q=5;w=60.`,
			Run: func(p *conform.Probe) {
				p.Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimitPolicy, `"ask";q=5;w=60`)
			}},
		{Section: "D.limits", Name: "ratelimit-counts-down", Asks: 5, LoopbackOnly: true,
			Sentence: `RateLimit: "ask";r=N is how many are left.`,
			Run: func(p *conform.Probe) {
				for left := 4; left >= 0; left-- {
					p.Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimit, contract.AskPolicy.Remaining(left))
				}
			}},
		{Section: "8.1", Name: "the-sixth-question-is-refused", Asks: 6, LoopbackOnly: true,
			Sentence: `When the limit is exceeded the response is 429 with Retry-After and RateLimit: "ask";r=0.`,
			Run: func(p *conform.Probe) {
				for range 5 {
					p.Send(ask(p.KnownQuestion())).HasStatus(200)
				}
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
			}},
		{Section: "8", Name: "aliases-and-feedback-share-the-limit", Asks: 8, LoopbackOnly: true,
			Sentence: "POST /v1/ask, POST /api/ask and POST /api/ask/feedback share one limit of 5 requests per 60 seconds.",
			Run: func(p *conform.Probe) {
				alias := conform.PostJSON(contract.PathAskAlias, questionJSON(p.KnownQuestion()))
				for _, r := range []conform.Request{ask(p.KnownQuestion()), alias, feedbackOf(`{"helpful":true,"q":"x"}`), ask(p.KnownQuestion()), alias} {
					p.Send(r).HasStatus(200)
				}
				for _, r := range []conform.Request{ask(p.KnownQuestion()), alias, feedbackOf(`{"helpful":true,"q":"x"}`)} {
					refusedFor(p.Send(r), contract.AskPolicy)
				}
			}},
		{Section: "8", Name: "clients-have-limits-of-their-own", Asks: 7, LoopbackOnly: true,
			Sentence: "The limit is per client: another client has its own.",
			Run: func(p *conform.Probe) {
				for range 5 {
					p.Send(ask(p.KnownQuestion())).HasStatus(200)
				}
				p.Send(ask(p.KnownQuestion())).HasStatus(429)
				p.FromAnotherAddress().Send(ask(p.KnownQuestion())).HasStatus(200).HasHeader(contract.HeaderRateLimit, `"ask";r=4`)
			}},
	}
}

// exact returns the checks of the decisions on how a limit counts.
func exact() []conform.Check {
	return []conform.Check{
		{Section: "D.limits", Name: "forwarded-addresses-are-not-believed", Asks: 9, LoopbackOnly: true,
			Sentence: "A client is its peer address: headers with other addresses do not change it.",
			Run:      spoofed},
		{Section: "D.limits", Name: "limit-is-exact-at-once", Asks: 12, LoopbackOnly: true,
			Sentence: "A limit is exact: of twelve requests at once five are accepted.",
			Run:      atOnceLimited},
		{Section: "D.limits", Name: "retry-after-covers-the-window", Asks: 6, LoopbackOnly: true,
			Sentence: "At most five are accepted in any 60 seconds: Retry-After reaches to the end of the window that the first of them began.",
			Run:      coversWindow},
		{Section: "D.limits", Name: "limit-outlasts-a-moment", Asks: 7, LoopbackOnly: true,
			Sentence: "A client that retries too early is refused again.",
			Run: func(p *conform.Probe) {
				for range 5 {
					p.Send(ask(p.KnownQuestion())).HasStatus(200)
				}
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
				p.Sleep(tooEarly)
				refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
			}},
		{Section: "D.limits", Name: "retry-after-is-kept", Asks: 7, Slow: true, LoopbackOnly: true,
			Sentence: "A client that waits for Retry-After is accepted.",
			Run: func(p *conform.Probe) {
				for range 5 {
					p.Send(ask(p.KnownQuestion())).HasStatus(200)
				}
				seconds := refusedFor(p.Send(ask(p.KnownQuestion())), contract.AskPolicy)
				p.Sleep(time.Duration(seconds) * time.Second)
				p.Send(ask(p.KnownQuestion())).HasStatus(200)
			}},
	}
}

// tooEarly is shorter than every window of the contract.
const tooEarly = 1200 * time.Millisecond

func coversWindow(p *conform.Probe) {
	began := time.Now()
	for range 5 {
		p.Send(ask(p.KnownQuestion())).HasStatus(200)
	}
	a := p.Send(ask(p.KnownQuestion()))
	wait := time.Duration(refusedFor(a, contract.AskPolicy)) * time.Second
	if left := contract.AskPolicy.Window - time.Since(began); wait < left {
		a.Fail("a Retry-After of at least %.0f seconds", left.Seconds())
	}
}

// caps returns the checks of section 8.3.
func caps() []conform.Check {
	return []conform.Check{
		one("8.3", "ask-body-at-its-cap", "2048 bytes are the cap for ask: a body of exactly that size is accepted.",
			conform.PostJSON(contract.PathAsk, padded(questionJSON("Who is it for?"), 2048)), statusIs(200)),
		one("8.3", "ask-body-over-its-cap", "2049 bytes give 413 payload_too_large.",
			conform.PostJSON(contract.PathAsk, padded(questionJSON("Who is it for?"), 2049)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "ask-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathAskAlias, padded(questionJSON("Who is it for?"), 2049)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "ask-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			conform.Request{Method: http.MethodPost, Path: contract.PathAsk, Header: []string{conform.TypeJSON}, Body: padded(questionJSON("x"), 2049), Chunked: true},
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-body-at-its-cap", "8192 bytes are the cap for contact: a body of exactly that size is accepted.",
			conform.PostJSON(contract.PathContact, padded(dryJSON(""), 8192)), preview),
		one("8.3", "contact-body-over-its-cap", "8193 bytes give 413.",
			conform.PostJSON(contract.PathContact, padded(dryJSON(""), 8193)), isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-alias-body-over-its-cap", "The alias has the same cap.",
			conform.PostJSON(contract.PathContactAlias, padded(dryJSON(""), 8193)), isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-form-over-its-cap", "The cap holds for forms.",
			conform.PostForm(contract.PathContact, validForm+"&dry_run=true&phone="+strings.Repeat("1", 8192)),
			isProblem(contract.PayloadTooLarge)),
		one("8.3", "contact-chunked-at-its-cap", "A chunked body of exactly the cap is accepted.",
			conform.Request{Method: http.MethodPost, Path: contract.PathContact, Header: []string{conform.TypeJSON}, Body: padded(dryJSON(""), 8192), Chunked: true},
			preview),
		one("8.3", "contact-chunked-over-its-cap", "The cap also holds without a Content-Length.",
			conform.Request{Method: http.MethodPost, Path: contract.PathContact, Header: []string{conform.TypeJSON}, Body: padded(dryJSON(""), 8193), Chunked: true},
			isProblem(contract.PayloadTooLarge)),
		one("D.rules", "caps-count-bytes", "A long message in a wide script meets 413 before its 5000 characters, and the hint says that the cap counts bytes.",
			conform.PostJSON(contract.PathContact, dryWith("message", conform.EncodeJSON(strings.Repeat("é", 5000)))), func(a *conform.Answer) { a.IsProblem(contract.PayloadTooLarge).Contains("byte") }),
	}
}

func statusIs(status int) func(*conform.Answer) {
	return func(a *conform.Answer) { a.HasStatus(status) }
}

// refusedFor expects the refusal of a limit and returns its Retry-After.
func refusedFor(a *conform.Answer, policy contract.Policy) (seconds int) {
	a.IsProblem(contract.RateLimited).HasHeader(contract.HeaderRateLimit, policy.Remaining(0)).HasHeader(contract.HeaderRateLimitPolicy, policy.Header())
	return retryAfter(a)
}

func retryAfter(a *conform.Answer) int {
	seconds, err := strconv.Atoi(a.HeaderValue(contract.HeaderRetryAfter))
	if err != nil || seconds < 1 || seconds > 60 {
		a.Fail("the header Retry-After, whole seconds from 1 to 60")
	}
	return seconds
}

func spoofed(p *conform.Probe) {
	for i, header := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "Forwarded"} {
		r := ask(p.KnownQuestion())
		value := "203.0.113." + strconv.Itoa(i+1)
		if header == "Forwarded" {
			value = "for=" + value
		}
		r.Header = append(r.Header, header+": "+value)
		p.Send(r).HasStatus(200)
	}
	for i, header := range []string{"X-Forwarded-For", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"} {
		r := ask(p.KnownQuestion())
		r.Header = append(r.Header, header+": 198.51.100."+strconv.Itoa(i+1))
		p.Send(r).HasStatus(429)
	}
}

// atOnceLimited sends twelve questions concurrently from one address.
func atOnceLimited(p *conform.Probe) {
	const n = 12
	q := p.KnownQuestion()
	statuses := make(chan int, n)
	for range n {
		go func() {
			same := p.Clone()
			answers, _ := same.Exchange(ask(q), false)
			if len(answers) == 0 {
				statuses <- 0
				return
			}
			statuses <- answers[0].Status
		}()
	}
	count := map[int]int{}
	for range n {
		count[<-statuses]++
	}
	p.Record(ask(q))
	if count[200] != contract.AskPolicy.Quota || count[429] != n-contract.AskPolicy.Quota {
		p.Fail("five answers of status 200 and seven of 429", conform.EncodeJSON(count))
	}
}
