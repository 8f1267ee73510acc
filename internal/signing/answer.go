package signing

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
)

// tagAnswer marks a signature over an answer of the service, and tagAgent one of an agent over its
// request (draft-ietf-webbotauth-httpsig-protocol-01).
const (
	tagAnswer = "frontdesk-answer"
	tagAgent  = "web-bot-auth"
)

// Components of an answer that are signed (RFC 9421 2).
const (
	componentStatus    = `"@status"`
	componentType      = `"content-type"`
	componentDigest    = `"content-digest"`
	componentAuthority = `"@authority";req` // only of the key directory
)

// answerComponents are what a signature covers unless the request asks for less.
var answerComponents = []string{componentStatus, componentType, componentDigest}

// ownLabel is the label of the signature that is made when no requested one can be made.
const ownLabel = contract.Product

// expiresAfter is the lifetime of a signature when the request asks for expires.
const expiresAfter = 24 * time.Hour

// maxAccept is the longest Accept-Signature header that is read, in bytes.
const maxAccept = 2048

// SignAnswer puts Content-Digest, Signature-Input and Signature on an answer, as
// the values of Accept-Signature ask (RFC 9421 5). A requested signature that cannot
// be made exactly is skipped; when none can, the answer is signed over its status,
// content type and digest under ownLabel. A malformed header counts as absent
// (RFC 9651 4.2). An answer without content is not signed.
func (k *Keys) SignAnswer(accept []string, status int, header http.Header, body []byte) {
	contentType := header.Values("Content-Type")
	requested, err := dictionary(accept, maxAccept)
	if err != nil || len(requested.Names()) == 0 || len(contentType) != 1 {
		return
	}
	digest := contentDigest(body)
	values := map[string]string{
		componentStatus: strconv.Itoa(status), componentType: contentType[0], componentDigest: digest}
	labels := requested.Names()[:min(len(requested.Names()), maxLabels)]
	now := time.Now()
	var signatures []signed
	for _, label := range labels {
		member, _ := requested.Get(label)
		list, _ := member.(httpsfv.InnerList)
		in, _ := newInput(label, list) // a malformed one covers nothing
		if made, ok := k.fulfil(in, values, now); ok {
			signatures = append(signatures, made)
		}
	}
	if len(signatures) == 0 {
		label := ownLabel // it must differ from the labels of the request (RFC 9421 5.2)
		for slices.Contains(labels, label) {
			label += "-own"
		}
		made, _ := k.fulfil(inputOf(label, answerComponents...), values, now)
		signatures = append(signatures, made)
	}
	header.Set(contract.HeaderContentDigest, digest)
	setSignatures(header, signatures)
	// An intermediary that changed the body would break the signature (RFC 9111 5.2.2.6).
	header.Set("Cache-Control", strings.Join(append(header.Values("Cache-Control"), "no-transform"), ", "))
}

// fulfil makes a requested signature, and reports whether it can be made exactly as
// requested. It must cover status and digest, so that it can never pass for a signed
// request or a signed key directory, whatever its tag.
func (k *Keys) fulfil(in input, values map[string]string, now time.Time) (made signed, ok bool) {
	if !covers(answerComponents, in.components...) || !covers(in.components, componentStatus, componentDigest) {
		return signed{}, false
	}
	requested, keyID, tag := in.Params, k.keys[0].ID, tagAnswer
	in.Params = httpsfv.NewParams()
	in.Params.Add("created", now.Unix())
	for _, name := range requested.Names() {
		value, _ := requested.Get(name)
		text, isText := value.(string)
		switch {
		case name == "created": // every signature has it
		case name == "expires":
			in.Params.Add(name, now.Add(expiresAfter).Unix())
		case name == "nonce" && isText, name == "alg" && text == algorithm:
			in.Params.Add(name, text)
		case name == "keyid" && isText:
			keyID = text
		case name == "tag" && isText && text != tagDirectory && text != tagAgent:
			tag = text
		default:
			return signed{}, false
		}
	}
	in.Params.Add("keyid", keyID)
	in.Params.Add("tag", tag)
	i := slices.IndexFunc(k.keys, func(key Key) bool { return key.ID == keyID })
	if i < 0 {
		return signed{}, false
	}
	return k.keys[i].sign(in, values), true
}
