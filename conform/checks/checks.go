// Package checks holds the contract as checks for package conform: one file for each
// topic, one Check for each sentence. requests.go builds the requests.
//
// A rule has one check, or few. They do not try every way to break it: testdata/badinputs.jsonl
// lists malformed requests.
package checks

import (
	"regexp"
	"slices"
	"strings"

	"frontdesk/conform"
	"frontdesk/contract"
)

// LeastQuota is the smallest quota of a policy with which a service can be checked, because some
// checks need that many slots.
const LeastQuota = 3

// Contract returns the checks of the contract, in the order of its sections. A service whose
// limits differ from the contract's is checked by the given policies.
func Contract(policies ...contract.Policy) []conform.Check {
	l := &list{ask: contract.AskPolicy, contact: contract.ContactPolicy, trial: contract.TrialPolicy}
	for _, policy := range []*contract.Policy{&l.ask, &l.contact, &l.trial} {
		for _, given := range policies {
			if given.Name == policy.Name {
				*policy = given
			}
		}
	}
	for _, add := range []func(*list){invariants, documents, pages, reading, asking, feedback, contacting, fields, bodies,
		characters, questionBodies, access, origins, failures, limited, caps, transport, tools, arguments, toolLimits,
		resources, trials, sending, mails, idempotent} {
		add(l)
	}
	slices.SortStableFunc(l.checks, func(a, b conform.Check) int { return strings.Compare(a.Section, b.Section) })
	return l.checks
}

// list collects checks. Its methods return the added check, so that the caller can set more of it.
type list struct {
	checks              []conform.Check
	ask, contact, trial contract.Policy
}

// run adds a check of its own code.
func (l *list) run(section, name, sentence string, run func(*probe)) *conform.Check {
	l.checks = append(l.checks, conform.Check{Section: section, Name: name, Sentence: sentence, Run: run})
	return &l.checks[len(l.checks)-1]
}

// countedRun is run for a check that takes the given slots of a policy; it runs only on loopback.
func (l *list) countedRun(section, name, sentence string, policy contract.Policy, slots int,
	run func(*probe)) *conform.Check {
	check := l.run(section, name, sentence, run)
	check.Slots, check.LoopbackOnly = map[contract.Policy]int{policy: slots}, true
	return check
}

// one adds a check that sends one request and examines its answer.
func (l *list) one(section, name, sentence string, r request, expected ...expectation) *conform.Check {
	return l.several(section, name, sentence, send(r, expected...))
}

// several adds a check that sends requests in turn. It declares the slots that they take.
func (l *list) several(section, name, sentence string, steps ...step) *conform.Check {
	check := l.run(section, name, sentence, func(p *probe) { play(p, steps) })
	check.Slots = map[contract.Policy]int{}
	for _, s := range steps {
		for _, r := range s.requests {
			check.NeedsMail = check.NeedsMail || r.FailsDelivery
			for _, policy := range []contract.Policy{l.ask, l.contact, l.trial} {
				if r.Policy() == policy.Name {
					check.Slots[policy]++
				}
			}
		}
	}
	return check
}

// onLoopback adds a check that may run only on loopback, because it exceeds a limit or counts slots.
func (l *list) onLoopback(section, name, sentence string, steps ...step) *conform.Check {
	check := l.several(section, name, sentence, steps...)
	check.LoopbackOnly = true
	return check
}

// mailed is several for a check that reads mail.
func (l *list) mailed(section, name, sentence string, steps ...step) {
	l.several(section, name, sentence, steps...).NeedsMail = true
}

// step is some requests of a check, sent in turn, and what is expected of each answer.
type step struct {
	requests []request
	expected []expectation
}

func send(r request, expected ...expectation) step { return step{[]request{r}, expected} }

func sendAll(expected expectation, requests ...request) step {
	return step{requests, []expectation{expected}}
}

// sendEach sends a request of each text.
func sendEach(expected expectation, of maker, texts ...string) step {
	s := step{expected: []expectation{expected}}
	for _, text := range texts {
		s.requests = append(s.requests, of(text))
	}
	return s
}

// repeat sends a request several times with success.
func repeat(times int, r request) step {
	return step{slices.Repeat([]request{r}, times), []expectation{isOK}}
}

// useUp sends requests in turn until no slot of a policy is left.
func useUp(policy contract.Policy, requests ...request) (steps []step) {
	for i := range policy.Quota {
		steps = append(steps, send(requests[i%len(requests)], isOK, taken(policy, i+1)))
	}
	return steps
}

func play(p *probe, steps []step) {
	fill := filler(p)
	for _, s := range steps {
		for _, r := range s.requests {
			r = fill(r)
			if r.FailsDelivery {
				p.Options.Sink.Refuse(markOf(r))
			}
			p.Send(r, s.expected...)
		}
	}
}

// known is replaced with a question that has an approved answer.
const known = "{question}"

// placeholder is a word in braces, such as {service} or {first.digest}, a member of the check's
// first answer.
var placeholder = regexp.MustCompile(`\{(first\.)?(\w+)\}`)

// filler returns a function that replaces words in braces with what is only known when a
// check runs. {mark} is new at each place; {same} and {other} stay the same within a check.
func filler(p *probe) func(request) request {
	same, other := newMark(), newMark()
	value := func(name string) string {
		switch name {
		case known:
			return p.KnownQuestion()
		case "{spaced}":
			return "\t " + strings.ReplaceAll(p.KnownQuestion(), " ", " \n\t") + "\u00a0"
		case "{service}":
			return p.KnownService()
		case "{base}":
			return p.BaseURL
		case "{origin}":
			return p.Origin.Scheme + "://" + p.Origin.Host
		case "{host}":
			return p.Origin.Host
		case "{name}":
			return p.Origin.Hostname()
		case "{scheme}":
			return p.Origin.Scheme
		case "{flipped}":
			return map[string]string{"http": "https", "https": "http"}[p.Origin.Scheme]
		case "{mark}":
			return newMark()
		case "{same}":
			return same
		case "{other}":
			return other
		case "{tag}":
			return p.FirstAnswer.HeaderValue("ETag")
		}
		if member := placeholder.FindStringSubmatch(name); member[1] != "" {
			return p.FirstAnswer.Text(member[2])
		}
		return name
	}
	inJSON := func(name string) string { return strings.TrimSuffix(encode(value(name))[1:], `"`) }
	return func(r request) request {
		r.Body, r.Header = placeholder.ReplaceAllStringFunc(r.Body, inJSON), slices.Clone(r.Header)
		for i := range r.Header {
			r.Header[i] = placeholder.ReplaceAllStringFunc(r.Header[i], value)
		}
		return r
	}
}
