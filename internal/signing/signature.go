package signing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
)

// algorithm is the registered name of Ed25519 (RFC 9421).
const algorithm = "ed25519"

// component is one covered part of a message: its identifier as serialized in
// Signature-Input, and its value.
type component struct{ id, value string }

// signatureBase is what is signed (RFC 9421 2.5). params is the member of
// Signature-Input without its label.
func signatureBase(components []component, params string) []byte {
	var base strings.Builder
	for _, c := range components {
		base.WriteString(c.id + ": " + c.value + "\n")
	}
	base.WriteString(`"@signature-params": ` + params)
	return []byte(base.String())
}

// signature is one signature as the dictionary members of its two headers.
type signature struct{ input, value string }

// sign signs components under a label. params is what follows the list of
// components in Signature-Input.
func (k Key) sign(label string, components []component, params string) signature {
	ids := make([]string, len(components))
	for i, c := range components {
		ids[i] = c.id
	}
	input := "(" + strings.Join(ids, " ") + ")" + params
	signed := ed25519.Sign(k.private, signatureBase(components, input))
	return signature{label + "=" + input, label + "=" + byteSequence(signed)}
}

// setSignatures sets the two headers of signatures (RFC 9421 4).
func setSignatures(header http.Header, signatures []signature) {
	var inputs, values []string
	for _, s := range signatures {
		inputs, values = append(inputs, s.input), append(values, s.value)
	}
	header.Set(contract.HeaderSignatureInput, strings.Join(inputs, ", "))
	header.Set(contract.HeaderSignature, strings.Join(values, ", "))
}

// contentDigest is the value of Content-Digest (RFC 9530) for a body.
func contentDigest(body []byte) string {
	sum := sha256.Sum256(body)
	return "sha-256=" + byteSequence(sum[:])
}

// byteSequence serializes bytes as RFC 9651 4.1.8 does.
func byteSequence(b []byte) string { return ":" + base64.StdEncoding.EncodeToString(b) + ":" }

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quoted serializes a string that was parsed as one (RFC 9651 4.1.6).
func quoted(s string) string { return `"` + escapes.Replace(s) + `"` }

// Bounds of a header that is parsed, because parsing costs far more than sending: a
// signature covers a handful of components and has a handful of parameters.
const (
	maxHeader     = 8 << 10 // bytes
	maxParts      = 128     // members, items and parameters together
	maxComponents = 16      // of one signature
	maxLabels     = 4       // signatures of a message that are looked at
)

var errMalformed = errors.New("the signature headers are malformed")

// dictionary parses the values of a header of at most limit bytes (RFC 9651 3.2).
func dictionary(values []string, limit int) (*httpsfv.Dictionary, error) {
	size, parts := 0, len(values)
	for _, value := range values {
		size += len(value)
		// One of these is between any two parts; those inside a string count too.
		parts += strings.Count(value, ",") + strings.Count(value, " ") + strings.Count(value, ";")
	}
	if size > limit || parts > maxParts {
		return nil, errMalformed
	}
	return httpsfv.UnmarshalDictionary(values)
}

// input is a member of Signature-Input or Accept-Signature: what a signature covers,
// and its parameters.
type input struct {
	httpsfv.InnerList
	label      string
	components []string // the items of the list, serialized once
}

// newInput reads a list. Its items must be strings, and each may occur once.
func newInput(label string, list httpsfv.InnerList) (input, error) {
	in := input{InnerList: list, label: label}
	for _, item := range list.Items {
		id, err := httpsfv.Marshal(item)
		if _, named := item.Value.(string); err != nil || !named || in.covers(id) || len(in.components) == maxComponents {
			return input{}, errMalformed
		}
		in.components = append(in.components, id)
	}
	return in, nil
}

func (in input) covers(components ...string) bool {
	return !slices.ContainsFunc(components, func(id string) bool { return !slices.Contains(in.components, id) })
}

// text returns a parameter that is a string. One of another type counts as absent.
func (in input) text(name string) string {
	value, _ := in.Params.Get(name)
	text, _ := value.(string)
	return text
}

// moment returns a parameter that is a time, and whether it is present.
func (in input) moment(name string) (time.Time, bool) {
	value, _ := in.Params.Get(name)
	seconds, ok := value.(int64)
	return time.Unix(seconds, 0), ok
}

// signed is a signature that was received.
type signed struct {
	input
	value []byte // nil if it is missing
}

// signaturesOf returns the signatures with a tag among the headers of a message, at most
// maxLabels of them. It fails when a header is malformed.
func signaturesOf(header http.Header, tag string) ([]signed, error) {
	inputs, err := dictionary(header.Values(contract.HeaderSignatureInput), maxHeader)
	if err != nil {
		return nil, errMalformed
	}
	values, err := dictionary(header.Values(contract.HeaderSignature), maxHeader)
	if err != nil {
		return nil, errMalformed
	}
	var found []signed
	for _, label := range inputs.Names() {
		member, _ := inputs.Get(label)
		list, ok := member.(httpsfv.InnerList)
		if !ok {
			return nil, errMalformed
		}
		if given, _ := list.Params.Get("tag"); given != tag || len(found) == maxLabels {
			continue
		}
		in, err := newInput(label, list)
		if err != nil {
			return nil, err
		}
		value, _ := values.Get(label)
		item, _ := value.(httpsfv.Item)
		signature, _ := item.Value.([]byte)
		found = append(found, signed{in, signature})
	}
	return found, nil
}
