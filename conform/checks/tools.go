package checks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"frontdesk/contract"
)

// callTo is a call of a tool of an MCP server, call one of the website's server.
func callTo(path, tool, arguments string, header ...string) request {
	return rpcTo(path, "tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`, header...)
}

func call(tool, arguments string, header ...string) request {
	return callTo("/mcp", tool, arguments, header...)
}

func callPilot(arguments string, header ...string) request {
	return call("request_pilot", arguments, header...)
}

// workspace is the path of the workspace's MCP server.
const workspace = "/api/public/mcp"

func trial(arguments string) request { return callTo(workspace, "start_trial", arguments) }

var (
	toolsList    = rpc("tools/list", "")
	listServices = call("list_services", `{}`)
	askFAQ       = call("ask_faq", questionJSON(known))
	dryCall      = callPilot(dryJSON(""))
)

func tools(l *list) {
	l.one("4.mcp", "tools-of-the-website",
		"The tools are list_services, get_service, ask_faq and request_pilot, the only one that is not read-only.",
		toolsList, isOK, lists("result.tools", "name", "ask_faq", "get_service", "list_services", "request_pilot"),
		noneOf("result.tools", func(tool any) bool {
			return lookup(tool, "annotations.readOnlyHint") != (lookup(tool, "name") != "request_pilot")
		}, "readOnlyHint to be true of every tool but request_pilot"))
	l.one("4.workspace", "tools-of-the-workspace", "The tools are list_services, get_service and start_trial.",
		rpcTo(workspace, "tools/list", ""), isOK, described,
		lists("result.tools", "name", "get_service", "list_services", "start_trial"))
	l.several("4.mcp", "list-services-reads-the-catalog",
		"list_services of both servers reads the catalog: its structured content is the catalog of HTTP.",
		send(catalog, isOK), sendAll(all(isOK, resultIsFirst), listServices, callTo(workspace, "list_services", `{}`)))
	l.one("D.mcp", "get-service-has-its-price", "get_service is the catalog's service with its band under pricing.",
		call("get_service", `{"id":"{service}"}`), isOK, func(a *answer) {
			all(gives("id", a.Probe.KnownService()), gives("pricing.id", a.Text("result.structuredContent.pricing_band")))(a)
		})
	l.several("4.mcp", "ask-faq-answers-like-http", "ask_faq has the same logic as POST /v1/ask: the same answer.",
		send(ask(known), isOK), send(askFAQ, isOK, resultIsFirst))
	l.several("4.mcp", "request-pilot-previews-like-http",
		"request_pilot files a pilot request like POST /v1/contact and supports dry_run: the same preview.",
		send(dryRun(), isOK), send(dryCall, isOK, resultIsFirst, lacksHeader("RateLimit")))
	l.several("D.mcp", "tool-text-repeats-its-content", "Every tool gives structured content and the same as text.",
		sendAll(all(isOK, sameAsText), listServices, askFAQ, dryCall))
	l.one("D.mcp", "request-pilot-takes-null", "An optional argument that is null is absent.",
		callPilot(dryJSON(`,"phone":null,"segment":null,"preview":null,"idempotency_key":null`)), isOK,
		gives("dry_run", true), gives("would_send.phone", nil))
	l.one("D.mcp", "tools-are-described",
		"Every tool has title, description, input and output schema and all four annotations.", toolsList, isOK, described)
}

// lists expects an array whose items have these values of a member, and no others.
func lists(array, member string, want ...string) expectation {
	return func(a *answer) {
		var got []string
		for _, item := range a.List(array) {
			got = append(got, strings.Replace(textAt(item, member), a.Probe.BaseURL, "{base}", 1))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			a.Fail("the members %s to be %s", member, strings.Join(want, ", "))
		}
	}
}

func described(a *answer) {
	for _, tool := range a.List("result.tools") {
		for _, member := range []string{"title", "description", "inputSchema.type", "outputSchema.type"} {
			if textAt(tool, member) == "" {
				a.Fail("every tool to have %s", member)
			}
		}
		if dryRun, has := lookup(tool, "inputSchema.properties.dry_run").(map[string]any); has &&
			dryRun["default"] != false {
			a.Fail("dry_run to have the default false: some frameworks send null for what has none")
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := lookup(tool, "annotations."+hint).(bool); !ok {
				a.Fail("every tool to have the annotation %s", hint)
			}
		}
	}
}

func sameAsText(a *answer) {
	var text any
	_ = json.Unmarshal([]byte(a.Text("result.content.0.text")), &text) // text that is not JSON does not equal the content
	all(hasMember("result.content.0.type", "text"), hasMember("result.structuredContent", text))(a)
}

// arguments adds checks of calls with invalid arguments, which are all refused with -32602.
func arguments(l *list) {
	const sentence = "Invalid tool arguments return code -32602."
	l.risky("4.mcp", "tool-arguments-are-validated", sentence, sendAll(toolRefusal, call("get_service", `{}`),
		call("ask_faq", `{}`), call("ask_faq", `{"q":1}`), callPilot(`{"email":"ada@conform.example"}`),
		callPilot(dryWith("dry_run", `"true"`)), callPilot(dryWith("dry_run", `null`))))
	l.risky("D.mcp", "tool-arguments-are-known",
		sentence+" An unknown argument is reported together with every other fault.",
		send(callPilot(`{"email":"ada@conform.example","bcc":"eve@conform.example","message":"x"}`), toolRefusal,
			contains("bcc", "name is required", "business is required")),
		sendEach(toolRefusal, callPilot, dryJSON(`,"bcc":"eve@conform.example"`), `{`+validFields+`,"dryRun":true}`,
			dryJSON(`,"dry_run":false`)))
	l.several("D.mcp", "tool-unknown-tool", "An unknown tool, and resources/read without uri, are refused with -32602.",
		sendAll(rpcError(contract.RPCInvalidParams), call("place_order", `{}`), rpc("resources/read", `{}`)))
	l.one("D.mcp", "unknown-service-lists-the-known", "An unknown service id is refused with the known ids.",
		call("get_service", `{"id":"no-such-service-0"}`), toolRefusal, func(a *answer) {
			if !a.Probe.ToolResults() {
				hasMember("error.data.known_ids", a.Probe.Services)(a)
			}
			contains(a.Probe.Services...)(a)
		})
}

// toolLimits adds checks of the limits that tools share with HTTP.
func toolLimits(l *list) {
	isRefused := isRefusal(l.ask)
	l.onLoopback("8", "ask-faq-shares-the-limit",
		"The MCP tool ask_faq shares the limit of POST /v1/ask, and its answers carry the policy.",
		send(ask(known), isOK, taken(l.ask, 1)), send(askFAQ, isOK, taken(l.ask, 2), hasPolicy(l.ask)),
		repeat(l.ask.Quota-2, askFAQ),
		send(askFAQ, func(a *answer) {
			wait := refusedFor(a, l.ask)
			message := "result.content.0.text"
			if !a.Probe.ToolResults() {
				message = "error.message"
				all(hasMember("error.code", contract.RPCServerError), hasMember("error.data.retry_after_seconds", wait))(a)
			}
			all(hasMember("id", 1), memberMatches(message, fmt.Sprintf(`^Wait %d s\.`, wait)))(a)
		}),
		send(ask(known), isRefused))
	// callFor calls ask_faq for a person whom an assistant names.
	callFor := func(person string) request {
		return rpc("tools/call", `{"name":"ask_faq","arguments":`+questionJSON(known)+`,"_meta":{"openai/subject":"v1/`+
			person+`"}}`)
	}
	l.onLoopback("D.limits", "names-of-people-are-not-believed",
		`A name in _meta["openai/subject"] makes no other client, except from the ranges of the assistant.`,
		append(useUp(l.ask, callFor("ada"), callFor("grace"), callFor("edsger")),
			send(callFor("katherine"), isRefused))...)
}

// resources adds the checks of the resources of the website's server.
func resources(l *list) {
	read := func(uri string) request { return rpc("resources/read", `{"uri":`+encode(uri)+`}`) }
	names := []string{"agents.json", "developers", "llms.txt", "openapi.json", "pricing"}
	var uris []string
	for _, name := range names {
		uris = append(uris, "{base}/"+name)
	}
	l.one("4.mcp", "resources-are-listed",
		"The resources are llms.txt, openapi.json, agents.json, pricing and developers.", rpc("resources/list", ""), isOK,
		lists("result.resources", "name", names...), lists("result.resources", "uri", uris...))
	for i, name := range names {
		document := get("/" + name)
		if !strings.Contains(name, ".") {
			document = markdown("/" + name)
		}
		l.several("4.mcp", "resource-"+slug(name),
			"The resource "+name+" has the bytes that HTTP serves; pages are Markdown.", send(document, isOK),
			send(read(uris[i]), isOK, func(a *answer) {
				hasMember("result.contents.0.text", string(a.Probe.FirstAnswer.Body))(a)
			}))
	}
	l.several("4.mcp", "resource-unknown", "An unknown resource returns code -32002, and no file is read.",
		sendAll(rpcError(contract.RPCResourceNotFound), read("file:///etc/passwd"), read("llms.txt")))
}

func trials(l *list) {
	l.several("D.workspace", "trial-previews",
		"start_trial with dry_run shows what it would create and stores nothing; invalid arguments return code -32602.",
		send(trial(`{"business":" AE Ltd ","email":"ada@conform.example","dry_run":true}`), isOK,
			gives("dry_run", true), gives("would_create.business", "AE Ltd"), gives("would_create.state", "draft"),
			lacksHeader("RateLimit")),
		sendAll(toolRefusal, trial(`{"email":"ada@conform.example","dry_run":true}`),
			trial(`{"business":"AE","email":"ada","dry_run":true}`),
			trial(`{"business":"AE","email":"ada@conform.example","dry_run":"yes","state":1}`),
			trial(`{"business":"AE","email":"ada@conform.example","dry_run":true,"plan":"pro"}`)))
	draft := trial(`{"business":"frontdesk conform","email":"{other}@conform.example"}`)
	draft.Uses = "trial"
	l.one("4.workspace", "trial-creates-a-draft", "start_trial creates a free, draft-only workspace for a business.",
		draft, isOK, gives("state", "draft"), hasPolicy(l.trial),
		hasTexts("result.structuredContent.workspace_id", "result.structuredContent.next"))
	l.onLoopback("D.workspace", "trial-has-its-limit", "When the limit of trials is exceeded: 429.",
		append(useUp(l.trial, draft), send(draft, isRefusal(l.trial)))...)
}
