package signing

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/dadrus/httpsig"
	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
)

// clockDifference is how far the clocks of service and caller may differ. The nonce
// shows that an answer is new.
const clockDifference = time.Hour

// verifierLabel is the label that a Verifier requests.
const verifierLabel = "answer"

// Verifier requests one signed answer and checks it. Use it once: its nonce shows
// that the answer was signed for this request.
type Verifier struct{ nonce string }

// NewVerifier returns a verifier with a new nonce.
func NewVerifier() *Verifier { return &Verifier{rand.Text()} }

// AcceptSignature is the value of the header that requests the signature.
func (v *Verifier) AcceptSignature() string {
	components := strings.Join([]string{componentStatus, componentType, componentDigest}, " ")
	return fmt.Sprintf(`%s=(%s);created;nonce=%s;tag=%s`, verifierLabel, components, quoted(v.nonce), quoted(tagAnswer))
}

// Verify checks digest, signature, nonce and key of an answer against the key
// directory of its service, and the signatures of the directory if it has any. Both
// bodies must be readable again. It returns the key id and the time of signing.
func (v *Verifier) Verify(directory, answer *http.Response) (keyID string, signed time.Time, err error) {
	keys, err := readDirectory(directory)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the key directory %w", err)
	}
	signed, ok := signedAt(answer)
	if !ok {
		return "", time.Time{}, errors.New("the answer is not signed")
	}
	err = check(httpsig.MessageFromResponse(answer),
		func(id string) (publicKey, error) { keyID = id; return find(keys, id) },
		httpsig.WithNonceChecker(nonce(v.nonce)),
		httpsig.WithRequiredTag(tagAnswer,
			httpsig.WithRequiredComponents(componentStatus, componentType, componentDigest),
			httpsig.WithExpiredTimestampRequired(false),
			httpsig.WithMaxAge(clockDifference), httpsig.WithValidityTolerance(clockDifference)))
	if err != nil {
		return "", time.Time{}, fmt.Errorf("the signature of the answer does not hold: %w", err)
	}
	return keyID, signed, nil
}

// signedAt returns when an answer was signed under verifierLabel, if it was.
func signedAt(answer *http.Response) (time.Time, bool) {
	inputs, err := httpsfv.UnmarshalDictionary(answer.Header.Values(contract.HeaderSignatureInput))
	if err != nil {
		return time.Time{}, false
	}
	member, _ := inputs.Get(verifierLabel)
	list, ok := member.(httpsfv.InnerList)
	if !ok {
		return time.Time{}, false
	}
	created, _ := list.Params.Get("created")
	seconds, ok := created.(int64)
	return time.Unix(seconds, 0), ok
}

// readDirectory returns the keys of a directory fetched from its own address. Its
// signatures are optional, but present ones must be valid.
func readDirectory(response *http.Response) (map[string]publicKey, error) {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	keys, err := parseKeys(body)
	if err != nil || response.Header.Get(contract.HeaderSignature) == "" {
		return keys, err
	}
	err = check(httpsig.MessageFromResponse(response),
		func(id string) (publicKey, error) { return find(keys, id) },
		httpsig.WithRequiredTag(tagDirectory,
			httpsig.WithRequiredComponents(`"@authority";req`, componentDigest),
			httpsig.WithMaxAge(bindingLifetime), httpsig.WithValidityTolerance(clockDifference)))
	if err != nil {
		return nil, fmt.Errorf("has signatures that are not for this address or not by its keys: %w", err)
	}
	return keys, nil
}

// check verifies the signatures of a message. It turns the library's panics on some
// malformed headers into errors.
func check(message *httpsig.Message, resolve resolver, options ...httpsig.VerifierOption) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the signature headers are malformed: %v", value)
		}
	}()
	verifier, err := httpsig.NewVerifier(resolve, options...)
	if err != nil {
		return err
	}
	return verifier.Verify(message)
}

// resolver finds keys for the library.
type resolver func(id string) (publicKey, error)

// ResolveKey is called with the keyid of a signature.
func (r resolver) ResolveKey(_ context.Context, id string) (httpsig.Key, error) {
	found, err := r(id)
	if err != nil {
		return httpsig.Key{}, err
	}
	return httpsig.Key{KeyID: id, Algorithm: httpsig.Ed25519, Key: found.key}, nil
}

var errUnknownKey = errors.New("the key that signed is not in the key directory")

// find returns a key that may be used now.
func find(keys map[string]publicKey, id string) (publicKey, error) {
	key, ok := keys[id]
	if !ok || !key.usable(time.Now()) {
		return publicKey{}, errUnknownKey
	}
	return key, nil
}

// nonce is the nonce that a signature must carry.
type nonce string

// CheckNonce refuses every other nonce.
func (n nonce) CheckNonce(_ context.Context, given httpsig.NonceValue) error {
	if !given.Present || given.Value != string(n) {
		return errors.New("the signature was made for another request")
	}
	return nil
}
