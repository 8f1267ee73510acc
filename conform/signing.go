package conform

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"regexp"

	"frontdesk/contract"
)

// signing are what verifiers want of the key directory (Web Bot Auth,
// draft-meunier-webbotauth-httpsig-protocol).
func signing() []Check {
	return []Check{
		{Section: "5.8", Name: "key-ids-are-thumbprints",
			Says: "The kid of each published key is its thumbprint (RFC 7638, RFC 8037).",
			Run: func(p *probe) {
				a := p.send(get(contract.PathKeyDirectory)).is(200)
				for _, key := range a.list("keys") {
					x, _ := at(key, "x").(string)
					sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
					if want := base64.RawURLEncoding.EncodeToString(sum[:]); at(key, "kid") != want {
						a.fail("the kid %s", want)
					}
				}
			}},
		{Section: "5.8", Name: "key-directory-signs-itself",
			Says: "The key directory is signed with its own key for the service's authority, digest included (RFC 9421, RFC 9530).",
			Run:  directorySignature},
		one("5.8", "key-directory-has-its-digest", "Content-Digest is that of the bytes (RFC 9530).",
			get(contract.PathKeyDirectory), func(a *answer) { a.is(200).digested() }),
	}
}

// digested expects the Content-Digest of the body.
func (a *answer) digested() *answer {
	sum := sha256.Sum256(a.body)
	return a.has("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":")
}

var (
	binding   = regexp.MustCompile(`^binding0=(\("@authority";req "content-digest"\);[^,]*)`)
	keyID     = regexp.MustCompile(`;keyid="([^"]+)"`)
	signature = regexp.MustCompile(`^binding0=:([A-Za-z0-9+/=]+):`)
)

func directorySignature(p *probe) {
	authority := p.base()
	if base, err := url.Parse(authority); err == nil {
		authority = base.Host
	}
	a := p.send(get(contract.PathKeyDirectory, "Host: "+authority)).is(200).digested()
	params, signed := binding.FindStringSubmatch(a.value("Signature-Input")), signature.FindStringSubmatch(a.value("Signature"))
	if params == nil || signed == nil {
		a.fail(`a signature binding0 over "@authority";req and "content-digest"`)
	}
	raw, err := base64.StdEncoding.DecodeString(signed[1])
	text := "\"@authority\";req: " + authority + "\n\"content-digest\": " + a.value("Content-Digest") + "\n\"@signature-params\": " + params[1]
	key := a.publicKey(params[1])
	if err != nil || key == nil || !ed25519.Verify(key, []byte(text), raw) {
		a.fail("a signature that holds over\n%s", text)
	}
}

// publicKey is the key of the directory that the parameters of a signature name;
// nil when there is none.
func (a *answer) publicKey(params string) ed25519.PublicKey {
	id := keyID.FindStringSubmatch(params)
	for _, key := range a.list("keys") {
		if id == nil || at(key, "kid") != id[1] {
			continue
		}
		x, _ := at(key, "x").(string)
		if public, err := base64.RawURLEncoding.DecodeString(x); err == nil && len(public) == ed25519.PublicKeySize {
			return public
		}
	}
	return nil
}
