package conform

import (
	"regexp"

	"frontdesk/contract"
)

// access are the sentences of section 5 on who may call, origins apart.
func access() []Check {
	checks := []Check{
		{Section: "5.5", Name: "agent-auth-has-its-shape",
			Says: "The agent registration descriptor has skill, register_uri, identity_types_supported and anonymous with credential_types_supported and claim_uri.",
			Run:  agentAuth},
		{Section: "5.4", Name: "identity-is-anonymous",
			Says: "Identity types supported: anonymous; credential types supported: none.",
			Run: func(p *probe) {
				p.descriptor().member("agent_auth.identity_types_supported", []string{"anonymous"}).member("agent_auth.anonymous.credential_types_supported", []string{"none"})
			}},
		{Section: "D.documents", Name: "claim-uri-is-at-the-top",
			Says: "auth.md has claim_uri also at the top level of agent_auth, where scanners look.",
			Run: func(p *probe) {
				p.descriptor().member("agent_auth.claim_uri", p.base()+contract.PathCatalog)
			}},
		{Section: "5.8", Name: "key-directory-holds-public-keys",
			Says: "The key directory holds Ed25519 verification keys, and no private part.",
			Run: func(p *probe) {
				a := p.send(get(contract.PathKeyDirectory)).is(200)
				for _, key := range a.list("keys") {
					x, _ := at(key, "x").(string)
					if at(key, "kty") != "OKP" || at(key, "crv") != "Ed25519" || len(x) != 43 || at(key, "d") != nil {
						a.fail("keys with kty OKP, crv Ed25519, a public x and no d")
					}
				}
			}},
		{Section: "D.origin", Name: "nothing-is-signed-for-a-foreign-host",
			Says: "The key directory is signed for the service's own authority alone.",
			Run: func(p *probe) {
				p.send(get(contract.PathKeyDirectory, "Host: evil.example")).lacks("Signature", "Signature-Input")
			}},
	}
	for _, row := range []struct{ name, header string }{
		{"bearer", "Authorization: Bearer not-a-token"},
		{"basic", "Authorization: Basic !!!"},
		{"empty-bearer", "Authorization: Bearer"},
		{"api-key", "X-API-Key: k"},
		{"cookie", "Cookie: session=x; dry_run=false"},
	} {
		checks = append(checks, one("5.3", row.name+"-is-ignored", "A credential that a caller sends is ignored, not rejected.",
			dryRun(row.header), preview),
			one("5.1", "catalog-with-"+row.name, "The whole public surface is anonymous.",
				get(contract.PathCatalog, row.header), func(a *answer) { a.is(200).lacks("WWW-Authenticate") }))
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-protected-resource", "/token", "/register", "/oauth/register"} {
		checks = append(checks, one("5.2", "no-"+slug(path),
			"There is no authorization server, no token endpoint and no dynamic client registration.", get(path), func(a *answer) { a.is(404) }))
	}
	return append(checks, signatures()...)
}

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// descriptor reads the agent registration descriptor out of the guide.
func (p *probe) descriptor() *answer {
	a := p.send(get(contract.PathAuthGuide)).is(200)
	block := jsonBlock.FindSubmatch(a.body)
	if block == nil {
		a.fail("a json block with agent_auth")
	}
	descriptor := *a
	descriptor.body = block[1]
	return &descriptor
}

func agentAuth(p *probe) {
	p.descriptor().member("agent_auth.register_uri", p.base()+contract.PathContact).
		member("agent_auth.anonymous.claim_uri", p.base()+contract.PathCatalog).
		text("agent_auth.skill")
}

// signatures are requests that are signed, well or badly: it is never needed, and
// a bad one refuses nobody.
func signatures() []Check {
	const input = `Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1735689600;expires=1735693200;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";tag="web-bot-auth"`
	const signature = `Signature: sig1=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==:`
	var checks []Check
	for _, row := range []struct {
		name   string
		header []string
	}{
		{"expired", []string{input, signature, `Signature-Agent: sig1="https://agent.example"`}},
		{"metadata-address", []string{input, signature, `Signature-Agent: sig1="http://169.254.169.254/"`}},
		{"loopback-address", []string{input, signature, `Signature-Agent: "https://127.0.0.1:1/"`}},
		{"without-input", []string{signature}},
		{"without-signature", []string{input}},
		{"empty", []string{"Signature-Input:", "Signature:"}},
		{"garbage", []string{"Signature-Input: ((((", "Signature: sig1=:not base64", "Signature-Agent: \x22"}},
		{"other-label", []string{input, "Signature: sig2=:AAAA:"}},
		{"negative-times", []string{`Signature-Input: sig1=("@authority");created=-9223372036854775808;expires=9223372036854775807;keyid=""`, signature}},
		{"many-labels", []string{"Signature-Input: " + repeatList(`l%d=("@method")`, 40), "Signature: " + repeatList("l%d=:AAAA:", 40)}},
		{"twice", []string{input, input, signature, signature}},
	} {
		checks = append(checks, one("5.8", "signature-"+row.name, "Agents may sign requests; a signature that does not hold refuses nobody.",
			dryRun(row.header...), preview))
	}
	for _, row := range []struct{ name, value string }{
		{"garbage", "((("}, {"empty", ""}, {"unknown-component", `sig1=("nope")`}, {"ok", `sig1=("@status" "content-digest")`},
	} {
		checks = append(checks, one("5.8", "accept-signature-"+row.name, "A wish for a signed answer is never a reason to refuse.",
			get(contract.PathCatalog, "Accept-Signature: "+row.value),
			func(a *answer) { a.is(200).kind(contract.TypeJSON) }))
	}
	return checks
}
