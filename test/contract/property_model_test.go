package contract_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/test/harness"
)

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

// rules model the contract as simply as possible, independent of the service's code.
type rules struct {
	now   time.Time
	down  bool                              // the mail server fails
	taken map[string]map[string][]time.Time // by policy and by client, person or pool
	keys  map[string]*keyed
	mails []mailTried
	heard time.Duration // the last Retry-After
}

type keyed struct {
	since   time.Time
	inquiry int
	sent    bool
	mail    int // its first in mails
}

type mailTried struct {
	inquiry int
	first   int // the index of the first try of the same mail
}

func newRules() *rules {
	return &rules{taken: map[string]map[string][]time.Time{}, keys: map[string]*keyed{}}
}

// A request counts against a client or a person, a pool, or both. An assistant names a person in a call from its pool.
type caller struct{ own, pool string }

func callerOf(client int, is semantic) caller {
	switch {
	case client < clientsOfProperty:
		return caller{own: fmt.Sprint("client ", client)}
	case is.tool && is.person != "":
		return caller{"person " + is.person, "pool"}
	}
	return caller{pool: "pool"}
}

func (c caller) quotas(p contract.Policy) map[string]int {
	quotas := map[string]int{c.own: p.Quota, c.pool: p.Pool}
	delete(quotas, "")
	return quotas
}

func (m *rules) answer(client int, is semantic) outcome {
	who := callerOf(client, is)
	policy := is.policy
	asks := policy == contract.AskPolicy
	switch {
	case is.fault == contract.PayloadTooLarge && asks && !is.tool: // the route has the policy
		return m.withLimit(outcome{Status: is.fault.Status(), Code: is.fault}, policy, who)
	case is.fault != "":
		return outcome{Status: is.fault.Status(), Code: is.fault}
	case asks:
		o, ok := m.take(policy, who, is)
		if ok && is.invalid {
			return m.withLimit(notValid(is), policy, who)
		}
		return o
	case is.invalid:
		return notValid(is)
	case policy.Name == "" || is.dry:
		return outcome{Status: 200, Same: is.same}
	case policy == contract.TrialPolicy:
		is.same = ""
		o, _ := m.take(policy, who, is)
		return o
	}
	return m.send(client, who, is)
}

func notValid(is semantic) outcome {
	if is.tool {
		return outcome{Status: 200, RPC: contract.RPCInvalidParams}
	}
	return outcome{Status: 400, Code: contract.InvalidRequest}
}

func (m *rules) withLimit(o outcome, p contract.Policy, who caller) outcome {
	left := p.Quota - len(m.recent(p, who.own))
	if who.pool != "" {
		if n := p.Pool - len(m.recent(p, who.pool)); who.own == "" || n < left {
			p, left = p.OfPool(), n
		}
	}
	o.Policy, o.Remaining = p.Header(), p.Remaining(left)
	return o
}

func (m *rules) recent(p contract.Policy, name string) []time.Time {
	if m.taken[p.Name] == nil {
		m.taken[p.Name] = map[string][]time.Time{}
	}
	all := m.taken[p.Name][name]
	for len(all) > 0 && m.now.Sub(all[0]) >= p.Window {
		all = all[1:]
	}
	m.taken[p.Name][name] = all
	return all
}

func (m *rules) take(p contract.Policy, who caller, is semantic) (o outcome, ok bool) {
	var left time.Duration // until there is a slot
	for name, quota := range who.quotas(p) {
		if recent := m.recent(p, name); len(recent) >= quota {
			left = max(left, p.Window-m.now.Sub(recent[0]))
		}
	}
	if left == 0 {
		for name := range who.quotas(p) {
			m.taken[p.Name][name] = append(m.recent(p, name), m.now)
		}
		return m.withLimit(outcome{Status: 200, Same: is.same}, p, who), true
	}
	o = m.withLimit(outcome{Status: 429, Code: contract.RateLimited}, p, who)
	o.RetryAfter = int((left + time.Second - 1) / time.Second)
	if is.tool {
		o.RPC = contract.RPCServerError
	}
	m.heard = time.Duration(o.RetryAfter) * time.Second
	return o, false
}

