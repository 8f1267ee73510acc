package mutants

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"frontdesk/contract"
	"frontdesk/internal/app"
	"frontdesk/internal/discovery"
	"frontdesk/internal/live"
	"frontdesk/mcpserver"
)

// results changes the results of the website's tools and of its other methods.
func results(alter func(result map[string]any)) change {
	return documents(func(message map[string]any) {
		if result, ok := message["result"].(map[string]any); ok {
			alter(result)
		}
	}, contract.PathMCP)
}

// errorCode turns the code of a JSON-RPC error into another one.
func errorCode(from, to int) change {
	return rewritten(`"code":`+strconv.Itoa(from), `"code":`+strconv.Itoa(to), contract.PathMCP)
}

// toolNamed changes a tool in the list.
func toolNamed(name string, alter func(tool map[string]any)) change {
	return results(func(result map[string]any) {
		list, _ := result["tools"].([]any)
		for _, one := range list {
			if tool := one.(map[string]any); tool["name"] == name {
				alter(tool)
			}
		}
	})
}

// mcpMutants break the MCP servers of section 4.
func mcpMutants() []Mutant {
	onlyKnown := func(tool string, arguments map[string]any) {
		if tool == contract.ToolRequestPilot {
			maps.DeleteFunc(arguments, func(name string, _ any) bool {
				return !slices.Contains(slices.Concat(contract.ContactRequired, contract.ContactOptional), name)
			})
		}
	}
	return []Mutant{
		{"any version header is accepted", "4.mcp", "mcp-versions", deaf(contract.HeaderMCPVersion, always)},
		{"an empty version header is accepted", "D.mcp", "mcp-version-header",
			deaf(contract.HeaderMCPVersion, equal(""))},
		{"a later version header is served", "D.mcp", "mcp-later-version-header", wired(func(w *app.Wiring) {
			w.MCP.Website.Tolerant = true
		})},
		{"the second version is not supported", "4.mcp", "mcp-versions",
			asked(contract.HeaderMCPVersion, strings.NewReplacer("2025-03-26", "2025-03-27").Replace)},
		{"Accept is ignored", "4.mcp", "mcp-accept", deaf("Accept", atPath(contract.PathMCP))},
		{"q=0 is ignored", "4.mcp", "mcp-accept",
			asked("Accept", strings.NewReplacer(contract.TypeJSON+";q=0", contract.TypeJSON).Replace)},
		{"Accept is required", "D.mcp", "mcp-accept-absent", requests(func(r *http.Request) {
			if r.URL.Path == contract.PathMCP && r.Header["Accept"] == nil {
				r.Header.Set("Accept", "text/plain")
			}
		})},
		{"406 is 415", "4.mcp", "mcp-accept", restatus(http.StatusNotAcceptable, http.StatusUnsupportedMediaType)},
		{"the first message of a batch is answered", "4.mcp", "mcp-batch", bodies(firstOfBatch, contract.PathMCP)},
		{"an empty batch is an accepted notification", "4.mcp", "mcp-batch",
			bodies(func(_ *http.Request, body []byte) []byte {
				if string(body) == "[]" {
					return []byte(`{"jsonrpc":"2.0","method":"x"}`)
				}
				return body
			}, contract.PathMCP)},
		{"a notification is answered 200", "D.mcp", "mcp-notification", restatus(http.StatusAccepted, http.StatusOK)},
		{"a notification is answered with a body", "D.mcp", "mcp-notification", replies(func(a *reply) {
			if a.status == http.StatusAccepted {
				a.body = []byte("{}")
			}
		}, contract.PathMCP)},
		{"initialize repeats any version", "D.mcp", "mcp-initialize-negotiates", repeatedVersion()},
		{"GET opens a stream", "4.mcp", "other-methods-at-mcp", answersGet(contract.PathMCP)},
		{"a session is started", "4.mcp", "mcp-answers-json", with("Mcp-Session-Id", "1")},
		{"answers are an event stream", "4.mcp", "mcp-answers-json", replies(func(a *reply) {
			if a.status == http.StatusOK {
				a.header["Content-Type"], a.body = []string{"text/event-stream"},
					slices.Concat([]byte("data: "), a.body, []byte("\n\n"))
			}
		}, contract.PathMCP)},
		{"a long id is rounded", "D.mcp", "mcp-json-rpc",
			rewritten("9007199254740993", "9007199254740992", contract.PathMCP)},

		// The errors of wrong calls.
		{"an unknown argument is ignored", "D.mcp", "tool-arguments-are-known", arguments(onlyKnown)},
		{"invalid arguments are a result", "4.mcp", "tool-arguments-are-validated", wired(func(w *app.Wiring) {
			w.Core.ToolErrors = contract.ToolErrorsResults
		})},
		{"an unknown argument hides the other faults", "D.mcp", "tool-arguments-are-known",
			rewritten("business is required", "", contract.PathMCP)},
		{"invalid arguments are HTTP 400", "4.mcp", "tool-arguments-are-validated",
			answered(http.StatusBadRequest, func(a *reply) bool {
				return bytes.Contains(a.body, []byte(`"code":-32602`))
			})},
		{"an unknown service is -32002", "D.mcp", "unknown-service-lists-the-known", replies(func(a *reply) {
			if bytes.Contains(a.body, []byte("known_ids")) {
				a.body = bytes.ReplaceAll(a.body, []byte("-32602"), []byte("-32002"))
			}
		}, contract.PathMCP)},
		{"an unknown service is refused without the known ids", "D.mcp", "unknown-service-lists-the-known",
			rewritten(`"known_ids"`, `"ids"`, contract.PathMCP)},
		{"an unknown resource is -32602", "4.mcp", "resource-unknown",
			errorCode(contract.RPCResourceNotFound, contract.RPCInvalidParams)},
		{"an unknown method is -32603", "D.mcp", "mcp-json-rpc",
			errorCode(contract.RPCMethodNotFound, contract.RPCInternalError)},

		// Lists and their items.
		{"a resource differs from HTTP", "4.mcp", "resource-llms-txt",
			resourcesOf(func(published *live.Content) discovery.Published {
				return otherDocuments{published}
			})},
		{"there are no resources", "4.mcp", "resources-are-listed", results(func(result map[string]any) {
			if result["resources"] != nil {
				result["resources"] = []any{}
			}
		})},
		{"a tool is missing", "4.mcp", "tools-of-the-website", results(func(result map[string]any) {
			if tools, ok := result["tools"].([]any); ok {
				result["tools"] = tools[1:]
			}
		})},
		{"the workspace's server is the website's", "4.workspace", "tools-of-the-workspace", wired(func(w *app.Wiring) {
			w.MCP.Workspace = w.MCP.Website
		})},
		{"request_pilot says that it only reads", "4.mcp", "tools-of-the-website",
			toolNamed(contract.ToolRequestPilot, func(tool map[string]any) {
				tool["annotations"].(map[string]any)["readOnlyHint"] = true
			})},
		{"a tool lacks an annotation", "D.mcp", "tools-are-described",
			toolNamed(contract.ToolAskFAQ, func(tool map[string]any) {
				delete(tool["annotations"].(map[string]any), "openWorldHint")
			})},
		{"dry_run has no default", "D.mcp", "tools-are-described",
			toolNamed(contract.ToolRequestPilot, func(tool map[string]any) {
				delete(tool["inputSchema"].(map[string]any)["properties"].(map[string]any)["dry_run"].(map[string]any), "default")
			})},
		{"an optional argument must not be null", "D.mcp", "request-pilot-takes-null",
			arguments(func(_ string, arguments map[string]any) {
				if phone, given := arguments[contract.FieldPhone]; given && phone == nil {
					arguments[contract.FieldPhone] = 0
				}
			})},
		{"a tool lacks its output schema", "D.mcp", "tools-are-described",
			toolNamed(contract.ToolGetService, lose("outputSchema"))},
		{"structured content is missing", "4.mcp", "list-services-reads-the-catalog", results(lose("structuredContent"))},
		{"the text differs from the structured content", "D.mcp", "tool-text-repeats-its-content",
			rewritten(`"text":"{\"ok\"`, `"text":"{\"okay\"`, contract.PathMCP)},
		{"get_service lacks its price", "D.mcp", "get-service-has-its-price", results(func(result map[string]any) {
			if service, ok := result["structuredContent"].(map[string]any); ok {
				delete(service, "pricing")
			}
		})},
		{"the instructions are missing", "D.mcp", "mcp-instructions", results(lose("instructions"))},
		{"a trial is live at once", "4.workspace", "trial-creates-a-draft",
			rewritten(`"state":"draft"`, `"state":"live"`, contract.PathWorkspaceMCP)},
	}
}

