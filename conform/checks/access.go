package checks

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
)

// access adds the checks of section 5, except origins and the signatures of the service.
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
		"The key directory holds Ed25519 verification keys, and no private part; each kid is the key's thumbprint "+
			"(RFC 7638, RFC 8037).", keyDirectory, isOK, noneOf("keys", func(key any) bool {
			sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + textAt(key, "x") + `"}`))
			return textAt(key, "kty") != "OKP" || textAt(key, "crv") != "Ed25519" || len(textAt(key, "x")) != 43 ||
				lookup(key, "d") != nil || textAt(key, "kid") != base64.RawURLEncoding.EncodeToString(sum[:])
		}, "keys with kty OKP, crv Ed25519, a public x, its thumbprint as kid and no d"))
	l.one("D.origin", "nothing-is-signed-for-a-foreign-host",
		"The key directory is signed only for the service's own authority.",
		get(pathKeyDirectory, "Host: evil.example"), lacksHeader("Signature", "Signature-Input"))
	for _, row := range []struct{ section, name, header string }{
		{"5.3", "bearer", "Authorization: Bearer not-a-token"}, {"5.3", "basic", "Authorization: Basic !!!"},
		{"5.1", "api-key", "X-API-Key: k"}, {"5.1", "cookie", "Cookie: session=x; dry_run=false"},
	} {
		l.several(row.section, row.name+"-is-ignored", "A credential that a caller sends is ignored, not rejected.",
			send(dryRun(row.header), preview), send(get("/v1/catalog", row.header), isOK, lacksHeader("WWW-Authenticate")))
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
		"/token", "/register"} {
		l.one("5.2", "no-"+slug(path),
			"There is no authorization server, no token endpoint and no dynamic client registration.", get(path),
			statusIs(404))
	}

	l.several("5.8", "signature-expired",
		"Agents may sign requests; signatures are not checked, so a request with an invalid one is served too.",
		send(dryRun(`Signature-Input: sig1=("@authority");created=1735689600;expires=1735693200;keyid="k";tag="web-bot-auth"`,
			"Signature: sig1=:AAAA:", `Signature-Agent: "https://agent.example"`), preview),
		send(dryRun("Signature-Input: ((((", "Signature: sig1=:not base64"), preview))
	l.one("5.8", "accept-signature-garbage", "A request for a signed answer is never refused for that.",
		get("/v1/catalog", "Accept-Signature: ((("), serves("application/json"))
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

// signing adds the check of the key directory as verifiers make it (Web Bot Auth,
// draft-ietf-webbotauth-httpsig-protocol-01).
func signing(l *list) {
	l.run("5.8", "key-directory-signs-itself",
		"The key directory is signed with its own key for the service's authority, digest included (RFC 9421, RFC 9530).",
		directorySignature)
}

var (
	binding   = regexp.MustCompile(`^binding0=(\("@authority";req "content-digest"\);[^,]*;keyid="([^"]+)"[^,]*)`)
	signature = regexp.MustCompile(`^binding0=:([A-Za-z0-9+/=]+):`)
)

func directorySignature(p *probe) {
	authority := p.Origin.Host
	a := p.Send(get(pathKeyDirectory, "Host: "+authority), isOK)
	sum := sha256.Sum256(a.Body)
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	hasHeader("Content-Digest", digest)(a)
	params, signed := binding.FindStringSubmatch(a.HeaderValue("Signature-Input")),
		signature.FindStringSubmatch(a.HeaderValue("Signature"))
	if params == nil || signed == nil {
		a.Fail(`a signature binding0 over "@authority";req and "content-digest"`)
	}
	raw, _ := base64.StdEncoding.DecodeString(signed[1]) // what cannot be read does not hold
	text := "\"@authority\";req: " + authority + "\n\"content-digest\": " + digest + "\n\"@signature-params\": " +
		params[1]
	for _, key := range a.List("keys") {
		public, _ := base64.RawURLEncoding.DecodeString(textAt(key, "x"))
		if textAt(key, "kid") == params[2] && len(public) == ed25519.PublicKeySize &&
			ed25519.Verify(public, []byte(text), raw) {
			return
		}
	}
	a.Fail("a signature that holds over\n%s", text)
}

