package signing

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
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
	keys                   []Key
	authority, defaultPort string
	body                   []byte
	digest                 string // the Content-Digest of the body
}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// NewKeys uses keys for the base address of the service, in the form that package config
// gives it.
func NewKeys(baseURL string, keys ...Key) (*Keys, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	body := encodeKeys(keys)
	return &Keys{
		keys: keys, authority: base.Host, defaultPort: defaultPorts[base.Scheme],
		body: body, digest: contentDigest(body),
	}, nil
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
	// The form of RFC 9421 2.2.3: lower case, without the default port of the scheme.
	if host != k.authority && strings.TrimSuffix(strings.ToLower(host), k.defaultPort) != k.authority {
		return
	}
	created := time.Now().Add(-bindingBackdate)
	signatures := make([]signature, len(k.keys))
	for i, key := range k.keys {
		signatures[i] = key.bind(fmt.Sprintf("binding%d", i), k.authority, k.digest, created, created.Add(bindingLifetime))
	}
	setSignatures(header, signatures)
}

// bind signs a directory with the given digest for an authority.
func (k Key) bind(label, authority, digest string, created, expires time.Time) signature {
	return k.sign(label,
		[]component{{`"@authority";req`, authority}, {`"content-digest"`, digest}},
		fmt.Sprintf(`;created=%d;expires=%d;keyid="%s";tag="%s"`, created.Unix(), expires.Unix(), k.ID, tagDirectory))
}
