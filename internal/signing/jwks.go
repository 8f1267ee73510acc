package signing

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
)

// jwk is a public key as a directory lists it (RFC 7517, RFC 8037). Other kinds of keys
// are skipped when read.
type jwk struct {
	Type  string `json:"kty"`
	Curve string `json:"crv"`
	ID    string `json:"kid"`
	X     string `json:"x"`
	Use   string `json:"use"`
}

const (
	typeOKP      = "OKP"
	curveEd25519 = "Ed25519"
	useSignature = "sig"
)

func encodeKeys(keys []Key) []byte {
	listed := make([]jwk, len(keys))
	for i, key := range keys {
		listed[i] = jwk{Type: typeOKP, Curve: curveEd25519, ID: key.ID, X: base64url(key.public()), Use: useSignature}
	}
	body, _ := json.Marshal(map[string][]jwk{"keys": listed}) // strings never fail
	return body
}

// maxKeys is how many keys of a directory are read.
const maxKeys = 32

// parseKeys returns the Ed25519 keys of a directory by their thumbprints. It skips a
// key whose kid is not its thumbprint, and the example keys of standards.
func parseKeys(body []byte) (map[string]ed25519.PublicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, errors.New("is not a key directory: it is not JSON with a list of keys")
	}
	keys := map[string]ed25519.PublicKey{}
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

func (j jwk) public() (key ed25519.PublicKey, id string, ok bool) {
	x, err := base64.RawURLEncoding.DecodeString(j.X)
	if err != nil || len(x) != ed25519.PublicKeySize || j.Type != typeOKP || j.Curve != curveEd25519 {
		return nil, "", false
	}
	id = thumbprint(x)
	if (j.ID != "" && j.ID != id) || slices.Contains(publishedKeys, id) || (j.Use != "" && j.Use != useSignature) {
		return nil, "", false
	}
	return x, id, true
}
