package signing

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// TestDirectoryVector is the signed directory response of draft-ietf-webbotauth-httpsig-protocol-01, appendix Test
// Vectors.
func TestDirectoryVector(t *testing.T) {
	t.Parallel()
	key := example(t, rfc9421Seed, rfc9421ID)
	body := encodeKeys([]Key{key})
	want := `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"` + rfc9421ID + `","x":"` + rfc9421X + `","use":"sig"}]}`
	expect.Same(t, "body", want, string(body))
	digest := contentDigest(body)
	expect.Same(t, "digest", "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:", digest)
	got := key.bind("binding", "signature-agent.test", digest, time.Unix(1735689600, 0), time.Unix(4889289600, 0))
	if got.input != `binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="`+rfc9421ID+`";tag="http-message-signatures-directory"` ||
		got.value != "binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:" {
		t.Errorf("signature = %+v", got)
	}
}

func newKeys(t testing.TB, base string, keys ...Key) *Keys {
	t.Helper()
	return NewKeys(addressOf(t, base), keys...)
}

func addressOf(t testing.TB, address string) *url.URL {
	t.Helper()
	return expect.Value(url.Parse(address))(t)
}

func answerOf(t testing.TB, d *Keys, address string) *http.Response {
	t.Helper()
	target := addressOf(t, address+contract.PathKeyDirectory)
	header := http.Header{}
	d.SetHeaders(header, target.Host)
	return &http.Response{
		StatusCode: 200, Header: header, Body: io.NopCloser(bytes.NewReader(d.Body())),
		Request: &http.Request{Method: "GET", URL: target, Host: target.Host},
	}
}

func TestDirectoryIsSignedOnlyForItsAuthority(t *testing.T) {
	t.Parallel()
	tests := []struct {
		base, host string
		signed     bool
	}{
		{"https://desk.example", "desk.example", true},
		{"https://desk.example", "DESK.example", true},
		{"https://desk.example", "desk.example:443", true},
		{"https://desk.example", "desk.example:80", false},
		{"https://desk.example", "evil.example", false},
		{"https://desk.example", "desk.example.evil.example", false},
		{"https://desk.example", "desk.example.", false},
		{"https://desk.example", "", false},
		{"http://localhost:8080", "localhost:8080", true},
		{"http://localhost:8080", "localhost", false},
		{"http://desk.example", "desk.example:80", true},
		{"http://desk.example", "desk.example:443", false},
		{"https://[2001:db8::1]:8443", "[2001:DB8::1]:8443", true},
	}
	for _, tt := range tests {
		header := http.Header{}
		newKeys(t, tt.base, testKey(t, 1)).SetHeaders(header, tt.host)
		expect.Same(t, tt.base+" at "+tt.host+" is signed", tt.signed, header["Signature"] != nil || header["Signature-Input"] != nil)
		expect.Same(t, tt.base+" at "+tt.host+": digests", 1, len(header["Content-Digest"]))
	}
}

// The signature of each key holds for a verifier whose clock is behind, and for every cached copy.
func TestDirectoryLifetime(t *testing.T) {
	t.Parallel()
	keys := []Key{testKey(t, 1), testKey(t, 2)}
	answer := answerOf(t, newKeys(t, "https://desk.example", keys...), "https://desk.example")
	signatures := expect.Value(signaturesOf(answer.Header, tagDirectory))(t)
	expect.Same(t, "signatures", len(keys), len(signatures))
	for i, in := range signatures {
		created, _ := in.moment("created")
		expires, _ := in.moment("expires")
		if !created.Before(time.Now()) || time.Until(expires) < DirectoryMaxAge+24*time.Hour {
			t.Errorf("created %v, expires %v", created, expires)
		}
		expect.Holds(t, "Signature-Input", answer.Header.Get("Signature-Input"), keys[i].ID)
	}
}

func TestParseKeys(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	x := base64url(key.public())
	listed := func(members string) string { return `{"keys":[{"kty":"OKP","crv":"Ed25519",` + members + `}]}` }
	tests := []struct {
		name, body string
		ok         bool
	}{
		{"ours", string(encodeKeys([]Key{key})), true},
		{"without kid", listed(`"x":"` + x + `"`), true},
		{"beside another kind", `{"keys":[{"kty":"RSA","n":"AQAB"},7,{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`, true},
		{"another kid", listed(`"x":"` + x + `","kid":"` + rfc8037ID + `"`), false},
		{"for encryption", listed(`"x":"` + x + `","use":"enc"`), false},
		{"example key of RFC 9421", listed(`"x":"` + rfc9421X + `"`), false},
		{"example key of RFC 8037", listed(`"x":"` + rfc8037X + `"`), false},
		{"short x", listed(`"x":"AAAA"`), false},
		{"kid is a number", listed(`"x":"` + x + `","kid":7`), false},
		{"not JSON", `<html>`, false},
		{"past the bound", `{"keys":[` + strings.Repeat(`{},`, maxKeys) + `{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`, false},
	}
	for _, tt := range tests {
		keys, err := parseKeys([]byte(tt.body))
		_, held := keys[key.ID]
		expect.Same(t, tt.name+": held", []any{tt.ok, tt.ok}, []any{held, err == nil})
	}
}
