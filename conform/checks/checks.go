// Package checks holds the contract as checks for package conform: one file for each
// topic, one Check for each sentence. requests.go builds the requests.
package checks

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"frontdesk/conform"
	"frontdesk/contract"
)

// Contract returns the checks of the contract, in the order of its sections.
func Contract() []conform.Check {
	return collect(invariants, documents, reading, asking, feedback, prompts, contacting, fields, access, signing, origins,
		failures, limited, caps, transport, tools, arguments, toolLimits, resources, trials,
		bodies, addresses, characters, texts, questionBodies, sizes, wire, pages, sending, mails, idempotent)
}

// collect returns the checks of some topics by section.
func collect(topics ...func(*list)) []conform.Check {
	var all list
	for _, add := range topics {
		add(&all)
	}
	slices.SortStableFunc(all, func(a, b conform.Check) int { return strings.Compare(a.Section, b.Section) })
	return all
}

// list collects checks. Its methods return the added check, so that what else it needs can
// be set.
type list []conform.Check

// run adds a check of its own code.
func (l *list) run(section, name, sentence string, run func(*conform.Probe)) *conform.Check {
	*l = append(*l, conform.Check{Section: section, Name: name, Sentence: sentence, Run: run})
	return &(*l)[len(*l)-1]
}

// one adds a check that sends one request and examines its answer.
func (l *list) one(section, name, sentence string, r conform.Request, expected ...expectation) *conform.Check {
	return l.several(section, name, sentence, send(r, expected...))
}

// several adds a check that sends requests in turn. It declares the slots that they take.
func (l *list) several(section, name, sentence string, steps ...step) *conform.Check {
	check := l.run(section, name, sentence, func(p *conform.Probe) { play(p, steps) })
	check.Slots = map[string]int{}
	for _, s := range steps {
		check.NeedsMail = check.NeedsMail || s.request.FailsDelivery
		if policy := s.request.Policy(); policy != "" {
			check.Slots[policy] += s.times
		}
	}
	return check
}

// slots counts the slots of one policy.
func slots(policy contract.Policy, n int) map[string]int { return map[string]int{policy.Name: n} }

// step is a request of a check, how often it is sent, and what is expected of each answer.
type step struct {
	times    int
	request  conform.Request
	expected []expectation
}

func send(r conform.Request, expected ...expectation) step { return repeat(1, r, expected...) }

func repeat(times int, r conform.Request, expected ...expectation) step {
	return step{times: times, request: r, expected: expected}
}

func play(p *conform.Probe, steps []step) {
	fill := filler(p)
	for _, s := range steps {
		r := fill(s.request)
		if r.FailsDelivery {
			p.Options.Sink.Refuse(markOf(r))
		}
		for range s.times {
			p.Send(r, s.expected...)
		}
	}
}

// known is replaced with a question that has an approved answer.
const known = "{question}"

// ofFirst is a member of the check's first answer, such as {first.digest}.
var ofFirst = regexp.MustCompile(`\{first\.(\w+)\}`)

// filler returns a function that replaces words in braces with what is only known when a
// check runs. {mark} is a mark for one request that is sent for real, {same} one for all
// requests of the check; {new} and {dry} likewise for what must not be sent.
func filler(p *conform.Probe) func(conform.Request) conform.Request {
	inJSON := func(text string) string { return strings.TrimSuffix(conform.EncodeJSON(text)[1:], `"`) }
	sent, dry := func() string { return newMark(ofReal) }, func() string { return newMark("c") }
	values := map[string]func() string{
		known:       func() string { return inJSON(p.KnownQuestion()) },
		"{spaced}":  func() string { return inJSON("\t " + strings.ReplaceAll(p.KnownQuestion(), " ", " \n\t") + "\u00a0") },
		"{service}": func() string { return inJSON(p.KnownService()) },
		"{base}":    func() string { return inJSON(p.BaseURL) },
		"{origin}":  func() string { return p.Origin.Scheme + "://" + p.Origin.Host },
		"{host}":    func() string { return p.Origin.Host },
		"{name}":    p.Origin.Hostname,
		"{scheme}":  func() string { return p.Origin.Scheme },
		"{other}":   func() string { return map[string]string{"http": "https", "https": "http"}[p.Origin.Scheme] },
		"{mark}":    sent,
		"{same}":    sync.OnceValue(sent),
		"{new}":     dry,
		"{dry}":     sync.OnceValue(dry),
		"{tag}":     func() string { return p.FirstAnswer.HeaderValue("ETag") },
	}
	fill := func(text string) string {
		for name, value := range values {
			if strings.Contains(text, name) {
				text = strings.ReplaceAll(text, name, value())
			}
		}
		return ofFirst.ReplaceAllStringFunc(text, func(member string) string {
			return inJSON(p.FirstAnswer.Text(ofFirst.FindStringSubmatch(member)[1]))
		})
	}
	return func(r conform.Request) conform.Request {
		r.Body, r.Header = fill(r.Body), slices.Clone(r.Header)
		for i := range r.Header {
			r.Header[i] = fill(r.Header[i])
		}
		return r
	}
}
