package contract_test

import (
	"fmt"
	"time"

	"frontdesk/contract"
)

// outcome is what the contract says about an answer.
type outcome struct {
	Status     int
	Code       contract.Code // of the problem record
	RPC        int           // of the JSON-RPC error
	Failed     bool          // a result with isError
	Policy     string        // RateLimit-Policy
	Remaining  string        // RateLimit
	RetryAfter int
	Same       string // answers with the same name have the same bytes
}

// rules model the contract's limits, dry runs and keys as simply as possible, independent
// of the service's code.
type rules struct {
	now   time.Time
	down  bool // the mail server fails
	taken map[string]map[int][]time.Time
	keys  map[string]*keyed
	mails []mailTried
	heard time.Duration // the last Retry-After
}

// keyed is the request of a key.
type keyed struct {
	since   time.Time
	inquiry int
	sent    bool
	mail    int // its first in mails
}

// mailTried is a mail that was given to the mail server.
type mailTried struct {
	inquiry int
	first   int // the index of the first try of the same mail
}

func newRules() *rules {
	return &rules{taken: map[string]map[int][]time.Time{}, keys: map[string]*keyed{}}
}

func (m *rules) answer(client int, is meaning) outcome {
	policy, limited := map[string]contract.Policy{
		contract.AskPolicy.Name: contract.AskPolicy, contract.ContactPolicy.Name: contract.ContactPolicy, contract.TrialPolicy.Name: contract.TrialPolicy,
	}[is.policy]
	asks := limited && policy == contract.AskPolicy
	switch {
	case is.fault == contract.PayloadTooLarge && asks && !is.tool: // the route has the policy
		return m.withLimit(outcome{Status: is.fault.Status(), Code: is.fault}, policy, client)
	case is.fault != "":
		return outcome{Status: is.fault.Status(), Code: is.fault}
	case asks:
		o, ok := m.take(policy, client, is)
		if ok && is.invalid {
			return m.withLimit(notValid(is), policy, client)
		}
		return o
	case is.invalid:
		return notValid(is)
	case !limited || is.dry:
		return outcome{Status: 200, Same: is.same}
	case policy == contract.TrialPolicy:
		is.same = ""
		o, _ := m.take(policy, client, is)
		return o
	}
	return m.send(client, is)
}

// notValid returns the answer to a request that validation refuses.
func notValid(is meaning) outcome {
	if is.tool {
		return outcome{Status: 200, RPC: contract.RPCInvalidParams}
	}
	return outcome{Status: 400, Code: contract.InvalidRequest}
}

// withLimit adds the headers of a limit.
func (m *rules) withLimit(o outcome, p contract.Policy, client int) outcome {
	o.Policy, o.Remaining = p.Header(), p.Remaining(p.Quota-len(m.recent(p, client)))
	return o
}

// recent returns the requests of a client that count, the oldest first.
func (m *rules) recent(p contract.Policy, client int) []time.Time {
	if m.taken[p.Name] == nil {
		m.taken[p.Name] = map[int][]time.Time{}
	}
	all := m.taken[p.Name][client]
	for len(all) > 0 && m.now.Sub(all[0]) >= p.Window {
		all = all[1:]
	}
	m.taken[p.Name][client] = all
	return all
}

// take takes a slot if there is one, and returns the answer to a valid request.
func (m *rules) take(p contract.Policy, client int, is meaning) (o outcome, ok bool) {
	recent := m.recent(p, client)
	if len(recent) < p.Quota {
		m.taken[p.Name][client] = append(recent, m.now)
		return m.withLimit(outcome{Status: 200, Same: is.same}, p, client), true
	}
	left := p.Window - m.now.Sub(recent[0])
	o = m.withLimit(outcome{Status: 429, Code: contract.RateLimited}, p, client)
	o.RetryAfter = int((left + time.Second - 1) / time.Second)
	if is.tool {
		o.RPC = contract.RPCServerError
	}
	m.heard = time.Duration(o.RetryAfter) * time.Second
	return o, false
}

// send returns the answer to a valid real send.
func (m *rules) send(client int, is meaning) outcome {
	p := contract.ContactPolicy
	first := len(m.mails)
	scope := fmt.Sprint(inquiries[is.inquiry][contract.FieldEmail], " ", is.key)
	known := m.keys[scope]
	if is.key == "" || known != nil && m.now.Sub(known.since) > contract.KeyLifetime {
		known = nil
	}
	switch {
	case known != nil && known.inquiry != is.inquiry:
		return m.refuse(client, is)
	case known != nil && known.sent:
		return m.withLimit(outcome{Status: 200, Same: m.nameOf(known)}, p, client)
	case known != nil:
		first = known.mail
	}
	is.same = ""
	o, ok := m.take(p, client, is)
	if !ok {
		return o
	}
	if known == nil {
		known = &keyed{since: m.now, inquiry: is.inquiry, mail: first}
	}
	if is.key != "" {
		m.keys[scope] = known
	}
	m.mails = append(m.mails, mailTried{is.inquiry, first})
	if known.sent = !m.down; known.sent {
		o.Same = m.nameOf(known)
		return o
	}
	if is.tool {
		o.Failed, o.Code = true, contract.BadGateway
		return o
	}
	o.Status, o.Code = 502, contract.BadGateway
	return o
}

// refuse refuses a used key: nine times in a window for free, then each takes a slot.
func (m *rules) refuse(client int, is meaning) outcome {
	free := contract.KeyReusePolicy
	if recent := m.recent(free, client); len(recent) < free.Quota {
		m.taken[free.Name][client] = append(recent, m.now)
		return notValid(is)
	}
	if o, ok := m.take(contract.ContactPolicy, client, is); !ok {
		return o
	}
	return notValid(is)
}

// nameOf names the answer to an inquiry by its first mail, which is unique.
func (m *rules) nameOf(k *keyed) string { return fmt.Sprint("inquiry of mail ", k.mail) }
