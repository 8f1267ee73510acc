package signing

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"
)

// jwk is a public key as a directory lists it (RFC 7517, RFC 8037). It has no private
// member. Other kinds of keys are skipped when read.
type jwk struct {
	Type      string  `json:"kty"`
	Curve     string  `json:"crv"`
	ID        string  `json:"kid"`
	X         string  `json:"x"`
	Use       string  `json:"use"`
	NotBefore float64 `json:"nbf,omitempty"`
	Expires   float64 `json:"exp,omitempty"`
}

type keySet struct {
	Keys []jwk `json:"keys"`
}

const (
	typeOKP      = "OKP"
	curveEd25519 = "Ed25519"
	useSignature = "sig"
)

func encodeKeys(keys []Key) []byte {
	var set keySet
	for _, key := range keys {
		set.Keys = append(set.Keys, jwk{
			Type: typeOKP, Curve: curveEd25519, ID: key.ID, X: base64url(key.public()), Use: useSignature})
	}
	body, _ := json.Marshal(set) // strings never fail
	return body
}

// publicKey is a published key and when it may be used; a zero time sets no bound.
type publicKey struct {
	key                ed25519.PublicKey
	notBefore, expires time.Time
}

func (p publicKey) usable(now time.Time) bool {
	return !now.Before(p.notBefore) && (p.expires.IsZero() || now.Before(p.expires))
}

// maxKeys is how many keys of a directory are read.
const maxKeys = 32

// parseKeys returns the Ed25519 keys of a directory by their thumbprints. It skips a
// key whose kid is not its thumbprint, and the example keys of standards.
func parseKeys(body []byte) (map[string]publicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, errors.New("is not a key directory: it is not JSON with a list of keys")
	}
	keys := map[string]publicKey{}
	for _, raw := range set.Keys[:min(len(set.Keys), maxKeys)] {
		var listed jwk
		if json.Unmarshal(raw, &listed) != nil {
			continue
		}
		if key, id, ok := listed.public(); ok {
			keys[id] = key
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("lists no usable Ed25519 key")
	}
	return keys, nil
}

func (j jwk) public() (key publicKey, id string, ok bool) {
	x, err := base64.RawURLEncoding.DecodeString(j.X)
	if err != nil || len(x) != ed25519.PublicKeySize || j.Type != typeOKP || j.Curve != curveEd25519 {
		return publicKey{}, "", false
	}
	id = thumbprint(x)
	if (j.ID != "" && j.ID != id) || isPublished(id) || (j.Use != "" && j.Use != useSignature) {
		return publicKey{}, "", false
	}
	return publicKey{x, moment(j.NotBefore), moment(j.Expires)}, id, true
}

// milliseconds is the value from which a time counts milliseconds, as some
// directories write them: in seconds it would be the year 5138.
const milliseconds = 1e11

func moment(seconds float64) time.Time {
	switch {
	case seconds <= 0:
		return time.Time{}
	case seconds < milliseconds:
		return time.Unix(int64(seconds), 0)
	case seconds < milliseconds*1000:
		return time.UnixMilli(int64(seconds))
	}
	return time.Time{}
}
