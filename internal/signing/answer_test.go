package signing

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dunglas/httpsfv"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const asked = `sig1=("@status" "content-type" "content-digest")`

func signedAnswer(t testing.TB, accept, body string, keys ...Key) http.Header {
	t.Helper()
	header := http.Header{"Content-Type": {contract.TypeJSON}, "Cache-Control": {"no-store"}}
	newKeys(t, desk, keys...).SignAnswer([]string{accept}, 200, header, []byte(body))
	return header
}

// A signature has the requested label, components and parameters (RFC 9421, 5.2), or the service's own label.
func TestSignAnswer(t *testing.T) {
	t.Parallel()
	first, second := testKey(t, 1), testKey(t, 2)
	ours := `;created=946684800;keyid="` + first.ID + `";tag="frontdesk-answer"`
	own := `frontdesk=("@status" "content-type" "content-digest")` + ours
	digest, more := `("@status" "content-digest")`, `;nonce="n";alg="ed25519";keyid="`+first.ID+`";tag="proof"`
	tests := []struct{ name, accept, want string }{
		{"as the contract says", asked, asked + ours},
		{"all parameters", asked + `;created;expires` + more, asked + `;created=946684800;expires=946771200` + more},
		{"the other key", asked + `;keyid="` + second.ID + `"`, strings.Replace(asked+ours, first.ID, second.ID, 1)},
		{"two", asked + `, b=` + digest, asked + ours + `, b=` + digest + ours},
		{"our own label is taken", `frontdesk=()`, "frontdesk-own" + strings.TrimPrefix(own, "frontdesk")},
		{"no components", `a=()`, own},
		{"another's key", asked + `;keyid="` + rfc9421ID + `"`, own},
		{"another algorithm", asked + `;alg="rsa-pss-sha512"`, own},
		{"a nonce that is no string", asked + `;nonce=7`, own},
		{"a component twice", `a=("@status" "@status" "content-digest")`, own},
		{"without status", `a=("content-digest")`, own},
		{"a header that is not ours to vouch for", `a=("@status" "content-digest" "x-request-id")`, own},
		{"the directory's tag", asked + `;tag="http-message-signatures-directory"`, own},
		{"five labels", `a=1, b=1, c=1, d=1, ` + asked, own},
		{"empty", ``, ""},
		{"too long", asked + `;nonce="` + strings.Repeat("n", maxAccept) + `"`, ""},
	}
	synctest.Test(t, func(t *testing.T) { // its clock starts at 946684800
		for _, tt := range tests {
			header := signedAnswer(t, tt.accept, "{}", first, second)
			expect.Same(t, tt.name+": Signature-Input", tt.want, strings.Join(header["Signature-Input"], ""))
			signed := tt.want != ""
			expect.Same(t, tt.name+": is signed", []any{signed, signed, signed}, []any{header["Signature"] != nil,
				header["Content-Digest"] != nil, header["Cache-Control"][0] == "no-store, no-transform"})
		}
	})
}

func TestSignAnswerWithoutContent(t *testing.T) {
	t.Parallel()
	header := http.Header{"Etag": {`"1"`}}
	newKeys(t, desk, testKey(t, 1)).SignAnswer([]string{asked}, 304, header, nil)
	expect.Same(t, "a 304 has nothing to sign", http.Header{"Etag": {`"1"`}}, header)
}

type exchange struct {
	accept            string
	directory, answer *http.Response
}

func newExchange(t testing.TB, accept string, published, signing Key) exchange {
	t.Helper()
	const answer = `{"ok":true,"answer":"Yes."}`
	return exchange{accept, directoryOf(t, published),
		response(t, "POST", contract.PathAsk, signedAnswer(t, accept, answer, signing), answer)}
}

