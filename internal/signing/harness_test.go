package signing

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

const agentOrigin = "https://signature-agent.test"

// knowing returns an Agents that has already fetched these directories.
func knowing(t testing.TB, base string, directories map[string]map[string]publicKey) *Agents {
	t.Helper()
	agents := NewAgents(addressOf(t, base), nil, zerolog.Nop())
	for origin, keys := range directories {
		if keys != nil {
			agents.held.Store(origin, keys)
		}
	}
	return agents
}

func holding(keys ...Key) map[string]publicKey {
	held := map[string]publicKey{}
	for _, key := range keys {
		held[key.ID] = publicKey{key: key.public()}
	}
	return held
}

// claim is a request as an agent signs it; the zero value is signed correctly.
type claim struct {
	label, agent, authority string
	extra                   []component
	body                    string
	covered                 string        // in place of the member's component
	created                 time.Duration // from now
	params                  string
}

// request signs a request to the service at desk.example.
func (c claim) request(t testing.TB, key Key) *http.Request {
	t.Helper()
	label, agent := cmp.Or(c.label, "sig1"), cmp.Or(c.agent, agentOrigin)
	covered, named := `"signature-agent";key=`+quoted(label), `"`+agent+`"`
	if c.covered != "" {
		covered, named = c.covered, label+"="+named
	}
	created := time.Now().Add(c.created).Unix()
	params := fmt.Sprintf(`;created=%d;expires=%d;keyid=%q;tag="web-bot-auth"`, created, created+60, key.ID) + c.params
	signed := key.sign(label, append([]component{
		{`"@authority"`, cmp.Or(c.authority, "desk.example")}, {covered, named}}, c.extra...), params)
	r := httptest.NewRequest(http.MethodPost, "/v1/ask?x=1", strings.NewReader(c.body))
	r.Host = "desk.example"
	r.Header.Set("Signature-Agent", label+`="`+agent+`"`)
	r.Header.Set("Signature-Input", signed.input)
	r.Header.Set("Signature", signed.value)
	return r
}
