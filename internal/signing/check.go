package signing

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
)

// Outcomes of checking the signature of a request. They only feed statistics: the
// service is anonymous and refuses no one because of a signature.
const (
	Unsigned   = ""           // no signature
	Verified   = "verified"   // signed by a listed agent
	Invalid    = "invalid"    // malformed, expired, or not over this request
	Unverified = "unverified" // signed by an unlisted agent or an unknown key
)

// tagAgent marks the signature of an agent over its request
// (draft-ietf-webbotauth-httpsig-protocol-01).
const tagAgent = "web-bot-auth"

const headerSignatureAgent = "Signature-Agent"

// agentWindow is when the signature of an agent may have been made.
var agentWindow = window{age: 24 * time.Hour, skew: 5 * time.Second}

// Check checks the signatures of a request and returns the outcome, with the origin
// of the agent's directory when a signature is verified. body is the request body
// as it was read. What it costs is bounded by the bounds of signature.go.
func (a *Agents) Check(r *http.Request, body []byte) (outcome, agent string) {
	if len(r.Header.Values(contract.HeaderSignature)) == 0 && len(r.Header.Values(contract.HeaderSignatureInput)) == 0 {
		return Unsigned, ""
	}
	signatures, err := signaturesOf(r.Header, tagAgent)
	if err != nil {
		return Invalid, ""
	}
	outcome = Unverified
	agents := agentsOf(r.Header.Values(headerSignatureAgent))
	for _, s := range signatures {
		switch found, origin := a.checkSignature(r, body, s, agents); found {
		case Verified:
			return Verified, origin
		case Invalid:
			outcome = Invalid
		}
	}
	return outcome, ""
}

// checkSignature checks one signature. The key is looked up in the directory that the
// signature itself covers: with only a key id, one agent could pass for another.
func (a *Agents) checkSignature(r *http.Request, body []byte, s signed, agents *httpsfv.Dictionary) (outcome,
	agent string) {
	origin, covered := agentOf(agents, s.input)
	keys := a.keysOf(origin)
	switch {
	case origin == "":
		return Unverified, ""
	case !covered, !s.covers(`"@authority"`) && !s.covers(`"@target-uri"`):
		return Invalid, ""
	case keys == nil:
		return Unverified, ""
	}
	// The message is addressed to the configured base address, because the caller chooses
	// the Host header.
	target := *r.URL
	target.Scheme, target.Host = a.base.Scheme, a.base.Host
	received := &message{method: r.Method, url: &target, header: r.Header, body: body}
	switch err := received.verify(s, keys, agentWindow); {
	case err == nil:
		return Verified, origin
	case errors.Is(err, errUnknownKey):
		return Unverified, ""
	}
	return Invalid, ""
}

// single is the key under which agentsOf puts the single string that Signature-Agent was
// before 2026.
const single = "single"

// agentsOf reads the values of Signature-Agent. A malformed header names no agent.
func agentsOf(values []string) *httpsfv.Dictionary {
	if len(values) == 1 && strings.HasPrefix(values[0], `"`) {
		values = []string{single + "=" + values[0]}
	}
	agents, err := dictionary(values, maxHeader)
	if err != nil {
		return httpsfv.NewDictionary()
	}
	return agents
}

// agentOf returns the origin of the directory that Signature-Agent names for a signature,
// and whether the signature covers that name: its member, or the whole header. A member has
// the label of the signature or, as in the test vectors of the draft, is the only one that
// is covered.
func agentOf(agents *httpsfv.Dictionary, in input) (origin string, covered bool) {
	whole := in.covers(`"signature-agent"`)
	covers := func(key string) bool { return whole || in.covers(`"signature-agent";key=`+quoted(key)) }
	for _, key := range []string{in.label, single} {
		if member, ok := agents.Get(key); ok {
			return directoryOrigin(member), covers(key)
		}
	}
	for _, key := range agents.Names() {
		if !covers(key) {
			continue
		}
		if covered {
			return "", false // which one is meant is not clear
		}
		member, _ := agents.Get(key)
		origin, covered = directoryOrigin(member), true
	}
	return origin, covered
}

// directoryOrigin reads a member of Signature-Agent: the address of a key set, or the
// origin of a directory as drafts before 2026-08 had it. The query is not part of
// the name, and a member with parameters is ignored, as the draft asks.
func directoryOrigin(member httpsfv.Member) string {
	item, _ := member.(httpsfv.Item)
	address, _ := item.Value.(string)
	if item.Params != nil && len(item.Params.Names()) > 0 {
		return ""
	}
	address, _, _ = strings.Cut(address, "?")
	return strings.TrimSuffix(strings.TrimSuffix(address, contract.PathKeyDirectory), "/")
}
