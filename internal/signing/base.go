package signing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

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
