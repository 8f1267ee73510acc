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

// costly are headers that make a check as dear as its bounds allow, or would without them.
// Each signature names a listed agent and its key, so that nothing ends the check early.
func costly(key Key) map[string]http.Header {
	params := fmt.Sprintf(`;created=%d;expires=%d;keyid=%q;tag="web-bot-auth"`, time.Now().Unix(), time.Now().Unix()+60, key.ID)
	repeat := func(n int, part func(i int) string) []string {
		var parts []string
		for i := range n {
			parts = append(parts, part(i))
		}
		return parts
	}
	agents := func(n int) string {
		return strings.Join(repeat(n, func(i int) string { return fmt.Sprintf("a%d=%q", i, agentOrigin) }), ", ")
	}
	inputs := func(labels int, components ...string) string {
		list := `("@authority" "signature-agent" ` + strings.Join(components, " ") + ")"
		return strings.Join(repeat(labels, func(i int) string { return fmt.Sprintf("a%d=%s%s", i, list, params) }), ", ")
	}
	values := strings.Join(repeat(maxLabels, func(i int) string { return fmt.Sprintf("a%d=:AAAA:", i) }), ", ")
	all := http.Header{
		"Signature-Agent": {agents(maxParts / 2)}, "Signature": {values},
		"Signature-Input": {inputs(maxLabels, repeat(14, func(i int) string { return fmt.Sprintf(`"x-%d"`, i) })...)},
	}
	for i := range 14 {
		all.Set(fmt.Sprintf("x-%d", i), strings.Repeat("a", 1<<10))
	}
	return map[string]http.Header{
		"all that is allowed": all,
		"names times items": {
			"Signature-Agent": {strings.Join(repeat(1000, func(i int) string { return fmt.Sprintf("a%d", i) }), ",")},
			"Signature-Input": {"x=(" + strings.Repeat("1 ", 2400) + ")" + params}, "Signature": {"x=:AAAA:"},
		},
		"a long header, covered often": {
			"Signature-Agent": {agents(maxLabels)}, "Signature": {values}, "X": {strings.Repeat("a=1,", 6<<10)},
			"Signature-Input": {inputs(maxLabels, repeat(6, func(i int) string { return fmt.Sprintf(`"x";key="a%d"`, i) })...)},
		},
		"a long digest": {
			"Signature-Agent": {agents(maxLabels)}, "Signature": {values}, "Content-Digest": {strings.Repeat("a=1,", 6<<10)},
			"Signature-Input": {inputs(maxLabels, `"content-digest"`)},
		},
	}
}

// TestCheckIsBounded compares what a check of costly headers allocates with what the
// check of a well-signed request does.
func TestCheckIsBounded(t *testing.T) { // not parallel: it counts allocations
	key := testKey(t, 1)
	agents := knowing(t, "https://desk.example", map[string]map[string]publicKey{agentOrigin: holding(key)})
	cost := func(r *http.Request) float64 {
		return testing.AllocsPerRun(10, func() { agents.Check(r, nil) })
	}
	ordinary := cost(claim{}.request(t, key))
	for name, header := range costly(key) {
		r := httptest.NewRequest(http.MethodGet, "/v1/catalog", nil)
		r.Header = header
		if times := cost(r) / ordinary; times > 15 {
			t.Errorf("%s: it costs %.0f times what an ordinary signature costs, want at most 15", name, times)
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