func firstOfBatch(_ *http.Request, body []byte) []byte {
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) == 0 {
		return body
	}
	return batch[0]
}

// repeatedVersion answers initialize with the requested version.
func repeatedVersion() change {
	asked := bodies(func(r *http.Request, body []byte) []byte {
		var message struct {
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(body, &message) == nil {
			r.Header.Set("X-Asked", message.Params.ProtocolVersion)
		}
		return body
	}, contract.PathMCP)
	repeat := replies(func(a *reply) {
		if version := a.request.Header.Get("X-Asked"); version != "" {
			a.body = bytes.ReplaceAll(a.body, []byte(`"protocolVersion":"2025-06-18"`),
				[]byte(`"protocolVersion":"`+version+`"`))
		}
	}, contract.PathMCP)
	return both(repeat, asked)
}

// otherDocuments are the published ones, one of them with an extra line.
type otherDocuments struct{ *live.Content }

func (d otherDocuments) Document(path string) *discovery.Document {
	if path != contract.PathLLMS {
		return d.Content.Document(path)
	}
	text := d.Content.Document(path)
	return discovery.NewDocument(text.ContentType, append(bytes.Clone(text.Body.Bytes), "\nFor MCP.\n"...))
}

// resourcesOf makes the website's server with other documents, at its first call, when the
// content is loaded.
func resourcesOf(documents func(published *live.Content) discovery.Published) change {
	return wired(func(w *app.Wiring) {
		core, published := w.Core, w.Live
		w.MCP.Website = &mcpserver.Handler{Current: sync.OnceValue(func() *mcpserver.Server {
			website, _ := core.Servers(new(published.Publication()), documents(published))
			return website
		})}
	})
}
