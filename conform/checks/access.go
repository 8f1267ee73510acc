package checks

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"

	"frontdesk/contract"
)

// access adds the checks of section 5, except origins.
func access(l *list) {
	guide := get("/auth.md")
	l.one("5.5", "agent-auth-has-its-shape",
		"The agent registration descriptor has skill, register_uri, identity_types_supported and anonymous with "+
			"credential_types_supported and claim_uri; claim_uri is also at its top, where scanners look.",
		guide, isOK, ofDescriptor(hasURL("agent_auth.register_uri", "/v1/contact"),
			hasURL("agent_auth.anonymous.claim_uri", "/v1/catalog"), hasURL("agent_auth.claim_uri", "/v1/catalog"),
			hasTexts("agent_auth.skill")))
	l.one("5.4", "identity-is-anonymous", "Identity types supported: anonymous; credential types supported: none.",
		guide, isOK, ofDescriptor(hasMember("agent_auth.identity_types_supported", []string{"anonymous"}),
			hasMember("agent_auth.anonymous.credential_types_supported", []string{"none"})))
	l.one("5.8", "key-directory-holds-public-keys",
		"The service publishes its own key at "+contract.PathKeyDirectory+": Ed25519 verification keys, and no private "+
			"part; each kid is the key's thumbprint (RFC 7638, RFC 8037).", get(contract.PathKeyDirectory),
		serves(contract.TypeKeyDirectory), hasItems("keys", 1),
		noneOf("keys", func(key any) bool {
			sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + textAt(key, "x") + `"}`))
			return textAt(key, "kty") != "OKP" || textAt(key, "crv") != "Ed25519" || len(textAt(key, "x")) != 43 ||
				lookup(key, "d") != nil || textAt(key, "kid") != base64.RawURLEncoding.EncodeToString(sum[:])
		}, "keys with kty OKP, crv Ed25519, a public x, its thumbprint as kid and no d"))
	l.one("D.origin", "nothing-is-signed-for-a-foreign-host",
		"The key directory is signed only for the service's own authority.",
		get(contract.PathKeyDirectory, "Host: evil.example"), lacksHeader("Signature", "Signature-Input"))
	ignored := func(section, name string, credentials ...string) {
		var steps []step
		for _, header := range credentials {
			steps = append(steps, send(dryRun(header), preview),
				send(get("/v1/catalog", header), isOK, lacksHeader("WWW-Authenticate")))
		}
		l.several(section, "ignored-"+name, "A credential that a caller sends is ignored, not rejected.", steps...)
	}
	ignored("5.3", "authorization", "Authorization: Bearer not-a-token", "Authorization: Basic !!!")
	ignored("5.1", "other-credentials", "X-API-Key: k", "Cookie: session=x; dry_run=false")
	l.several("5.2", "no-authorization-server",
		"There is no authorization server, no token endpoint and no dynamic client registration.",
		sendEach(statusIs(404), get, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
			"/token", "/register"))
	l.several("5.8", "signatures-are-not-checked",
		"Agents may sign requests. Signatures are not checked: a request with an invalid signature is served. A malformed "+
			"Accept-Signature is ignored.",
		send(dryRun(`Signature-Input: sig1=("@authority");expires=1735693200;keyid="k";tag="web-bot-auth"`,
			"Signature: sig1=:AAAA:", `Signature-Agent: "https://agent.example"`), preview),
		send(dryRun("Signature-Input: ((((", "Signature: sig1=:not base64"), preview),
		send(get("/v1/catalog", "Accept-Signature: ((("), servesJSON))
}

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)```")

// ofDescriptor expects something of the agent registration descriptor in /auth.md.
func ofDescriptor(expected ...expectation) expectation {
	return func(a *answer) {
		block := jsonBlock.FindSubmatch(a.Body)
		if block == nil {
			a.Fail("a json block with agent_auth")
		}
		descriptor := *a
		descriptor.Body = block[1]
		all(expected...)(&descriptor)
	}
}

// origins adds the checks of section 5.7.
func origins(l *list) {
	const own = "Origin: {origin}"
	isForeign := all(forbidden, lacksHeader("Access-Control-Allow-Origin"))
	from := func(origin string, _ ...string) request { return dryRun("Origin: " + origin) }
	evilGet := func(path string, _ ...string) request { return get(path, evil) }
	l.several("5.7", "origin-foreign", "A browser Origin that the service does not serve is refused with 403 forbidden.",
		sendEach(isForeign, from, "https://evil.example", "https://evil-{host}", "{origin}.evil.example",
			"{scheme}://a.{host}", "{scheme}://{name}:1", "{flipped}://{host}", "{origin}@evil.example"))
	l.several("D.origin", "origin-malformed",
		"A malformed or a repeated Origin is refused too. The detail of a refusal names the origin.",
		sendEach(isForeign, from, "null", "", "{origin}/page", "{origin}, {origin}", "*"),
		sendAll(forbidden, dryRun(own, evil), dryRun(evil, own), dryRun(own, own)),
		send(dryRun(evil), forbidden, memberContains("detail", "https://evil.example")))
	l.several("5.7", "origin-own", "Callers use the service's own origin.", send(dryRun(own), preview),
		send(get("/v1/catalog", own), isOK))
	l.one("5.7", "origin-is-not-compared-with-host",
		"An Origin that equals a foreign Host is refused too, because a page may rebind its name (DNS rebinding).",
		dryRun(evil, "Host: evil.example"), forbidden)
	l.several("5.7", "origin-foreign-everywhere", "A foreign browser Origin is refused on every path.",
		sendAll(all(statusIs(403), lacksHeader("Access-Control-Allow-Origin")), evilGet("/v1/catalog"),
			evilGet("/agents.json"), evilGet("/pricing"), post("/api/contact", dryJSON(""), evil)))
	l.several("D.origin", "origin-goes-before-the-route",
		"A foreign origin is refused before the route is looked for, and so is its preflight.",
		sendAll(forbidden, evilGet("/v1/nope"), evilGet("/v1/ask"), request{Method: "OPTIONS", Path: "/v1/contact",
			Header: []string{evil, "Access-Control-Request-Method: POST"}}))
	l.several("D.origin", "discovery-is-open-to-all", "The discovery documents are open to pages of any origin.",
		sendEach(all(isOK, hasHeader("Access-Control-Allow-Origin", "*")), evilGet, "/.well-known/api-catalog",
			"/.well-known/mcp/server-card.json", "/mcp/server-card", contract.PathKeyDirectory,
			"/.well-known/agent-skills/index.json"))
}
