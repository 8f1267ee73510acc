package signing

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCheckVectors verifies the Ed25519 requests of
// draft-ietf-webbotauth-httpsig-protocol-01, and of an older draft whose dictionary
// member has the label of the signature.
func TestCheckVectors(t *testing.T) {
	t.Parallel()
	vectors := []struct{ name, agent, input, signature string }{
		{"dictionary", `sig2="https://signature-agent.test"`,
			`sig2=("@authority" "signature-agent";key="sig2");created=1735689600;keyid="` + rfc9421ID + `";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
			`sig2=:CGokAoY/FrPpyuzTe1Fb2kLTAH9Idw6qSFd1+D77r1firsMRCxeuLu5e6O+ek3zQgDMAzjiXtLVfqE00xnABCQ==:`},
		{"dictionary under another key", `agent2="https://signature-agent.test"`,
			`sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="` + rfc9421ID + `";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
			`sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:`},
		{"legacy", `"https://signature-agent.test"`,
			`sig2=("@authority" "signature-agent");created=1735689600;keyid="` + rfc9421ID + `";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`,
			`sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:`},
	}
	for _, vector := range vectors {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(time.Unix(1735689660, 0))) // a minute after it was signed
			agents := knowing(t, "https://example.com", map[string]map[string]publicKey{
				agentOrigin: holding(example(t, rfc9421Seed, rfc9421ID))})
			r := httptest.NewRequest(http.MethodGet, "/path", nil)
			r.Header.Set("Signature-Agent", vector.agent)
			r.Header.Set("Signature-Input", vector.input)
			r.Header.Set("Signature", vector.signature)
			if outcome, agent := agents.Check(r, nil); outcome != Verified || agent != agentOrigin {
				t.Errorf("%s: %q %q, want it verified", vector.name, outcome, agent)
			}
			time.Sleep(25 * time.Hour)
			if outcome, _ := agents.Check(r, nil); outcome != Invalid {
				t.Errorf("%s: a day later it is %q, want it invalid", vector.name, outcome)
			}
		})
	}
}

// ownKey is the testKey of agentOrigin, othersKey that of another agent.
const ownKey, othersKey = 1, 2

func setHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

var bodyDigest = contentDigest([]byte("body"))

// checks are signed requests, a change on the way, and the expected outcome.
var checks = []struct {
	name   string
	claim  claim
	key    byte // which testKey signs
	tamper func(*http.Request)
	want   string
}{
	{"well signed", claim{}, ownKey, nil, Verified},
	{"names the key set itself", claim{agent: agentOrigin + "/.well-known/http-message-signatures-directory"}, ownKey, nil, Verified},
	{"names the key set with a query", claim{agent: agentOrigin + "/.well-known/http-message-signatures-directory?v=2"}, ownKey, nil, Verified},
	{"covers the dictionary as a whole", claim{covered: `"signature-agent"`}, ownKey, nil, Verified},
	{"under another Host", claim{}, ownKey, func(r *http.Request) { r.Host = "127.0.0.1" }, Verified},
	{"covers method, path and query", claim{extra: []component{{`"@method"`, "POST"}, {`"@path"`, "/v1/ask"}, {`"@query"`, "?x=1"}}}, ownKey, nil, Verified},
	{"covers the target", claim{extra: []component{{`"@target-uri"`, "https://desk.example/v1/ask?x=1"}}}, ownKey, nil, Verified},
	{"covers the body", claim{body: "body", extra: []component{{`"content-digest"`, bodyDigest}}}, ownKey, setHeader("Content-Digest", bodyDigest), Verified},
	{"a clock that is ahead a little", claim{created: 4 * time.Second}, ownKey, nil, Verified},

	{"unsigned", claim{}, ownKey, func(r *http.Request) { r.Header = http.Header{} }, Unsigned},
	{"an agent without a signature", claim{}, ownKey, func(r *http.Request) { r.Header.Del("Signature"); r.Header.Del("Signature-Input") }, Unsigned},

	{"an agent that is not listed", claim{agent: "https://stranger.example"}, ownKey, nil, Unverified},
	{"a directory not fetched yet", claim{agent: "https://silent.example"}, ownKey, nil, Unverified},
	{"a key that is not in the directory", claim{}, othersKey, nil, Unverified},
	{"a key that has expired", claim{agent: "https://late.example"}, ownKey, nil, Unverified},
	{"a listed key under another's name", claim{agent: "https://other.example"}, ownKey, nil, Unverified},
	{"no agent named", claim{}, ownKey, func(r *http.Request) { r.Header.Del("Signature-Agent") }, Unverified},
	{"an agent under another label", claim{}, ownKey, setHeader("Signature-Agent", `sig2="`+agentOrigin+`"`), Unverified},
	{"a member with parameters", claim{}, ownKey, setHeader("Signature-Agent", `sig1="`+agentOrigin+`";v=2`), Unverified},
	{"a whole dictionary of others", claim{covered: `"signature-agent"`}, ownKey, setHeader("Signature-Agent", `a="`+agentOrigin+`", b="`+agentOrigin+`"`), Unverified},
	{"for another purpose", claim{}, ownKey, setHeader("Signature-Input", `sig1=("@authority");tag="other"`), Unverified},

	{"for another authority", claim{authority: "evil.example"}, ownKey, nil, Invalid},
	{"with another path", claim{extra: []component{{`"@path"`, "/v1/contact"}}}, ownKey, nil, Invalid},
	{"with another body", claim{body: "other", extra: []component{{`"content-digest"`, bodyDigest}}}, ownKey, setHeader("Content-Digest", bodyDigest), Invalid},
	{"a dictionary that was changed", claim{covered: `"signature-agent"`}, ownKey, func(r *http.Request) { r.Header.Add("Signature-Agent", `b="https://other.example"`) }, Invalid},
	{"expired", claim{created: -2 * time.Minute}, ownKey, nil, Invalid},
	{"from the future", claim{created: time.Minute}, ownKey, nil, Invalid},
	{"signature of another label", claim{}, ownKey, setHeader("Signature", "sig2=:AAAA:"), Invalid},
	{"signature is no bytes", claim{}, ownKey, setHeader("Signature", `sig1="AAAA"`), Invalid},
	{"agent is not covered", claim{}, ownKey, setHeader("Signature-Input", `sig1=("@authority");created=1;keyid="k";tag="web-bot-auth"`), Invalid},
	{"authority is not covered", claim{}, ownKey, setHeader("Signature-Input", `sig1=("signature-agent";key="sig1");created=1;keyid="k";tag="web-bot-auth"`), Invalid},
	{"another algorithm", claim{params: `;alg="hmac-sha256"`}, ownKey, nil, Invalid},
	{"garbage", claim{}, ownKey, setHeader("Signature-Input", "(((("), Invalid},
	{"a component that is no string", claim{}, ownKey, setHeader("Signature-Input", `sig1=("@authority" "signature-agent";key="sig1" 2);created=1;keyid="k";tag="web-bot-auth"`), Invalid},
	{"a date where the parser once broke", claim{}, ownKey, setHeader("Signature-Input", "a=@"), Invalid},
	{"too long", claim{}, ownKey, setHeader("Signature", "sig1=:"+strings.Repeat("A", maxHeader)+":"), Invalid},
}

