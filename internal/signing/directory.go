package signing

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"frontdesk/contract"
)

// Lifetimes of the directory's signatures. They outlive every cached copy by days,
// and a verifier whose clock is a little slow still accepts them.
const (
	DirectoryMaxAge = 24 * time.Hour // how long a cache may keep the answer
	bindingLifetime = 7 * 24 * time.Hour
	bindingBackdate = 10 * time.Second
)

// tagDirectory marks a signature of a key over the directory that lists it
// (draft-ietf-webbotauth-httpsig-protocol-01).
const tagDirectory = "http-message-signatures-directory"

// Keys are the keys of the service that are in use: the first signs answers, unless a
// request names another, and all are published. Each key signs the directory for one
// authority only, that of the configured base address. An attacker who could have another
// authority signed could present our keys as those of another site, and what we sign would
// be attributed to that site.
type Keys struct {
	keys   []Key
	base   *url.URL // whose authority is signed
	body   []byte
	digest string // the Content-Digest of the body
}

// NewKeys uses keys for the base address of the service.
func NewKeys(base *url.URL, keys ...Key) *Keys {
	body := encodeKeys(keys)
	return &Keys{keys: keys, base: base, body: body, digest: contentDigest(body)}
}

// IDs names the keys.
func (k *Keys) IDs() []string {
	ids := make([]string, len(k.keys))
	for i, key := range k.keys {
		ids[i] = key.ID
	}
	return ids
}

// Body is the directory, a JSON Web Key Set. It must be sent uncompressed, because its digest is
// signed.
func (k *Keys) Body() []byte { return k.body }

// SetHeaders sets the digest on an answer with the directory and, when the request was sent
// to the configured authority, a signature of each key.
func (k *Keys) SetHeaders(header http.Header, host string) {
	header.Set(contract.HeaderContentDigest, k.digest)
	ours := contract.Authority(k.base.Host, k.base.Scheme)
	if contract.Authority(host, k.base.Scheme) != ours {
		return
	}
	created := time.Now().Add(-bindingBackdate)
	signatures := make([]signed, len(k.keys))
	for i, key := range k.keys {
		signatures[i] = key.bind(fmt.Sprintf("binding%d", i), ours, k.digest, created, created.Add(bindingLifetime))
	}
	setSignatures(header, signatures)
}

// bind signs a directory with the given digest for an authority.
func (k Key) bind(label, authority, digest string, created, expires time.Time) signed {
	in := inputOf(label, componentAuthority, componentDigest)
	in.Params.Add("created", created.Unix())
	in.Params.Add("expires", expires.Unix())
	in.Params.Add("keyid", k.ID)
	in.Params.Add("tag", tagDirectory)
	return k.sign(in, map[string]string{componentAuthority: authority, componentDigest: digest})
}
