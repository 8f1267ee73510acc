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

// signed is one signature of a message.
type signed struct {
	input
	value []byte // nil if it is missing
}

// sign signs the components of in, whose values are given.
func (k Key) sign(in input, values map[string]string) signed {
	base, _ := in.base(values) // its parts were parsed or are ours, so they can be serialized
	return signed{in, ed25519.Sign(k.private, base)}
}

// setSignatures sets the two headers of signatures (RFC 9421 4).
func setSignatures(header http.Header, signatures []signed) {
	inputs, values := httpsfv.NewDictionary(), httpsfv.NewDictionary()
	for _, s := range signatures {
		inputs.Add(s.label, s.InnerList)
		values.Add(s.label, httpsfv.NewItem(s.value))
	}
	for name, members := range map[string]*httpsfv.Dictionary{
		contract.HeaderSignatureInput: inputs, contract.HeaderSignature: values,
	} {
		text, _ := httpsfv.Marshal(members) // as in sign
		header.Set(name, text)
	}
}

// contentDigest is the value of Content-Digest (RFC 9530) for a body.
func contentDigest(body []byte) string {
	sum := sha256.Sum256(body)
	return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
}

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

// inputOf returns an input that covers components, and has no parameters yet.
func inputOf(label string, components ...string) input {
	list := httpsfv.InnerList{Params: httpsfv.NewParams()}
	for _, id := range components {
		item, _ := httpsfv.UnmarshalItem([]string{id}) // of constants
		list.Items = append(list.Items, item)
	}
	return input{list, label, components}
}

// newInput reads a list. Its items must be strings, and each may occur once.
func newInput(label string, list httpsfv.InnerList) (input, error) {
	in := input{InnerList: list, label: label}
	for _, item := range list.Items {
		id, err := httpsfv.Marshal(item)
		_, named := item.Value.(string)
		if err != nil || !named || covers(in.components, id) || len(in.components) == maxComponents {
			return input{}, errMalformed
		}
		in.components = append(in.components, id)
	}
	return in, nil
}

// covers reports whether components hold all of some.
func covers(components []string, some ...string) bool {
	return !slices.ContainsFunc(some, func(id string) bool { return !slices.Contains(components, id) })
}

// base is what is signed (RFC 9421 2.5): the components with their values, and the input itself.
func (in input) base(values map[string]string) ([]byte, error) {
	var base strings.Builder
	for _, id := range in.components {
		base.WriteString(id + ": " + values[id] + "\n")
	}
	params, err := httpsfv.Marshal(in.InnerList)
	base.WriteString(`"@signature-params": ` + params)
	return []byte(base.String()), err
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

// signaturesOf returns the signatures with a tag among the headers of a message, at most
// maxLabels of them. It fails when a header is malformed.
func signaturesOf(header http.Header, tag string) ([]signed, error) {
	inputs, err := dictionary(header.Values(contract.HeaderSignatureInput), maxHeader)
	values, valuesErr := dictionary(header.Values(contract.HeaderSignature), maxHeader)
	if err != nil || valuesErr != nil {
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