func (m *rules) send(client int, who caller, is semantic) outcome {
	p := contract.ContactPolicy
	first := len(m.mails)
	scope := fmt.Sprint(inquiries[is.inquiry][contract.FieldEmail], " ", is.key)
	known := m.keys[scope]
	if is.key == "" || known != nil && m.now.Sub(known.since) > contract.KeyLifetime {
		known = nil
	}
	switch {
	case known != nil && known.inquiry != is.inquiry:
		return m.refuse(client, who, is)
	case known != nil && known.sent:
		return m.withLimit(outcome{Status: 200, Same: m.nameOf(known)}, p, who)
	case known != nil:
		first = known.mail
	}
	if is.stale {
		return notValid(is)
	}
	is.same = ""
	o, ok := m.take(p, who, is)
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

// A used key is refused nine times in a window for free, then each takes a slot. Of a pool each address counts for
// itself, if no person is named.
func (m *rules) refuse(client int, who caller, is semantic) outcome {
	free, name := contract.KeyReusePolicy, cmp.Or(who.own, fmt.Sprint("client ", client))
	if recent := m.recent(free, name); len(recent) < free.Quota {
		m.taken[free.Name][name] = append(recent, m.now)
		return notValid(is)
	}
	if o, ok := m.take(contract.ContactPolicy, who, is); !ok {
		return o
	}
	return notValid(is)
}

func (m *rules) nameOf(k *keyed) string { return fmt.Sprint("inquiry of mail ", k.mail) }

type rpcAnswer struct {
	Error  *struct{ Code int }
	Result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
}

// fault says what is wrong without regard to the model.
func observed(a *httptest.ResponseRecorder) (o outcome, fault string) {
	header := a.Header()
	o.Status, o.Policy = a.Code, only(header, contract.HeaderRateLimitPolicy)
	o.Remaining = only(header, contract.HeaderRateLimit)
	if fault := faultOf(a.Code, header, a.Body.Bytes()); fault != "" {
		return o, fault
	}
	if seconds := only(header, contract.HeaderRetryAfter); seconds != "" {
		var err error
		if o.RetryAfter, err = strconv.Atoi(seconds); err != nil {
			return o, contract.HeaderRetryAfter + " is no number"
		}
	}
	var problem struct{ Code contract.Code }
	if a.Code >= 400 {
		_ = json.Unmarshal(a.Body.Bytes(), &problem) // faultOf has parsed it
		if problem.Code == contract.BadGateway {     // its Retry-After is advice, not a limit
			o.RetryAfter = 0
		}
	}
	var message rpcAnswer
	if json.Unmarshal(a.Body.Bytes(), &message) == nil {
		if message.Error != nil {
			o.RPC = message.Error.Code
		}
		if o.Failed = message.Result.IsError; o.Failed {
			if json.Unmarshal([]byte(message.Result.Content[0].Text), &problem) != nil {
				return o, "a failed result holds no problem record"
			}
		}
	}
	o.Code = problem.Code
	return o, ""
}

func only(header http.Header, name string) string {
	return strings.Join(header.Values(name), " and ")
}

func essence(body []byte, tool bool) string {
	if tool {
		var message rpcAnswer
		_ = json.Unmarshal(body, &message) // observed has parsed it
		body = message.Result.StructuredContent
	}
	return strings.TrimSpace(string(body))
}

// faultOf judges an answer without regard to its request.
func faultOf(status int, header http.Header, body []byte) string {
	switch {
	case only(header, "X-Content-Type-Options") != "nosniff":
		return "sniffing is not forbidden"
	case only(header, contract.HeaderRequestID) == "":
		return "no " + contract.HeaderRequestID
	case header["Set-Cookie"] != nil:
		return "a cookie is set"
	case (status == 429) != (header.Get(contract.HeaderRetryAfter) != "") && status != 502:
		return contract.HeaderRetryAfter + " is only allowed with 429"
	case status < 400:
		return ""
	}
	return problemFault(status, header, body)
}

func problemFault(status int, header http.Header, body []byte) string {
	if kind := only(header, "Content-Type"); kind != contract.TypeProblem {
		return fmt.Sprintf("an error is %s", kind)
	}
	// A refusal of the MCP transport has a JSON-RPC error in place of the text.
	var record struct {
		contract.Problem
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &record); err != nil {
		return fmt.Sprintf("the problem record: %v", err)
	}
	p := record.Problem
	switch info := p.Code.Info(); {
	case info.Code != p.Code:
		return fmt.Sprintf("no such code: %s", p.Code)
	case p.Status != status:
		return fmt.Sprintf("the record's status is %d, the answer's %d", p.Status, status)
	case info.Status != status && status != 406:
		return fmt.Sprintf("%s is not the code of %d", p.Code, status)
	case p.Title == "" || p.Detail == "" || p.Hint == "" || p.Type != harness.Base+"/developers#errors-"+string(p.Code):
		return fmt.Sprintf("an empty field or a wrong type: %+v", p)
	case p.RequestID != header.Get(contract.HeaderRequestID):
		return fmt.Sprintf("the record's request_id is %q, not that of %v", p.RequestID, header)
	case p.OK || len(record.Error) == 0 || string(record.Error) == `""`:
		return "ok is true, or there is no error"
	}
	return ""
}
