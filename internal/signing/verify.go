package signing

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dunglas/httpsfv"
)

// message is a request, or an answer, whose signatures are checked.
type message struct {
	method string   // of the request, also of the one that an answer answers
	url    *url.URL // its address
	status int      // of an answer; 0 for a request
	header http.Header
	body   []byte
}

// window says when a signature may have been made.
type window struct {
	age, skew time.Duration
	endless   bool // expires may be absent
}

// Why a signature does not hold.
var (
	errUnknownKey = errors.New("the key that signed is not in the key directory")
	errTime       = errors.New("it has expired, is from the future, or does not say when it was made and when it expires")
	errComponent  = errors.New("it covers a part of the message that is absent or unknown")
	errDigest     = errors.New("the Content-Digest is not that of the body")
	errSignature  = errors.New("it was not made over this message")
)

// verify checks one signature of the message (RFC 9421 3.2) by the key of keys that the
// signature names.
func (m *message) verify(s signed, keys map[string]publicKey, within window) error {
	now := time.Now()
	key, ok := keys[s.text("keyid")]
	if !ok || !key.usable(now) {
		return errUnknownKey
	}
	created, made := s.moment("created")
	expires, ends := s.moment("expires")
	if !made || !ends && !within.endless || ends && now.After(expires.Add(within.skew)) ||
		now.After(created.Add(within.age)) || now.Before(created.Add(-within.skew)) {
		return errTime
	}
	covered := make([]component, len(s.components))
	for i, item := range s.Items {
		value, err := m.component(item)
		if err != nil {
			return err
		}
		covered[i] = component{s.components[i], value}
	}
	params, err := httpsfv.Marshal(s.InnerList)
	if alg, given := s.Params.Get("alg"); err != nil || given && alg != algorithm ||
		!ed25519.Verify(key.key, signatureBase(covered, params), s.value) {
		return errSignature
	}
	return nil
}

// component returns the value of a covered component (RFC 9421 2): a part of the
// request's line, which has the parameter req in an answer, the status of an answer, or
// a header.
func (m *message) component(item httpsfv.Item) (string, error) {
	name, _ := item.Value.(string)
	parameters := item.Params.Names()
	switch {
	case !strings.HasPrefix(name, "@"):
		return m.field(name, item.Params)
	case m.status != 0 && name == "@status" && len(parameters) == 0:
		return strconv.Itoa(m.status), nil
	case m.status == 0 && len(parameters) == 0, m.status != 0 && len(parameters) == 1 && parameters[0] == "req":
		return m.requestPart(name)
	}
	return "", errComponent
}

func (m *message) requestPart(name string) (string, error) {
	switch name {
	case "@method":
		return m.method, nil
	case "@target-uri":
		return m.url.String(), nil
	case "@authority":
		return authority(m.url.Host, m.url.Scheme), nil
	case "@scheme":
		return m.url.Scheme, nil
	case "@request-target":
		return m.url.RequestURI(), nil
	case "@path":
		return m.url.EscapedPath(), nil
	case "@query":
		return "?" + m.url.RawQuery, nil
	}
	return "", errComponent
}

// field returns the value of a header, or of one member of it if the component has the
// parameter key. A covered Content-Digest must be that of the body.
func (m *message) field(name string, parameters *httpsfv.Params) (string, error) {
	values := m.header.Values(name)
	switch {
	case len(values) == 0 || name != strings.ToLower(name):
		return "", errComponent
	case name == "content-digest" && !isDigestOf(values, m.body):
		return "", errDigest
	case len(parameters.Names()) == 0:
		return strings.Join(values, ", "), nil
	}
	given, _ := parameters.Get("key")
	key, ok := given.(string)
	members, err := dictionary(values, maxHeader)
	if !ok || len(parameters.Names()) > 1 || err != nil {
		return "", errComponent
	}
	member, ok := members.Get(key)
	if !ok {
		return "", errComponent
	}
	return httpsfv.Marshal(member)
}

// isDigestOf reports whether the values of Content-Digest (RFC 9530) have a digest of a
// known kind, and only digests of body.
func isDigestOf(values []string, body []byte) bool {
	digests, err := dictionary(values, maxHeader)
	if err != nil {
		return false
	}
	short, long := sha256.Sum256(body), sha512.Sum512(body)
	known := false
	for name, sum := range map[string][]byte{"sha-256": short[:], "sha-512": long[:]} {
		if member, given := digests.Get(name); given {
			item, _ := member.(httpsfv.Item)
			if digest, _ := item.Value.([]byte); !bytes.Equal(digest, sum) {
				return false
			}
			known = true
		}
	}
	return known
}
