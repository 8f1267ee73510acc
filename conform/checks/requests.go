package checks

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"frontdesk/conform"
	"frontdesk/contract"
)

// step is a request of a check, how often it is sent, and what is expected of each answer.
type step struct {
	times    int
	request  conform.Request
	expected []expectation
}

func send(r conform.Request, expected ...expectation) step { return step{1, r, expected} }

func repeat(times int, r conform.Request, expected ...expectation) step {
	return step{times, r, expected}
}

// one returns a check that sends one request and examines its answer.
func one(section, name, sentence string, r conform.Request, expected ...expectation) conform.Check {
	return several(section, name, sentence, send(r, expected...))
}

// several returns a check that sends requests in turn. It declares the slots that they take.
func several(section, name, sentence string, steps ...step) conform.Check {
	check := conform.Check{Section: section, Name: name, Sentence: sentence, Run: func(p *conform.Probe) {
		fill := filler(p)
		for _, s := range steps {
			r := fill(s.request)
			if r.FailsDelivery {
				p.Sink().Refuse(markOf(r))
			}
			for range s.times {
				p.Send(r, s.expected...)
			}
		}
	}}
	for _, s := range steps {
		switch s.request.Policy() {
		case contract.AskPolicy.Name:
			check.Asks += s.times
		case contract.ContactPolicy.Name:
			check.Sends += s.times
		case contract.TrialPolicy.Name:
			check.Trials += s.times
		}
	}
	return check
}

// loopbackOnly marks a check that exceeds a limit or counts exactly what is left of one.
func loopbackOnly(check conform.Check) conform.Check {
	check.LoopbackOnly = true
	return check
}

// needsMail marks a check that reads mail.
func needsMail(check conform.Check) conform.Check {
	check.NeedsMail = true
	return check
}

// early marks a check that goes first, because a polite run may not have slots for all.
func early(check conform.Check) conform.Check {
	check.Early = true
	return check
}

// risky marks a check whose dry_run a broken service might lose.
func risky(check conform.Check) conform.Check {
	check.MaySend = true
	return check
}

// known is replaced with a question that has an approved answer.
const known = "{question}"

// filler returns a function that replaces words in braces with what is only known when a
// check runs. {mark} is a mark for one request that is sent for real, {same} one for all
// requests of the check, and {dry} likewise for requests that must not be sent.
func filler(p *conform.Probe) func(conform.Request) conform.Request {
	inJSON := func(text string) string { return strings.TrimSuffix(conform.EncodeJSON(text)[1:], `"`) }
	own := sync.OnceValue(func() *url.URL {
		origin, _ := url.Parse(p.OwnOrigin()) // made of a URL
		return origin
	})
	values := map[string]func() string{
		known:       func() string { return inJSON(p.KnownQuestion()) },
		"{service}": func() string { return inJSON(p.KnownService()) },
		"{origin}":  p.OwnOrigin,
		"{host}":    func() string { return own().Host },
		"{name}":    func() string { return own().Hostname() },
		"{scheme}":  func() string { return own().Scheme },
		"{other}":   func() string { return map[string]string{"http": "https", "https": "http"}[own().Scheme] },
		"{mark}":    p.RealMark,
		"{same}":    sync.OnceValue(p.RealMark),
		"{dry}":     sync.OnceValue(conform.NewMark),
	}
	fill := func(text string) string {
		for name, value := range values {
			if strings.Contains(text, name) {
				text = strings.ReplaceAll(text, name, value())
			}
		}
		return text
	}
	return func(r conform.Request) conform.Request {
		r.Body, r.Header = fill(r.Body), slices.Clone(r.Header)
		for i := range r.Header {
			r.Header[i] = fill(r.Header[i])
		}
		return r
	}
}

// ask is a question to the versioned path.
func ask(q string) conform.Request { return conform.PostJSON(contract.PathAsk, questionJSON(q)) }

// askAgain is a question to the older path.
func askAgain(q string) conform.Request {
	return conform.PostJSON(contract.PathAskAlias, questionJSON(q))
}

func questionJSON(q string) string { return `{"q":` + conform.EncodeJSON(q) + `}` }

// The fields of a valid pilot request. No mail can reach its address (RFC 2606).
const (
	validFields = `"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@conform.example","message":"Hello there"`
	validForm   = `name=Ada+Lovelace&business=Analytical+Engines&email=ada%40conform.example&message=Hello`
)

// dryJSON is a valid dry run, with further members.
func dryJSON(members string) string { return `{` + validFields + `,"dry_run":true` + members + `}` }

// dryRun is a dry run to the versioned path, with further header lines.
func dryRun(header ...string) conform.Request {
	return conform.PostJSON(contract.PathContact, dryJSON(""), header...)
}

// dryWith is a dry run in which one field has another value, written as JSON.
func dryWith(field, value string) string {
	fields := map[string]string{"name": `"Ada Lovelace"`, "business": `"Analytical Engines Ltd"`, "email": `"ada@conform.example"`, "message": `"Hello there"`, "dry_run": "true"}
	fields[field] = value
	members := make([]string, 0, len(fields))
	for _, name := range []string{"name", "business", "email", "message", "phone", "segment", "preview", "dry_run"} {
		if value := fields[name]; value != "" {
			members = append(members, `"`+name+`":`+value)
		}
	}
	return `{` + strings.Join(members, ",") + `}`
}

// realJSON is a pilot request that is sent for real; the mark identifies it.
func realJSON(mark, members string) string {
	return `{"name":"Conformance check","business":"frontdesk conform","email":"` + mark + `@conform.example","message":"Sent by frontdesk conform; nothing to do."` + members + `}`
}

// realSend files a pilot request for real and takes a slot.
func realSend(path, body string, header ...string) conform.Request {
	r := conform.PostJSON(path, body, header...)
	r.Uses = contract.ContactPolicy.Name
	return r
}

// chunked sends a body without a Content-Length.
func chunked(r conform.Request) conform.Request {
	r.Chunked = true
	return r
}

// failing makes the delivery of a request fail.
func failing(r conform.Request) conform.Request {
	r.FailsDelivery = true
	return r
}

// real is a pilot request that is sent for real, with a mark of its own.
func real() conform.Request { return realSend(contract.PathContact, realJSON("{mark}", "")) }

// slug turns a path into a part of a check's name.
func slug(path string) string {
	return strings.Trim(strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(path), "-")
}

// repeatList is a comma-separated list whose members are numbered by a pattern.
func repeatList(pattern string, n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(pattern, i)
	}
	return strings.Join(members, ", ")
}
