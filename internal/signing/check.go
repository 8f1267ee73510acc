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

// What is known of the signature of a request. It is for statistics alone: the
// service is anonymous, and refuses nobody for a signature.
const (
	Unsigned   = ""           // there is no signature
	Verified   = "verified"   // an agent of the list has signed
	Invalid    = "invalid"    // malformed, out of time, or not what was signed
	Unverified = "unverified" // by an agent that is not on the list, or by a key that is not known
)

// tagAgent marks the signature of an agent over its request
// (draft-meunier-webbotauth-httpsig-protocol-02).
const tagAgent = "web-bot-auth"

const headerSignatureAgent = "Signature-Agent"

// Bounds of what is looked at: a signature costs more to check than to send.
const (
	maxSignatureHeaders = 8 << 10
	maxLabels           = 4
	maxSignatureAge     = 24 * time.Hour
	agentClockSkew      = 5 * time.Second
)

// Check looks at the signatures of a request, and names the directory of the
// agent when one is verified. body is the body that was read.
func (a *Agents) Check(r *http.Request, body []byte) (outcome, agent string) {
	if len(r.Header.Values(contract.HeaderSignature)) == 0 && len(r.Header.Values(contract.HeaderSignatureInput)) == 0 {
		return Unsigned, ""
	}
	defer func() {
		if recover() != nil { // the parser of signature headers is not ours
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

// agentSignatures are the members of Signature-Input that claim to be an agent's.
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
			return nil, errors.New("a member of Signature-Input is no list")
		}
		if tag, _ := list.Params.Get("tag"); tag == tagAgent && len(claims) < maxLabels {
			claims[label] = list
		}
	}
	return claims, nil
}

// checkLabel looks at one signature. The key is looked up in the very directory
// that the request names under the same cover: a key id alone would let a signer
// pass for another agent.
func (a *Agents) checkLabel(r *http.Request, body []byte, label string, input httpsfv.InnerList) (outcome, agent string) {
	origin, covered := signatureAgent(r.Header.Values(headerSignatureAgent), label)
	switch {
	case origin == "":
		return Unverified, ""
	case !covers(input, covered) || !covers(input, `"@authority"`) && !covers(input, `"@target-uri"`):
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

// signatureAgent reads which directory the signer names for a label, as an
// origin, and the component that must be covered for that to count. Before
// 2026 the header was a single string.
func signatureAgent(values []string, label string) (origin, component string) {
	var named any
	if len(values) == 1 && strings.HasPrefix(values[0], `"`) {
		item, err := httpsfv.UnmarshalItem(values)
		if err != nil {
			return "", ""
		}
		named, component = item.Value, `"signature-agent"`
	} else {
		members, err := httpsfv.UnmarshalDictionary(values)
		if err != nil {
			return "", ""
		}
		member, _ := members.Get(label)
		item, _ := member.(httpsfv.Item)
		named, component = item.Value, `"signature-agent";key=`+quoted(label)
	}
	address, _ := named.(string)
	// Newer drafts name the key set itself.
	return strings.TrimSuffix(strings.TrimSuffix(address, contract.PathKeyDirectory), "/"), component
}

func covers(input httpsfv.InnerList, component string) bool {
	return slices.ContainsFunc(input.Items, func(item httpsfv.Item) bool {
		id, err := httpsfv.Marshal(item)
		return err == nil && id == component
	})
}

// message is the request with one of its signatures, at the configured address:
// what stands in Host is the caller's word.
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
