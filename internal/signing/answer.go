package signing

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/contract"
)

// tagAnswer marks a signature over an answer of the service.
const tagAnswer = "frontdesk-answer"

// Components of an answer that are signed (RFC 9421 2).
const (
	componentStatus = `"@status"`
	componentType   = `"content-type"`
	componentDigest = `"content-digest"`
)

// ownLabel is the label of a signature whose request named no label that can be met.
const ownLabel = contract.Product

// expiresAfter is the lifetime of a signature when the request asks for expires.
const expiresAfter = 24 * time.Hour

// Answers signs answers of the service on request.
type Answers struct {
	keys []Key // the first signs, unless the caller names another
}

// NewAnswers signs with first, or with one of others when a request names its key id.
func NewAnswers(first Key, others ...Key) *Answers {
	return &Answers{append([]Key{first}, others...)}
}

// SignAnswer puts Content-Digest, Signature-Input and Signature on an answer, as
// the values of Accept-Signature ask (RFC 9421 5). A requested signature that cannot
// be made exactly is skipped; when none can, the answer is signed over its status,
// content type and digest under ownLabel. A malformed header counts as absent
// (RFC 9651 4.2). An answer without content is not signed.
func (a *Answers) SignAnswer(accept []string, status int, header http.Header, body []byte) {
	contentType := header.Values("Content-Type")
	requests, err := parseAccept(accept)
	if err != nil || len(contentType) != 1 {
		return
	}
	digest := contentDigest(body)
	values := map[string]string{
		componentStatus: strconv.Itoa(status), componentType: contentType[0], componentDigest: digest}
	now := time.Now()
	var signatures []signature
	for _, request := range requests {
		if key, ok := a.keyFor(request); ok {
			signatures = append(signatures, request.fulfil(key, values, now))
		}
	}
	if len(signatures) == 0 {
		signatures = append(signatures, ownRequest(requests).fulfil(a.keys[0], values, now))
	}
	header.Set(contract.HeaderContentDigest, digest)
	setSignatures(header, signatures)
	// An intermediary that changed the body would break the signature (RFC 9111 5.2.2.6).
	header.Set("Cache-Control", strings.Join(append(header.Values("Cache-Control"), "no-transform"), ", "))
}

// keyFor returns the key for a requested signature, and whether it can be made.
func (a *Answers) keyFor(r request) (Key, bool) {
	i := 0
	if r.keyID != "" {
		i = slices.IndexFunc(a.keys, func(key Key) bool { return key.ID == r.keyID })
	}
	if i < 0 || !r.fulfillable() {
		return Key{}, false
	}
	return a.keys[i], true
}

// fulfil makes the requested signature.
func (r request) fulfil(key Key, values map[string]string, now time.Time) signature {
	covered := make([]component, len(r.components))
	for i, id := range r.components {
		covered[i] = component{id, values[id]}
	}
	params := fmt.Sprintf(`;created=%d`, now.Unix())
	if r.expires {
		params += fmt.Sprintf(`;expires=%d`, now.Add(expiresAfter).Unix())
	}
	if r.nonce != nil {
		params += ";nonce=" + quoted(*r.nonce)
	}
	if r.algorithm != "" {
		params += ";alg=" + quoted(algorithm)
	}
	params += ";keyid=" + quoted(key.ID) + ";tag=" + quoted(r.tag)
	return key.sign(r.label, covered, params)
}

// ownRequest is the signature made when no request can be fulfilled. Its label must
// differ from those of the requests (RFC 9421 5.2).
func ownRequest(requests []request) request {
	label := ownLabel
	for slices.ContainsFunc(requests, func(r request) bool { return r.label == label }) {
		label += "-own"
	}
	return request{label: label, tag: tagAnswer, components: []string{componentStatus, componentType, componentDigest}}
}
