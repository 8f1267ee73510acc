package signing

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// From draft-ietf-webbotauth-httpsig-protocol-01, appendix Test Vectors.
func TestDirectoryVector(t *testing.T) {
	t.Parallel()
	key := example(t, rfc9421Seed, rfc9421ID)
	body := encodeKeys([]Key{key})
	want := `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"` + rfc9421ID + `","x":"` + rfc9421X + `","use":"sig"}]}`
	expect.Same(t, "body", want, string(body))
	digest := contentDigest(body)
	expect.Same(t, "digest", "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:", digest)
	got := http.Header{}
	setSignatures(got, []signed{
		key.bind("binding", "signature-agent.test", digest, time.Unix(1735689600, 0), time.Unix(4889289600, 0))})
	expect.Same(t, "signature", http.Header{"Signature-Input": {`binding=("@authority";req "content-digest");` +
		`created=1735689600;expires=4889289600;keyid="` + rfc9421ID + `";tag="http-message-signatures-directory"`},
		"Signature": {"binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:"}},
		got)
}

const desk = "https://desk.example"

func newKeys(t testing.TB, base string, keys ...Key) *Keys {
	t.Helper()
	return NewKeys(expect.Value(url.Parse(base))(t), keys...)
}

func directoryOf(t testing.TB, published ...Key) *http.Response {
	t.Helper()
	header, keys := http.Header{}, newKeys(t, desk, published...)
	keys.SetHeaders(header, "desk.example")
	return response(t, "GET", contract.PathKeyDirectory, header, string(keys.Body()))
}

func response(t testing.TB, method, path string, header http.Header, text string) *http.Response {
	t.Helper()
	target := expect.Value(url.Parse(desk + path))(t)
	return &http.Response{StatusCode: 200, Header: header, Body: body(text),
		Request: &http.Request{Method: method, URL: target, Host: target.Host}}
}

func TestDirectoryIsSignedOnlyForItsAuthority(t *testing.T) {
	t.Parallel()
	for base, hosts := range map[string]map[string]bool{
		desk: {"desk.example": true, "DESK.example": true, "desk.example:443": true, "desk.example:80": false,
			"evil.example": false, "desk.example.evil.example": false, "desk.example.": false, "": false},
		"http://localhost:8080":      {"localhost:8080": true, "localhost": false},
		"http://desk.example":        {"desk.example:80": true, "desk.example:443": false},
		"https://[2001:db8::1]:8443": {"[2001:DB8::1]:8443": true},
	} {
		for host, signed := range hosts {
			header := http.Header{}
			newKeys(t, base, testKey(t, 1)).SetHeaders(header, host)
			expect.Same(t, base+" at "+host+" is signed, and has one digest", []any{signed, signed, 1},
				[]any{header["Signature"] != nil, header["Signature-Input"] != nil, len(header["Content-Digest"])})
		}
	}
}

// Each signature holds for a clock that is behind, and for every cached copy.
func TestDirectoryLifetime(t *testing.T) {
	t.Parallel()
	keys := []Key{testKey(t, 1), testKey(t, 2)}
	answer := directoryOf(t, keys...)
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
	x := `"x":"` + base64url(key.public()) + `"`
	listed := func(members string) string { return `{"keys":[{"kty":"OKP","crv":"Ed25519",` + members + `}]}` }
	tests := []struct {
		name, body string
		ok         bool
	}{
		{"ours", string(encodeKeys([]Key{key})), true},
		{"without kid", listed(x), true},
		{"beside another kind", strings.Replace(listed(x), "[", `[{"kty":"RSA","n":"AQAB"},7,`, 1), true},
		{"another kid", listed(x + `,"kid":"` + rfc8037ID + `"`), false},
		{"for encryption", listed(x + `,"use":"enc"`), false},
		{"example key of RFC 9421", listed(`"x":"` + rfc9421X + `"`), false},
		{"example key of RFC 8037", listed(`"x":"` + rfc8037X + `"`), false},
		{"short x", listed(`"x":"AAAA"`), false},
		{"kid is a number", listed(x + `,"kid":7`), false},
		{"not JSON", `<html>`, false},
		{"past the bound", strings.Replace(listed(x), "[", "["+strings.Repeat(`{},`, maxKeys), 1), false},
	}
	for _, tt := range tests {
		keys, err := parseKeys([]byte(tt.body))
		_, held := keys[key.ID]
		expect.Same(t, tt.name+": held", []any{tt.ok, tt.ok}, []any{held, err == nil})
	}
}
