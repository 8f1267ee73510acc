package signing

import (
	"errors"
	"slices"

	"github.com/dunglas/httpsfv"
)

// Bounds of an Accept-Signature header that is read.
const (
	maxAccept   = 2048 // bytes
	maxRequests = 4    // labels; further ones are skipped
)

// request is one requested signature (RFC 9421 5.1).
type request struct {
	label      string
	components []string // serialized identifiers
	keyID      string   // empty for the service's choice
	algorithm  string
	nonce      *string
	tag        string
	expires    bool
	unknown    bool // asks for something unknown
}

// fulfillable reports whether the signature can be made exactly as requested. It
// must cover status and digest, so that it can never pass for a signed request or a
// signed key directory, whatever its tag.
func (r request) fulfillable() bool {
	known := []string{componentStatus, componentType, componentDigest}
	for i, id := range r.components {
		if !slices.Contains(known, id) || slices.Contains(r.components[:i], id) {
			return false
		}
	}
	return slices.Contains(r.components, componentStatus) && slices.Contains(r.components, componentDigest) &&
		(r.algorithm == "" || r.algorithm == algorithm) &&
		r.tag != tagDirectory && r.tag != tagAgent && !r.unknown
}

// parseAccept reads the values of Accept-Signature. It fails when the header as a
// whole is malformed.
func parseAccept(values []string) ([]request, error) {
	size := 0
	for _, value := range values {
		size += len(value)
	}
	if size > maxAccept {
		return nil, errors.New("Accept-Signature is too long")
	}
	dictionary, err := httpsfv.UnmarshalDictionary(values)
	if err != nil {
		return nil, err
	}
	labels := dictionary.Names()
	if len(labels) == 0 {
		return nil, errors.New("Accept-Signature is empty")
	}
	var requests []request
	for _, label := range labels[:min(len(labels), maxRequests)] {
		member, _ := dictionary.Get(label)
		requests = append(requests, parseRequest(label, member))
	}
	return requests, nil
}

func parseRequest(label string, member httpsfv.Member) request {
	r := request{label: label, tag: tagAnswer}
	list, ok := member.(httpsfv.InnerList)
	if !ok {
		r.unknown = true
		return r
	}
	for _, item := range list.Items {
		id, err := httpsfv.Marshal(item)
		r.unknown = r.unknown || err != nil
		r.components = append(r.components, id)
	}
	for _, name := range list.Params.Names() {
		value, _ := list.Params.Get(name)
		r.unknown = !r.setParameter(name, value) || r.unknown
	}
	return r
}

// setParameter sets a parameter of a request and reports whether it is known.
func (r *request) setParameter(name string, value any) bool {
	text, isText := value.(string)
	switch name {
	case "created": // every signature has it
		return true
	case "expires":
		r.expires = true
		return true
	case "nonce":
		r.nonce = &text
	case "alg":
		r.algorithm = text
	case "keyid":
		r.keyID = text
	case "tag":
		r.tag = text
	default:
		return false
	}
	return isText
}
