package signing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"frontdesk/contract"
)

// algorithm is the registered name of Ed25519 (RFC 9421).
const algorithm = "ed25519"

// component is one covered part of a message: its identifier as serialized in
// Signature-Input, and its value.
type component struct{ id, value string }

// signature is one signature as the dictionary members of its two headers.
type signature struct{ input, value string }

// sign signs components under a label. params is what follows the list of
// components in Signature-Input. The signature base is RFC 9421 2.5.
func (k Key) sign(label string, components []component, params string) signature {
	ids := make([]string, len(components))
	var base strings.Builder
	for i, c := range components {
		ids[i] = c.id
		fmt.Fprintf(&base, "%s: %s\n", c.id, c.value)
	}
	input := "(" + strings.Join(ids, " ") + ")" + params
	base.WriteString(`"@signature-params": ` + input)
	signed := ed25519.Sign(k.private, []byte(base.String()))
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