func body(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

func answerHeader(name, value string) func(*exchange) {
	return func(e *exchange) { e.answer.Header.Set(name, value) }
}

func unsign(r *http.Response) {
	r.Header.Del("Signature")
	r.Header.Del("Signature-Input")
}

func sign(r *http.Response, key Key, params string, components ...string) {
	in := inputOf(verifierLabel, components...)
	given, err := httpsfv.UnmarshalItem([]string{"1" + params})
	if err != nil {
		panic(err)
	}
	in.Params = given.Params
	setSignatures(r.Header, []signed{key.sign(in, map[string]string{componentStatus: "200",
		componentType: contract.TypeJSON, componentDigest: r.Header.Get("Content-Digest")})})
}

// resigned signs again, at a time from now.
func resigned(key Key, at time.Duration, params string, more ...string) func(*exchange) {
	return func(e *exchange) {
		_, asked, _ := strings.Cut(e.accept, ";created")
		made := fmt.Sprintf(`;created=%d;keyid=%q`, time.Now().Add(at).Unix(), key.ID)
		sign(e.answer, key, made+asked+params, slices.Concat(answerComponents, more)...)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	key, other := testKey(t, 1), testKey(t, 2)
	tests := []struct {
		name   string
		tamper func(e *exchange)
		want   string // in the error; empty when it holds
	}{
		{"genuine", func(*exchange) {}, ""},
		{"directory unsigned", func(e *exchange) { unsign(e.directory) }, ""},
		{"another answer", func(e *exchange) { e.answer.Body = body(`{"ok":true,"answer":"No."}`) }, "is invalid"},
		{"a digest of no known kind", answerHeader("Content-Digest", "md5=:AAAA:"), "is invalid"},
		{"another status", func(e *exchange) { e.answer.StatusCode = 404 }, "is invalid"},
		{"unsigned", func(e *exchange) { unsign(e.answer) }, "not signed"},
		{"only the signature is missing", func(e *exchange) { delete(e.answer.Header, "Signature") }, "is invalid"},
		{"a component is no string", answerHeader("Signature-Input", `a=(1);created=1;tag="frontdesk-answer"`), "malformed"},
		{"for another request", func(e *exchange) { *e = newExchange(t, NewVerifier().AcceptSignature(), key, key) },
			"another request"},
		{"by a key that is not published", func(e *exchange) { e.directory.Body = body(string(encodeKeys([]Key{other}))) },
			"directory has signatures"},
		{"by another key than the published one", func(e *exchange) { *e = newExchange(t, e.accept, key, other) },
			errUnknownKey.Error()},
		{"covers less than was asked", func(e *exchange) {
			*e = newExchange(t, strings.Replace(e.accept, ` "content-type"`, "", 1), key, key)
		}, errSignature.Error()},
		{"signed half an hour ago", resigned(key, -30*time.Minute, ""), ""},
		{"signed long ago", resigned(key, -2*clockDifference, ""), errTime.Error()},
		{"from the future", resigned(key, 2*clockDifference, ""), errTime.Error()},
		{"expired", resigned(key, 0, ";expires=1"), errTime.Error()},
		{"another algorithm", resigned(key, 0, `;alg="hmac-sha256"`), errSignature.Error()},
		{"covers an absent header", resigned(key, 0, "", `"x-absent"`), errComponent.Error()},
		{"covers a header with a parameter", resigned(key, 0, "", `"content-type";bs`), errComponent.Error()},
		{"directory signed for any address", func(e *exchange) {
			now := time.Now().Unix()
			sign(e.directory, key, fmt.Sprintf(`;created=%d;expires=%d;keyid=%q;tag=%q`, now, now+60, key.ID, tagDirectory),
				componentDigest)
		}, "not for this address"},
		{"directory of another address", func(e *exchange) {
			e.directory.Request.Host, e.directory.Request.URL.Host = "evil.example", "evil.example"
		}, "not for this address"},
		{"directory is a page", func(e *exchange) { e.directory.Body = body("<html>") }, "not a key directory"},
	}
	for _, tt := range tests {
		verifier := NewVerifier()
		e := newExchange(t, verifier.AcceptSignature(), key, key)
		tt.tamper(&e)
		id, signed, err := verifier.Verify(e.directory, e.answer)
		if expect.Says(t, tt.name, err, tt.want); err == nil {
			expect.Same(t, tt.name, []any{key.ID, false}, []any{id, signed.IsZero()})
		}
	}
}

// Parsing costs far more than sending.
func TestBounds(t *testing.T) {
	t.Parallel()
	list := func(n int, format, separator string) string {
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(members, separator)
	}
	components := func(n int) string { return "a=(" + list(n, `"x-%d"`, " ") + `);tag="frontdesk-answer"` }
	labels := func(n int) string { return list(n, `a%d=();tag="frontdesk-answer"`, ", ") }
	parts := func(n int) string { return "a=(" + strings.Repeat("1 ", n-1) + ")" }
	long := func(bytes int) string { return `a=();p="` + strings.Repeat("p", bytes-len(`a=();p=""`)) + `"` }
	for _, tt := range []struct {
		name, input string
		found       int // -1: refused
	}{
		{"most components", components(maxComponents), 1}, {"a component more", components(maxComponents + 1), -1},
		{"most labels", labels(maxLabels), maxLabels}, {"a label more", labels(maxLabels + 1), maxLabels},
		{"most parts", parts(maxParts), 0}, {"a part more", parts(maxParts + 1), -1},
		{"longest", long(maxHeader), 0}, {"a byte more", long(maxHeader + 1), -1},
	} {
		found, err := signaturesOf(http.Header{"Signature-Input": {tt.input}}, tagAnswer)
		if (err != nil) != (tt.found < 0) || err == nil && len(found) != tt.found {
			t.Errorf("%s: %d signatures, %v; want %d", tt.name, len(found), err, tt.found)
		}
	}
}

// No signature could pass for a directory's.
func FuzzSignAnswer(f *testing.F) {
	for _, seed := range []string{asked + `;nonce="a\"b";tag="t"`, `a=@`, `a=%"x"`, `a=("@status";req)`, `a=1, a=2`,
		`*=()`, `a=(@1);created=@1`} {
		f.Add(seed)
	}
	key := testKey(f, 1)
	f.Fuzz(func(t *testing.T, accept string) {
		header := signedAnswer(t, accept, "{}", key)
		input := strings.Join(header["Signature-Input"], "")
		if header["Signature"] == nil {
			return
		}
		expect.Lacks(t, "Signature-Input", input, "@authority")
		for _, tag := range []string{tagDirectory, tagAgent} {
			if signatures, err := signaturesOf(header, tag); err != nil || len(signatures) > 0 {
				t.Fatalf("%q made %q: %v", accept, input, err)
			}
		}
	})
}
