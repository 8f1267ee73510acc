// Package signing is the service's keys and what is signed with them (RFC 9421
// over RFC 9530 digests, Ed25519 alone), and the check of what others sign.
//
//   - Key (key.go, keyfile.go): read, made once, named by its thumbprint.
//   - Directory (directory.go): the public keys as Web Bot Auth publishes them,
//     with one signature per key that ties them to the configured authority.
//   - Answers (answer.go, request.go): an answer is signed for who asks for it
//     with Accept-Signature.
//   - Verifier (verify.go): the other side of both, for `frontdesk ask --verify`.
//   - Agents (agents.go, check.go, fetch.go, guard.go): whether a request was
//     signed by an agent whose directory is on the owner's list.
//
// What is signed is fixed by this package, never chosen by a caller: a caller
// that could have our key sign an authority or a tag of its choice could sign as
// us elsewhere.
package signing
