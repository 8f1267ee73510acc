package contract_test

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"frontdesk/contract"
)

// step is one event: some time passes, then a request is sent, possibly several times concurrently, or the mail server
// changes.
type step struct {
	after   time.Duration
	patient bool // wait for the last Retry-After
	mail    mailState
	client  int
	times   int // how many at once; 0 for no request

	method, path string
	header       http.Header
	body         string // "{digest}" in it is the digest of the inquiry's dry run
	is           semantic
}

type mailState int

const (
	mailStays mailState = iota
	mailFails
	mailWorks
)

// semantic is how the contract reads a request.
type semantic struct {
	fault   contract.Code // the refusal of a layer before the limit, if any
	policy  string        // the limit of which it may take a slot
	invalid bool          // validation refuses it
	tool    bool          // it is a call of a tool
	person  string        // for whom an assistant says that it calls
	dry     bool
	key     string // Idempotency-Key
	inquiry int    // the index in inquiries
	same    string // requests with the same name get the same bytes
}

var inquiries = []map[string]any{
	{"name": "Ada Lovelace", "business": "Analytical Engines", "email": "ada@example.com", "message": "Hello there"},
	{"name": "Zoë", "business": "東京 Co", "email": "zoe@example.org", "message": "Two\nlines", "phone": "+49 30 1234"},
	{"name": "Ada Lovelace", "business": "Analytical Engines", "email": "ada@example.com", "message": "Hello there", "segment": "law"},
}

var questions = []string{"What does Linden Desk do?", "Who is it for?", "Zxqv wvut qqzz kjhg plmn?"}

// clientsOfProperty are clients of their own; the pooled ones are addresses of an assistant.
const clientsOfProperty, pooledClients = 3, 2

type source struct{ *rand.Rand }

func (g source) steps(n int) []step {
	steps := make([]step, n)
	for i := range steps {
		steps[i] = g.step()
	}
	return steps
}

func (g source) one(in int) bool { return g.IntN(in) == 0 }

func (g source) step() step {
	var s step
	switch g.IntN(10) {
	case 0, 1, 2:
		s = g.question()
	case 3:
		s = g.feedback()
	case 4, 5, 6, 7:
		s = g.contact()
	case 8:
		s = g.trial()
	default:
		s = g.reading()
	}
	if s.times = 1; s.is.key == "" && g.one(8) {
		s.times = 2 + g.IntN(6)
	}
	s.client = g.IntN(clientsOfProperty + pooledClients)
	if s.client >= clientsOfProperty && s.is.key == "" && g.one(5) {
		s.times = 10 + g.IntN(contract.AskPolicy.Pool) // so that the limits of the pool are reached
	}
	if s.is.tool && !g.one(3) {
		g.name(&s)
	}
	s.mail = []mailState{mailFails, mailWorks, mailWorks, mailStays}[min(g.IntN(30), 3)]
	if g.one(10) {
		g.spoil(&s)
	}
	g.pass(&s)
	return s
}

func (g source) name(s *step) {
	s.is.person = []string{"ada", "grace", "edsger"}[g.IntN(3)]
	s.body = strings.Replace(s.body, `"params":{`, `"params":{"_meta":{"`+contract.MetaSubject+`":"`+s.is.person+`"},`, 1)
}

// pass lets time pass before a step, mostly none, so that limits are reached.
func (g source) pass(s *step) {
	switch g.IntN(12) {
	case 0:
		s.after = time.Duration(1+g.IntN(20_000)) * time.Millisecond
	case 1:
		s.after = []time.Duration{time.Minute, time.Minute - 1, time.Second}[g.IntN(3)]
	case 2, 3:
		s.patient = true
	case 4:
		if g.one(6) {
			s.after = contract.KeyLifetime + time.Hour
		}
	}
}

func (g source) spoil(s *step) {
	s.is.fault = []contract.Code{contract.Forbidden, contract.NotFound, contract.MethodNotAllowed, contract.PayloadTooLarge}[g.IntN(4)]
	switch s.is.fault {
	case contract.Forbidden:
		s.header.Set("Origin", "https://elsewhere.example")
	case contract.NotFound:
		s.path += "/"
	case contract.MethodNotAllowed:
		s.method = "PUT"
	default:
		if s.method == "GET" {
			s.is.fault = ""
			return
		}
		s.body += strings.Repeat(" ", contract.CapContact)
	}
}
