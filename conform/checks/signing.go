package checks

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"regexp"

	"frontdesk/conform"
	"frontdesk/contract"
)

// signing adds the checks of the key directory as verifiers make them (Web Bot Auth,
// draft-ietf-webbotauth-httpsig-protocol-01).
func signing(l *list) {
	l.one("5.8", "key-ids-are-thumbprints", "The kid of each published key is its thumbprint (RFC 7638, RFC 8037).", keyDirectory, isOK, func(a *conform.Answer) {
		for _, key := range a.List("keys") {
			sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + textAt(key, "x") + `"}`))
			if want := base64.RawURLEncoding.EncodeToString(sum[:]); textAt(key, "kid") != want {
				a.Fail("the kid %s", want)
			}
		}
	})
	l.run("5.8", "key-directory-signs-itself", "The key directory is signed with its own key for the service's authority, digest included (RFC 9421, RFC 9530).", directorySignature)
	l.one("5.8", "key-directory-has-its-digest", "Content-Digest is the digest of the body (RFC 9530).", keyDirectory, isOK, digested)
}

// digested expects the Content-Digest of the body.
func digested(a *conform.Answer) {
	sum := sha256.Sum256(a.Body)
	hasHeader("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":")(a)
}

var (
	binding   = regexp.MustCompile(`^binding0=(\("@authority";req "content-digest"\);[^,]*)`)
	keyID     = regexp.MustCompile(`;keyid="([^"]+)"`)
	signature = regexp.MustCompile(`^binding0=:([A-Za-z0-9+/=]+):`)
)

func directorySignature(p *conform.Probe) {
	authority := p.Origin.Host
	a := p.Send(conform.Get(contract.PathKeyDirectory, "Host: "+authority), isOK, digested)
	params, signed := binding.FindStringSubmatch(a.HeaderValue("Signature-Input")), signature.FindStringSubmatch(a.HeaderValue("Signature"))
	if params == nil || signed == nil {
		a.Fail(`a signature binding0 over "@authority";req and "content-digest"`)
	}
	raw, err := base64.StdEncoding.DecodeString(signed[1])
	text := "\"@authority\";req: " + authority + "\n\"content-digest\": " + a.HeaderValue("Content-Digest") + "\n\"@signature-params\": " + params[1]
	key := publicKey(a, params[1])
	if err != nil || key == nil || !ed25519.Verify(key, []byte(text), raw) {
		a.Fail("a signature that holds over\n%s", text)
	}
}

// publicKey returns the key of the directory that the parameters of a signature name, or
// nil.
func publicKey(a *conform.Answer, params string) ed25519.PublicKey {
	id := keyID.FindStringSubmatch(params)
	for _, key := range a.List("keys") {
		public, err := base64.RawURLEncoding.DecodeString(textAt(key, "x"))
		if id != nil && textAt(key, "kid") == id[1] && err == nil && len(public) == ed25519.PublicKeySize {
			return public
		}
	}
	return nil
}
