package checks

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"

	"frontdesk/conform"
	"frontdesk/contract"
)

// access adds the checks of section 5, except origins and the signatures of the service.
func access(l *list) {
	guide := conform.Get(contract.PathAuthGuide)
	l.one("5.5", "agent-auth-has-its-shape",
		"The agent registration descriptor has skill, register_uri, identity_types_supported and anonymous with "+
			"credential_types_supported and claim_uri.",
		guide, isOK, ofDescriptor(hasURL("agent_auth.register_uri", contract.PathContact),
			hasURL("agent_auth.anonymous.claim_uri", contract.PathCatalog), hasTexts("agent_auth.skill")))
	l.one("5.4", "identity-is-anonymous", "Identity types supported: anonymous; credential types supported: none.",
		guide, isOK, ofDescriptor(hasMember("agent_auth.identity_types_supported", []string{"anonymous"}),
			hasMember("agent_auth.anonymous.credential_types_supported", []string{"none"})))
	l.one("D.documents", "claim-uri-is-at-the-top",
		"auth.md has claim_uri also at the top level of agent_auth, where scanners look.",
		guide, isOK, ofDescriptor(hasURL("agent_auth.claim_uri", contract.PathCatalog)))
	l.one("5.8", "key-directory-holds-public-keys",
		"The key directory holds Ed25519 verification keys, and no private part.", keyDirectory, isOK,
		noneOf("keys", func(key any) bool {
			return textAt(key, "kty") != "OKP" || textAt(key, "crv") != "Ed25519" || len(textAt(key, "x")) != 43 ||
				conform.Lookup(key, "d") != nil
		}, "keys with kty OKP, crv Ed25519, a public x and no d"))
	l.one("D.origin", "nothing-is-signed-for-a-foreign-host",
		"The key directory is signed only for the service's own authority.",
		conform.Get(contract.PathKeyDirectory, "Host: evil.example"), lacksHeader("Signature", "Signature-Input"))
	for _, row := range []struct{ name, header string }{
		{"bearer", "Authorization: Bearer not-a-token"}, {"basic", "Authorization: Basic !!!"},
		{"empty-bearer", "Authorization: Bearer"},
		{"api-key", "X-API-Key: k"}, {"cookie", "Cookie: session=x; dry_run=false"},
	} {
		l.one("5.3", row.name+"-is-ignored", "A credential that a caller sends is ignored, not rejected.", dryRun(row.header),
			preview)
		l.one("5.1", "catalog-with-"+row.name, "The whole public surface is anonymous.",
			conform.Get(contract.PathCatalog, row.header), isOK, lacksHeader("WWW-Authenticate"))
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
		"/.well-known/oauth-protected-resource", "/token", "/register", "/oauth/register"} {
		l.one("5.2", "no-"+slug(path),
			"There is no authorization server, no token endpoint and no dynamic client registration.", conform.Get(path),
			statusIs(404))
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
		{"many-labels", []string{"Signature-Input: " + repeatList(`l%d=("@method")`, 40),
			"Signature: " + repeatList("l%d=:AAAA:", 40)}},
		{"twice", []string{input, input, signature, signature}},
	} {
		l.one("5.8", "signature-"+row.name, "Agents may sign requests; a request with an invalid signature is served too.",
			dryRun(row.header...), preview)
	}
	for _, row := range []struct{ name, value string }{
		{"garbage", "((("}, {"empty", ""}, {"unknown-component", `sig1=("nope")`},
		{"ok", `sig1=("@status" "content-digest")`},
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

// signing adds the checks of the key directory as verifiers make them (Web Bot Auth,
// draft-ietf-webbotauth-httpsig-protocol-01).
func signing(l *list) {
	l.one("5.8", "key-ids-are-thumbprints", "The kid of each published key is its thumbprint (RFC 7638, RFC 8037).",
		keyDirectory, isOK, noneOf("keys", func(key any) bool {
			sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + textAt(key, "x") + `"}`))
			return textAt(key, "kid") != base64.RawURLEncoding.EncodeToString(sum[:])
		}, "keys whose kid is their thumbprint"))
	l.run("5.8", "key-directory-signs-itself",
		"The key directory is signed with its own key for the service's authority, digest included (RFC 9421, RFC 9530).",
		directorySignature)
	l.one("5.8", "key-directory-has-its-digest", "Content-Digest is the digest of the body (RFC 9530).", keyDirectory,
		isOK, digested)
}

