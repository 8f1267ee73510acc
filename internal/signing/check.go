package signing

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/dadrus/httpsig"
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

// Bounds of what is checked, because a signature costs more to check than to send.
const (
	maxSignatureHeaders = 8 << 10
	maxLabels           = 4
	maxSignatureAge     = 24 * time.Hour
	agentClockSkew      = 5 * time.Second
)

// Check checks the signatures of a request and returns the outcome, with the origin
// of the agent's directory when a signature is verified. body is the request body
// as it was read.
func (a *Agents) Check(r *http.Request, body []byte) (outcome, agent string) {
	if len(r.Header.Values(contract.HeaderSignature)) == 0 && len(r.Header.Values(contract.HeaderSignatureInput)) == 0 {
		return Unsigned, ""
	}
	defer func() {
		if recover() != nil { // the header parser panics on some malformed input
			outcome, agent = Invalid, ""
		}
	}()
	inputs, err := agentSignatures(r.Header)
	if err != nil {
		return Invalid, ""
	}
	outcome = Unverified
	for label, input := range inputs {
		switch found, origin := a.checkLabel(r, body, label, input); found {
		case Verified:
			return Verified, origin
		case Invalid:
			outcome = Invalid
		}
	}
	return outcome, ""
}

// agentSignatures returns the members of Signature-Input that carry the agent tag.
func agentSignatures(header http.Header) (map[string]httpsfv.InnerList, error) {
	size := 0
	for _, name := range []string{contract.HeaderSignature, contract.HeaderSignatureInput, headerSignatureAgent} {
		for _, value := range header.Values(name) {
			size += len(value)
		}
	}
	if size > maxSignatureHeaders {
		return nil, errors.New("the signature headers are too long")
	}
	inputs, err := httpsfv.UnmarshalDictionary(header.Values(contract.HeaderSignatureInput))
	if err != nil {
		return nil, err
	}
	claims := map[string]httpsfv.InnerList{}
	for _, label := range inputs.Names() {
		member, _ := inputs.Get(label)
		list, ok := member.(httpsfv.InnerList)
		if !ok {
			return nil, errors.New("a member of Signature-Input is not a list")
		}
		if tag, _ := list.Params.Get("tag"); tag == tagAgent && len(claims) < maxLabels {
			claims[label] = list
		}
	}
	return claims, nil
}

// checkLabel checks one signature. The key is looked up in the directory that the
// signature itself covers: with only a key id, one agent could pass for another.
func (a *Agents) checkLabel(r *http.Request, body []byte, label string, input httpsfv.InnerList) (outcome, agent string) {
	origin, covered := signatureAgent(r.Header.Values(headerSignatureAgent), label, input)
	switch {
	case origin == "":
		return Unverified, ""
	case !covered || !covers(input, `"@authority"`) && !covers(input, `"@target-uri"`):
		return Invalid, ""
	}
	keys := a.keysOf(origin)
	if keys == nil {
		return Unverified, ""
	}
	err := check(a.message(r, body, label, input),
		func(id string) (publicKey, error) { return find(keys, id) },
		httpsig.WithRequiredTag(tagAgent, httpsig.WithMaxAge(maxSignatureAge), httpsig.WithValidityTolerance(agentClockSkew)))
	switch {
	case err == nil:
		return Verified, origin
	case errors.Is(err, errUnknownKey):
		return Unverified, ""
	}
	return Invalid, ""
}

// componentAgent is the whole Signature-Agent header as a covered component.
const componentAgent = `"signature-agent"`

// signatureAgent returns the origin of the directory that a signature names, and
// whether the signature covers that name. The header is a dictionary with a member
// per signature label; before 2026 it was a single string. A member may be covered
// by its key or with the header as a whole.
func signatureAgent(values []string, label string, input httpsfv.InnerList) (origin string, covered bool) {
	whole := covers(input, componentAgent)
	if len(values) == 1 && strings.HasPrefix(values[0], `"`) {
		item, err := httpsfv.UnmarshalItem(values)
		if err != nil {
			return "", false
		}
		return directoryOrigin(item), whole
	}
	members, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return "", false
	}
	key := label
	if _, ok := members.Get(label); !ok {
		// The test vectors of the draft name the member differently from the
		// signature, so a single covered member counts under any key.
		coveredKeys := slices.DeleteFunc(members.Names(), func(key string) bool { return !whole && !covers(input, agentMember(key)) })
		if len(coveredKeys) != 1 {
			return "", false
		}
		key = coveredKeys[0]
	}
	member, _ := members.Get(key)
	item, _ := member.(httpsfv.Item)
	return directoryOrigin(item), whole || covers(input, agentMember(key))
}

// agentMember is one member of Signature-Agent as a covered component.
func agentMember(key string) string { return componentAgent + ";key=" + quoted(key) }

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

func covers(input httpsfv.InnerList, component string) bool {
	return slices.ContainsFunc(input.Items, func(item httpsfv.Item) bool {
		id, err := httpsfv.Marshal(item)
		return err == nil && id == component
	})
}

// message returns the request with one of its signatures, addressed to the
// configured base address, because the caller chooses the Host header.
func (a *Agents) message(r *http.Request, body []byte, label string, input httpsfv.InnerList) *httpsig.Message {
	header := r.Header.Clone()
	one := httpsfv.NewDictionary()
	one.Add(label, input)
	if text, err := httpsfv.Marshal(one); err == nil {
		header.Set(contract.HeaderSignatureInput, text)
	}
	target := *r.URL
	target.Scheme, target.Host = a.base.Scheme, a.base.Host
	return &httpsig.Message{
		Context: r.Context(), Method: r.Method, Authority: a.base.Host, URL: &target,
		Header: header, IsRequest: true,
		Body: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
	}
}
