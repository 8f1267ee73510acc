package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"frontdesk/conform"
	"frontdesk/contract"
)

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
	times     int
	request   conform.Request
	expected  []expectation
	elsewhere bool // from another client address
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
			p.Sink().Refuse(markOf(r))
		}
		if s.elsewhere {
			p.FromAnotherAddress()
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
		"{mark}":    p.RealMark,
		"{same}":    sync.OnceValue(p.RealMark),
		"{new}":     conform.NewMark,
		"{dry}":     sync.OnceValue(conform.NewMark),
		"{tag}":     func() string { return p.FirstAnswer().HeaderValue("ETag") },
	}
	fill := func(text string) string {
		for name, value := range values {
			if strings.Contains(text, name) {
				text = strings.ReplaceAll(text, name, value())
			}
		}
		return ofFirst.ReplaceAllStringFunc(text, func(member string) string {
			return inJSON(p.FirstAnswer().Text(ofFirst.FindStringSubmatch(member)[1]))
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

// ask is a question to the versioned path, askAgain one to the older path.
func ask(q string, header ...string) conform.Request {
	return conform.PostJSON(contract.PathAsk, questionJSON(q), header...)
}

func askAgain(q string) conform.Request {
	return conform.PostJSON(contract.PathAskAlias, questionJSON(q))
}

func questionJSON(q string) string { return `{"q":` + conform.EncodeJSON(q) + `}` }

// The fields of a valid pilot request. No mail can reach its address (RFC 2606).
const (
	validFields = `"name":"Ada Lovelace","business":"Analytical Engines Ltd","email":"ada@conform.example","message":"Hello there"`
	validForm   = `name=Ada+Lovelace&business=Analytical+Engines&email=ada%40conform.example&message=Hello`
)

// contact is a pilot request as JSON to the versioned path.
func contact(body string, header ...string) conform.Request {
	return conform.PostJSON(contract.PathContact, body, header...)
}

// dryJSON is a valid dry run, with further members.
func dryJSON(members string) string { return `{` + validFields + `,"dry_run":true` + members + `}` }

// dryRun is a dry run to the versioned path, with further header lines.
func dryRun(header ...string) conform.Request { return contact(dryJSON(""), header...) }

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

// forReal marks a request that files a pilot request for real and takes a slot.
func forReal(r conform.Request) conform.Request {
	r.Uses = contract.ContactPolicy.Name
	return r
}

// realSend is a pilot request that is sent for real, with a mark of its own; realAlias is one to
// the older path, realCall one of request_pilot.
var (
	realSend  = forReal(contact(realJSON("{mark}", "")))
	realAlias = forReal(conform.PostJSON(contract.PathContactAlias, realJSON("{mark}", "")))
	realCall  = forReal(call("request_pilot", realJSON("{mark}", "")))
)

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

// head is a HEAD request.
func head(path string, header ...string) conform.Request {
	return conform.Request{Method: "HEAD", Path: path, Header: header}
}

// padded makes a JSON object exactly n bytes long with white space before its last brace.
func padded(object string, n int) string {
	return object[:len(object)-1] + strings.Repeat(" ", n-len(object)) + "}"
}

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