// origins adds the checks of section 5.7, on every endpoint and with every kind of origin.
func origins(l *list) {
	for _, bad := range []struct{ section, name, text string }{
		{"5.7", "foreign", "https://evil.example"},
		{"5.7", "prefix", "https://evil-{host}"}, {"5.7", "suffix", "{origin}.evil.example"},
		{"5.7", "subdomain", "{scheme}://a.{host}"}, {"5.7", "other-port", "{scheme}://{name}:1"},
		{"5.7", "other-scheme", "{other}://{host}"}, {"5.7", "user", "{origin}@evil.example"},
		{"D.origin", "null", "null"}, {"D.origin", "empty", ""}, {"D.origin", "path", "{origin}/page"},
		{"D.origin", "comma", "{origin}, {origin}"}, {"D.origin", "star", "*"},
	} {
		l.one(bad.section, "origin-"+bad.name,
			"A browser Origin that the service does not serve is refused with 403 forbidden.",
			dryRun("Origin: "+bad.text), forbidden, lacksHeader("Access-Control-Allow-Origin"))
	}
	const evil, own = "Origin: https://evil.example", "Origin: {origin}"
	l.one("D.rules", "origin-is-named", "The detail of a refused origin names it.", dryRun(evil), forbidden,
		memberContains("detail", "https://evil.example"))
	l.several("5.7", "origin-own", "Callers use the service's own origin.", send(dryRun(own), preview),
		send(get("/v1/catalog", own), isOK))
	l.one("5.7", "origin-is-not-compared-with-host",
		"An Origin that equals a foreign Host is refused too, because a page may rebind its name (DNS rebinding).",
		dryRun(evil, "Host: evil.example"), forbidden)
	l.several("D.origin", "origin-twice", "A repeated Origin header is refused, in either order.",
		send(dryRun(own, evil), forbidden), send(dryRun(evil, own), forbidden), send(dryRun(own, own), forbidden))
	l.several("D.origin", "origin-goes-before-the-route", "A foreign origin is refused before the route is looked for.",
		send(get("/v1/nope", evil), forbidden), send(get("/v1/ask", evil), forbidden))
	l.onLoopback("D.origin", "origin-goes-before-the-limit", "A 403 takes no slot.",
		send(ask("x", evil), forbidden), send(ask(known), isOK, taken(l.ask, 1)))
	l.one("D.origin", "preflight-of-a-foreign-origin", "The preflight of a foreign origin is refused.",
		request{Method: "OPTIONS", Path: "/v1/contact", Header: []string{evil, "Access-Control-Request-Method: POST"}},
		forbidden)
	for _, r := range []request{
		catalog, get("/agents.json"), ask("x"), askAgain("x"), helpful, post("/api/contact", dryJSON("")), get("/pricing"),
	} {
		r.Header = append(r.Header[:len(r.Header):len(r.Header)], evil)
		l.one("5.7", "origin-foreign-at-"+slug(r.Path), "A foreign browser Origin is refused on "+r.Path+".",
			r, statusIs(403), lacksHeader("Access-Control-Allow-Origin"))
	}
	for _, path := range []string{"/.well-known/api-catalog", "/.well-known/mcp/server-card.json", "/mcp/server-card",
		"/api/public/mcp/server-card", pathKeyDirectory, "/.well-known/agent-skills/index.json"} {
		l.one("D.origin", "open-to-all-"+slug(path), "The discovery document "+path+" is open to pages of any origin.",
			get(path, evil), isOK, hasHeader("Access-Control-Allow-Origin", "*"))
	}
}
