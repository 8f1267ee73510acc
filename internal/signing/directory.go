package signing

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"frontdesk/contract"
)

// Times of the directory's signatures. They outlive every cache that holds the
// answer by days, and stay good when the clock of a verifier is a little behind.
const (
	DirectoryMaxAge = 24 * time.Hour // how long a cache may keep the answer
	bindingLifetime = 7 * 24 * time.Hour
	bindingRenewed  = time.Hour
	bindingBackdate = 10 * time.Second
)

// tagDirectory marks a signature of a key over the directory that lists it
// (draft-meunier-webbotauth-httpsig-protocol-02).
const tagDirectory = "http-message-signatures-directory"

// Directory is the published list of the public keys. Each key signs the body for
// one authority, that of the configured base address: whoever could have another
// authority signed could pass our keys off as another site's, and have what we
// sign attributed to it.
type Directory struct {
	keys                   []Key
	authority, defaultPort string
	body                   []byte
	digest                 []string
	signed                 atomic.Pointer[binding]
}

// binding is the signatures as they are sent, for an hour.
type binding struct {
	input, value []string
	made         time.Time
}

// isFresh goes by the clock on the wall, as verifiers do: one that was set back
// would leave signatures that are made in the future.
func (b *binding) isFresh(now time.Time) bool {
	return b != nil && !now.Before(b.made) && now.Before(b.made.Add(bindingRenewed))
}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// NewDirectory lists keys for the base address of the service, which is written
// as package config writes it.
func NewDirectory(baseURL string, keys ...Key) (*Directory, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	body := encodeKeys(keys)
	return &Directory{
		keys: keys, authority: base.Host, defaultPort: defaultPorts[base.Scheme],
		body: body, digest: []string{contentDigest(body)},
	}, nil
}

// Body is the JSON Web Key Set. Verifiers compare digests of it: it must be sent
// as it is, not compressed.
func (d *Directory) Body() []byte { return d.body }

// SetHeaders puts the digest on an answer and, when the request was sent to the
// configured authority, the signatures.
func (d *Directory) SetHeaders(header http.Header, host string) {
	header[contract.HeaderContentDigest] = d.digest
	if !d.isAuthority(host) {
		return
	}
	signed := d.binding(time.Now().Round(0)) // without the monotonic reading
	header[contract.HeaderSignatureInput] = signed.input
	header[contract.HeaderSignature] = signed.value
}

// isAuthority compares a Host with the authority in the form that RFC 9421 2.2.3
// gives it: lower case, without the default port of the scheme.
func (d *Directory) isAuthority(host string) bool {
	return host == d.authority || strings.TrimSuffix(strings.ToLower(host), d.defaultPort) == d.authority
}

// binding returns signatures that are at most an hour old. They are made by the
// request that finds them older; requests that find so at the same moment each
// make them, and either will do.
func (d *Directory) binding(now time.Time) *binding {
	if current := d.signed.Load(); current.isFresh(now) {
		return current
	}
	created := now.Add(-bindingBackdate)
	var signatures []signature
	for i, key := range d.keys {
		label := fmt.Sprintf("binding%d", i)
		signatures = append(signatures, key.bind(label, d.authority, d.digest[0], created, created.Add(bindingLifetime)))
	}
	fresh := &binding{made: now}
	fresh.input, fresh.value = join(signatures)
	d.signed.Store(fresh)
	return fresh
}

// bind signs a directory with the given digest for an authority.
func (k Key) bind(label, authority, digest string, created, expires time.Time) signature {
	return k.sign(label,
		[]component{{`"@authority";req`, authority}, {`"content-digest"`, digest}},
		fmt.Sprintf(`;created=%d;expires=%d;keyid="%s";tag="%s"`, created.Unix(), expires.Unix(), k.ID, tagDirectory))
}