// digested expects the Content-Digest of the body.
func digested(a *conform.Answer) {
	sum := sha256.Sum256(a.Body)
	hasHeader("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":")(a)
}

var (
	binding   = regexp.MustCompile(`^binding0=(\("@authority";req "content-digest"\);[^,]*)`)
	keyID     = regexp.MustCompile(`;keyid="([^"]+)"`)
	signature = regexp.MustCompile(`^binding0=:([A-Za-z0-9+/=]+):`)
)

func directorySignature(p *conform.Probe) {
	authority := p.Origin.Host
	a := p.Send(conform.Get(contract.PathKeyDirectory, "Host: "+authority), isOK, digested)
	params, signed := binding.FindStringSubmatch(a.HeaderValue("Signature-Input")),
		signature.FindStringSubmatch(a.HeaderValue("Signature"))
	if params == nil || signed == nil {
		a.Fail(`a signature binding0 over "@authority";req and "content-digest"`)
	}
	raw, err := base64.StdEncoding.DecodeString(signed[1])
	text := "\"@authority\";req: " + authority + "\n\"content-digest\": " + a.HeaderValue("Content-Digest") +
		"\n\"@signature-params\": " + params[1]
	key := publicKey(a, params[1])
	if err != nil || key == nil || !ed25519.Verify(key, []byte(text), raw) {
		a.Fail("a signature that holds over\n%s", text)
	}
}

// publicKey returns the key of the directory that the parameters of a signature name, or
// nil.
func publicKey(a *conform.Answer, params string) ed25519.PublicKey {
	id := keyID.FindStringSubmatch(params)
	for _, key := range a.List("keys") {
		public, err := base64.RawURLEncoding.DecodeString(textAt(key, "x"))
		if id != nil && textAt(key, "kid") == id[1] && err == nil && len(public) == ed25519.PublicKeySize {
			return public
		}
	}
	return nil
}

// origins adds the checks of section 5.7, on every endpoint and with every kind of origin.
func origins(l *list) {
	origin := func(section string, origins ...named) {
		for _, bad := range origins {
			l.one(section, "origin-"+bad.name, "A browser Origin that the service does not serve is refused with 403 forbidden.",
				dryRun("Origin: "+bad.text), forbidden, lacksHeader("Access-Control-Allow-Origin"))
		}
	}
	origin("5.7", named{"foreign", "https://evil.example"}, named{"foreign-http", "http://evil.example"},
		named{"file", "file://"},
		named{"extension", "chrome-extension://abcdef"}, named{"prefix", "https://evil-{host}"},
		named{"suffix", "{origin}.evil.example"},
		named{"subdomain", "{scheme}://a.{host}"}, named{"other-port", "{scheme}://{name}:1"},
		named{"other-scheme", "{other}://{host}"}, named{"user", "{origin}@evil.example"})
	origin("D.origin", named{"null", "null"}, named{"empty", ""}, named{"slash", "{origin}/"},
		named{"path", "{origin}/page"},
		named{"list", "{origin} https://evil.example"}, named{"comma", "{origin}, {origin}"}, named{"word", "evil"},
		named{"star", "*"})
	const evil, own = "Origin: https://evil.example", "Origin: {origin}"
	l.one("5.7", "origin-own", "Callers use the service's own origin.", dryRun(own), preview)
	l.one("5.7", "origin-own-reads", "The own origin may read the catalog.", conform.Get(contract.PathCatalog, own), isOK)
	l.one("5.7", "origin-none", "Callers may send no Origin header.", dryRun(), preview)
	l.one("5.7", "origin-is-not-compared-with-host",
		"An Origin that equals a foreign Host is refused too, because a page may rebind its name (DNS rebinding).",
		dryRun(evil, "Host: evil.example"), forbidden)
	l.several("D.origin", "origin-twice", "A repeated Origin header is refused, in either order.",
		send(dryRun(own, evil), forbidden), send(dryRun(evil, own), forbidden), send(dryRun(own, own), forbidden))
	l.several("D.origin", "origin-goes-before-the-route", "A foreign origin is refused before the route is looked for.",
		send(conform.Get("/v1/nope", evil), forbidden), send(conform.Get(contract.PathAsk, evil), forbidden))
	l.several("D.origin", "origin-goes-before-the-limit", "A 403 takes no slot.",
		send(ask("x", evil), forbidden), send(ask(known), isOK, left("ask", 4))).LoopbackOnly = true
	l.one("D.origin", "preflight-of-a-foreign-origin", "The preflight of a foreign origin is refused.",
		conform.Request{Method: http.MethodOptions, Path: contract.PathContact,
			Header: []string{evil, "Access-Control-Request-Method: POST"}}, forbidden)
	for _, r := range []conform.Request{
		health, catalog, conform.Get(contract.PathCatalogAlias), openAPI, ask("x"), askAgain("x"),
		helpful, conform.PostJSON(contract.PathContactAlias, dryJSON("")), conform.Get(contract.PathPricing),
		conform.Get(contract.PathLLMS),
	} {
		r.Header = append(r.Header[:len(r.Header):len(r.Header)], evil)
		l.one("5.7", "origin-foreign-at-"+slug(r.Path), "A foreign browser Origin is refused on "+r.Path+".",
			r, statusIs(403), lacksHeader("Access-Control-Allow-Origin"))
	}
	for _, path := range []string{contract.PathAPICatalog, contract.PathServerCard, contract.PathServerCardMCP,
		contract.PathWorkspaceCard, contract.PathKeyDirectory, contract.PathSkills, contract.PathAICatalog} {
		l.one("D.origin", "open-to-all-"+slug(path), "The discovery document "+path+" is open to pages of any origin.",
			conform.Get(path, evil), isOK, hasHeader("Access-Control-Allow-Origin", "*"))
	}
}