func TestCheck(t *testing.T) {
	t.Parallel()
	key := testKey(t, ownKey)
	agents := knowing(t, "https://desk.example", map[string]map[string]publicKey{
		agentOrigin:              holding(key),
		"https://late.example":   {key.ID: {key: key.public(), expires: time.Unix(1, 0)}},
		"https://other.example":  holding(testKey(t, othersKey)),
		"https://silent.example": nil,
	})
	for _, tt := range checks {
		r := tt.claim.request(t, testKey(t, tt.key))
		if tt.tamper != nil {
			tt.tamper(r)
		}
		outcome, agent := agents.Check(r, []byte(tt.claim.body))
		if outcome != tt.want || (agent == agentOrigin) != (tt.want == Verified) {
			t.Errorf("%s: %q by %q, want %q", tt.name, outcome, agent, tt.want)
		}
	}
}

// TestCheckOfSeveralLabels checks that one good signature is enough, and that a broken
// one outweighs an unknown one.
func TestCheckOfSeveralLabels(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1)
	agents := knowing(t, "https://desk.example", map[string]map[string]publicKey{agentOrigin: holding(key)})
	join := func(requests ...*http.Request) *http.Request {
		joined := requests[0].Clone(t.Context())
		for _, r := range requests[1:] {
			for _, name := range []string{"Signature", "Signature-Input", "Signature-Agent"} {
				joined.Header.Add(name, r.Header.Get(name))
			}
		}
		return joined
	}
	good := claim{label: "good"}.request(t, key)
	broken := claim{label: "broken", authority: "evil.example"}.request(t, key)
	unknown := claim{label: "unknown"}.request(t, testKey(t, 2))
	for _, tt := range []struct {
		name string
		r    *http.Request
		want string
	}{
		{"good and broken", join(broken, good, unknown), Verified},
		{"broken and unknown", join(unknown, broken), Invalid},
		{"unknown", join(unknown), Unverified},
	} {
		if outcome, _ := agents.Check(tt.r, nil); outcome != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, outcome, tt.want)
		}
	}
}

// TestBounds reads headers at their bounds and past them: parsing costs far more than sending.
func TestBounds(t *testing.T) {
	t.Parallel()
	components := func(n int) string {
		var ids []string
		for i := range n {
			ids = append(ids, fmt.Sprintf(`"x-%d"`, i))
		}
		return "a=(" + strings.Join(ids, " ") + `);tag="web-bot-auth"`
	}
	labels := func(n int) string {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`a%d=();tag="web-bot-auth"`, i))
		}
		return strings.Join(members, ", ")
	}
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
		found, err := signaturesOf(http.Header{"Signature-Input": {tt.input}}, tagAgent)
		if (err != nil) != (tt.found < 0) || err == nil && len(found) != tt.found {
			t.Errorf("%s: %d signatures, %v; want %d", tt.name, len(found), err, tt.found)
		}
	}
}

// FuzzCheck checks that no header is verified without the key, and none causes a panic.
func FuzzCheck(f *testing.F) {
	key := testKey(f, 1)
	agents := knowing(f, "https://desk.example", map[string]map[string]publicKey{agentOrigin: holding(key)})
	good := claim{}.request(f, testKey(f, 2))
	f.Add(good.Header.Get("Signature-Agent"), good.Header.Get("Signature-Input"), good.Header.Get("Signature"))
	f.Add(`"`+agentOrigin+`"`, `sig1=(1 2);tag="web-bot-auth"`, `sig1=:AAAA:`)
	f.Add(`sig1=@`, `a=@`, `a=%"`)
	f.Add(`sig1="`+agentOrigin+`"`, `sig1=("@authority" "signature-agent";key="sig1" "@query-param";name=1);keyid="`+key.ID+`";tag="web-bot-auth"`, `sig1=:AAAA:`)
	f.Fuzz(func(t *testing.T, agent, input, signature string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/catalog", nil)
		r.Header.Set("Signature-Agent", agent)
		r.Header.Set("Signature-Input", input)
		r.Header.Set("Signature", signature)
		if outcome, _ := agents.Check(r, nil); outcome == Verified {
			t.Errorf("verified without the key: %s %s %s", agent, input, signature)
		}
	})
}
