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
// as it was read. What it costs is bounded by the bounds of input.go.
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
func (a *Agents) checkSignature(r *http.Request, body []byte, s signed, agents agentHeader) (outcome, agent string) {
	origin, covered := agents.of(s.input)
	switch {
	case origin == "":
		return Unverified, ""
	case !covered || !s.covers(`"@authority"`) && !s.covers(`"@target-uri"`):
		return Invalid, ""
	}
	keys := a.keysOf(origin)
	if keys == nil {
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

// agentHeader is the header Signature-Agent: directories by their keys. Before 2026 it
// was a single string, which has the key "".
type agentHeader map[string]string

// agentsOf reads the values of Signature-Agent. A malformed header names no agent.
func agentsOf(values []string) agentHeader {
	single := len(values) == 1 && strings.HasPrefix(values[0], `"`)
	if single {
		values = []string{"single=" + values[0]}
	}
	members, err := dictionary(values, maxHeader)
	if err != nil || single && len(members.Names()) > 1 {
		return nil
	}
	agents := agentHeader{}
	for _, key := range members.Names() {
		member, _ := members.Get(key)
		item, _ := member.(httpsfv.Item)
		if single {
			key = ""
		}
		agents[key] = directoryOrigin(item)
	}
	return agents
}

// componentAgent is the whole Signature-Agent header as a covered component.
const componentAgent = `"signature-agent"`

// agentMember is one member of Signature-Agent as a covered component.
func agentMember(key string) string { return componentAgent + ";key=" + quoted(key) }

// of returns the origin of the directory that a signature names, and whether the
// signature covers that name: by its key, or with the header as a whole.
func (h agentHeader) of(in input) (origin string, covered bool) {
	whole := in.covers(componentAgent)
	if origin, ok := h[""]; ok {
		return origin, whole
	}
	if origin, ok := h[in.label]; ok {
		return origin, whole || in.covers(agentMember(in.label))
	}
	// The test vectors of the draft name the member differently from the signature, so a
	// single covered member counts under any key.
	for key, named := range h {
		if whole || in.covers(agentMember(key)) {
			if covered {
				return "", false
			}
			origin, covered = named, true
		}
	}
	return origin, covered
}

// directoryOrigin reads a value of Signature-Agent: the address of a key set, or the
// origin of a directory as drafts before 2026-08 had it. The query is not part of
// the name, and a member with parameters is ignored, as the draft asks.
func directoryOrigin(item httpsfv.Item) string {
	address, _ := item.Value.(string)
	if item.Params != nil && len(item.Params.Names()) > 0 {
		return ""
	}
	address, _, _ = strings.Cut(address, "?")
	return strings.TrimSuffix(strings.TrimSuffix(address, contract.PathKeyDirectory), "/")
}
