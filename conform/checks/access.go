package checks

import (
	"regexp"

	"frontdesk/conform"
	"frontdesk/contract"
)

// access adds the checks of section 5, except origins and the signatures of the service.
func access(l *list) {
	guide := conform.Get(contract.PathAuthGuide)
	l.one("5.5", "agent-auth-has-its-shape", "The agent registration descriptor has skill, register_uri, identity_types_supported and anonymous with credential_types_supported and claim_uri.",
		guide, isOK, ofDescriptor(hasURL("agent_auth.register_uri", contract.PathContact), hasURL("agent_auth.anonymous.claim_uri", contract.PathCatalog), hasTexts("agent_auth.skill")))
	l.one("5.4", "identity-is-anonymous", "Identity types supported: anonymous; credential types supported: none.",
		guide, isOK, ofDescriptor(hasMember("agent_auth.identity_types_supported", []string{"anonymous"}), hasMember("agent_auth.anonymous.credential_types_supported", []string{"none"})))
	l.one("D.documents", "claim-uri-is-at-the-top", "auth.md has claim_uri also at the top level of agent_auth, where scanners look.",
		guide, isOK, ofDescriptor(hasURL("agent_auth.claim_uri", contract.PathCatalog)))
	l.one("5.8", "key-directory-holds-public-keys", "The key directory holds Ed25519 verification keys, and no private part.", keyDirectory, isOK, func(a *conform.Answer) {
		for _, key := range a.List("keys") {
			if textAt(key, "kty") != "OKP" || textAt(key, "crv") != "Ed25519" || len(textAt(key, "x")) != 43 || conform.Lookup(key, "d") != nil {
				a.Fail("keys with kty OKP, crv Ed25519, a public x and no d")
			}
		}
	})
	l.one("D.origin", "nothing-is-signed-for-a-foreign-host", "The key directory is signed only for the service's own authority.",
		conform.Get(contract.PathKeyDirectory, "Host: evil.example"), lacksHeader("Signature", "Signature-Input"))
	for _, row := range []struct{ name, header string }{
		{"bearer", "Authorization: Bearer not-a-token"}, {"basic", "Authorization: Basic !!!"}, {"empty-bearer", "Authorization: Bearer"},
		{"api-key", "X-API-Key: k"}, {"cookie", "Cookie: session=x; dry_run=false"},
	} {
		l.one("5.3", row.name+"-is-ignored", "A credential that a caller sends is ignored, not rejected.", dryRun(row.header), preview)
		l.one("5.1", "catalog-with-"+row.name, "The whole public surface is anonymous.",
			conform.Get(contract.PathCatalog, row.header), isOK, lacksHeader("WWW-Authenticate"))
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-protected-resource", "/token", "/register", "/oauth/register"} {
		l.one("5.2", "no-"+slug(path), "There is no authorization server, no token endpoint and no dynamic client registration.", conform.Get(path), statusIs(404))
	}

	// A signature is never required, and an invalid one is ignored.
	const input = `Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1735689600;expires=1735693200;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";tag="web-bot-auth"`
	const signature = `Signature: sig1=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==:`
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
		l.one("5.8", "signature-"+row.name, "Agents may sign requests; a request with an invalid signature is served too.", dryRun(row.header...), preview)
	}
	for _, row := range []struct{ name, value string }{
		{"garbage", "((("}, {"empty", ""}, {"unknown-component", `sig1=("nope")`}, {"ok", `sig1=("@status" "content-digest")`},
	} {
		l.one("5.8", "accept-signature-"+row.name, "A request for a signed answer is never refused for that.",
			conform.Get(contract.PathCatalog, "Accept-Signature: "+row.value), serves(contract.TypeJSON))
	}
}

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// ofDescriptor expects something of the agent registration descriptor in /auth.md.
func ofDescriptor(expected ...expectation) expectation {
	return func(a *conform.Answer) {
		block := jsonBlock.FindSubmatch(a.Body)
		if block == nil {
			a.Fail("a json block with agent_auth")
		}
		descriptor := *a
		descriptor.Body = block[1]
		expect(&descriptor, expected...)
	}
}
