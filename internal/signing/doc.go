// Package signing holds the service's keys, signs with them (RFC 9421 over RFC 9530
// digests, only Ed25519) and verifies signed answers.
//
//   - Key (key.go): reading a key, making it once, naming it by its thumbprint.
//   - Keys: those in use. directory.go publishes them as Web Bot Auth does, with one
//     signature per key that ties them to the configured authority; answer.go signs an
//     answer when the request asks for it with Accept-Signature.
//   - Verifier (verifier.go): the other side of both, for `frontdesk ask --verify`.
//   - signature.go makes signatures and reads their headers, within bounds.
//
// This package decides what is signed. A caller that could choose the authority or
// the tag could impersonate the service elsewhere.
package signing
