package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// tool is one tool: its description for clients and its function.
type tool struct {
	name, title, description string
	input, output            *jsonschema.Schema
	hints                    hints
	fields                   []string // the names of its arguments
	// limit takes a slot for every call before the arguments are read, like the HTTP
	// route with the same policy. It may be nil.
	limit *limits.Limiter
	// run returns the structured content, or an error of the core.
	run func(ctx context.Context, c *call, arguments *payload.Object) (json.RawMessage, error)
}

// hints are the four annotations of a tool. All are published, because their defaults
// describe a destructive tool.
type hints struct {
	readOnly, destructive, idempotent, openWorld bool
}

// describe returns the tool as tools/list publishes it.
func (t *tool) describe() mcp.Tool {
	described := mcp.NewToolWithRawSchema(t.name, t.description, encode(t.input))
	described.Title = t.title
	described.RawOutputSchema = encode(t.output)
	described.Annotations = mcp.ToolAnnotation{
		Title:           t.title,
		ReadOnlyHint:    &t.hints.readOnly,
		DestructiveHint: &t.hints.destructive,
		IdempotentHint:  &t.hints.idempotent,
		OpenWorldHint:   &t.hints.openWorld,
	}
	return described
}

// answer calls the tool, and returns the tail of the reply.
func (t *tool) answer(ctx context.Context, c *call, raw string) ([]byte, error) {
	if t.limit != nil {
		decision := t.limit.Take(ctx)
		decision.SetHeaders(c.w.Header())
		if !decision.Allowed {
			return nil, decision.Refusal()
		}
	}
	arguments, err := t.arguments(raw)
	if err != nil {
		return nil, err
	}
	content, err := t.run(ctx, c, arguments)
	if err != nil {
		return nil, err
	}
	return resultTail(content, c.readable), nil
}

// arguments reads the arguments strictly. Absent arguments are empty.
func (t *tool) arguments(raw string) (*payload.Object, error) {
	if raw == "" {
		raw = "{}"
	}
	switch raw[0] {
	case '{':
	case '"':
		return nil, contract.Invalid(paramArguments, "arguments must be an object, not its JSON as a string")
	default:
		return nil, contract.Invalid(paramArguments, "arguments must be an object")
	}
	return payload.ParseArguments(raw, t.fields)
}

// call is one request while it is answered: the parts of HTTP that tools need.
type call struct {
	id     json.RawMessage
	header http.Header         // of the request
	w      http.ResponseWriter // for the headers of the answer, and the log

	readable string // what a tool says beside its structured content; empty for nothing
}

// requestID returns the X-Request-Id of the answer.
func (c *call) requestID() string { return c.w.Header().Get(contract.HeaderRequestID) }

// key returns the Idempotency-Key of a call, from the argument or the header. Both
// may be given if they are the same.
func (c *call) key(arguments *payload.Object) (contract.IdempotencyKey, error) {
	inHeader, err := contract.ParseKey(contract.HeaderIdempotencyKey, c.header.Values(contract.HeaderIdempotencyKey))
	if err != nil {
		return inHeader, err
	}
	raw, _ := arguments.Raw(contract.FieldIdempotencyKey)
	if raw == "" || raw == "null" {
		return inHeader, nil
	}
	if raw[0] != '"' {
		return inHeader, contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" must be a string")
	}
	key, err := contract.ParseKey(contract.FieldIdempotencyKey, []string{arguments.Text(contract.FieldIdempotencyKey)})
	if err == nil && inHeader.Value != "" && inHeader.Value != key.Value {
		err = contract.Invalid(contract.FieldIdempotencyKey, contract.FieldIdempotencyKey+" is not the key in the header "+
			contract.HeaderIdempotencyKey)
	}
	return key, err
}

// note logs a failure whose answer has the status 200.
func (c *call) note(err error, stack []byte) {
	if log, ok := c.w.(interface{ NoteFailure(err error, stack []byte) }); ok {
		log.NoteFailure(err, stack)
	}
}

// noteSession records the client that an initialize names.
func (c *call) noteSession(p params) {
	client, err := payload.ParseJSON(p.raw(paramClient), []string{paramName})
	if log, ok := c.w.(interface{ NoteSession(client string) }); ok && err == nil {
		log.NoteSession(client.Text(paramName))
	}
}

// reading are the hints of a tool that changes nothing and calls no other service.
var reading = hints{readOnly: true, idempotent: true}

func listServices(catalog contract.Catalog, languages []string) *tool {
	result := encode(catalog)
	return &tool{
		name:  contract.ToolListServices,
		title: "List services and prices",
		description: "The whole catalog: services, prices, contact, and what the business does not do. " +
			"Long: for one service use " + contract.ToolGetService + ". " + contentIn(languages[:1]),
		input:  inputSchema[struct{}](),
		output: outputSchema[contract.Catalog](),
		hints:  reading,
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			return result, arguments.Err()
		},
	}
}

func getService(catalog contract.Catalog, languages []string) *tool {
	ids := catalog.ServiceIDs()
	results := make(map[string]json.RawMessage, len(ids))
	for _, detail := range catalog.Details() {
		results[detail.ID] = encode(detail)
	}
	input := inputSchema[contract.ServiceArguments]()
	input.Properties[contract.FieldID].Description = "One of: " + strings.Join(ids, ", ") + "."
	return &tool{
		name:        contract.ToolGetService,
		title:       "Get one service with its price",
		description: "One service with its price, by its id. " + contentIn(languages[:1]),
		input:       input,
		output:      outputSchema[contract.ServiceDetail](),
		hints:       reading,
		fields:      []string{contract.FieldID},
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			id, err := payload.ServiceID(arguments, ids)
			return results[id], err
		},
	}
}

func (c *Core) askFAQ(languages []string) *tool {
	return &tool{
		name:  contract.ToolAskFAQ,
		title: "Ask a question",
		description: "Ask the business one question on one topic, for what the catalog does not say. Good: \"Can I cancel " +
			"at any time?\" Bad: \"refund\" (no question), \"Prices, refunds and hours?\" (three). If reason is \"matched\", " +
			"quote answer unchanged. Otherwise, if one of candidates answers what the user asked, give its answer unchanged, " +
			"as the business's own. If none does, say so and offer " + contract.ToolRequestPilot + ". Never fill the gap. " +
			contentIn(languages) + " At most " + perMinute(contract.AskPolicy) + ".",
		input:  inputSchema[contract.Question](),
		output: answerSchema(),
		hints:  reading,
		fields: payload.QuestionFields,
		limit:  c.AskLimit,
		run: func(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
			question, err := payload.Question(arguments)
			if err != nil {
				return nil, err
			}
			answer := c.Answers.Ask(ctx, question.Q)
			if answer.Encoded != nil {
				return answer.Encoded, nil
			}
			call.readable = readableCandidates(answer.Candidates)
			return encode(answer), nil
		},
	}
}

// contentIn says in which languages the content is, as language tags.
func contentIn(languages []string) string {
	return "Content languages: " + strings.Join(languages, ", ") + "."
}

// readableCandidates is the text for models that do not look into the JSON: the approved
// answers that may fit, as published. It is empty without candidates.
func readableCandidates(candidates []contract.Candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Not answered for certain. Approved answers that may fit:")
	for i, c := range candidates {
		fmt.Fprintf(&b, "\n\n%d. %s\n%s", i+1, c.Question, c.Answer)
	}
	return b.String()
}

// perMinute describes a policy in the description of a tool.
func perMinute(p contract.Policy) string {
	return fmt.Sprintf("%d calls in %d seconds", p.Quota, int(p.Window.Seconds()))
}

// Arguments of the writing tools: the fields of their requests and the key.
var (
	pilotFields = slices.Concat(payload.PilotFields, []string{contract.FieldIdempotencyKey})
	trialFields = slices.Concat(payload.TrialFields, []string{contract.FieldIdempotencyKey})
)

func (c *Core) requestPilot(request string) *tool {
	return &tool{
		name:  contract.ToolRequestPilot,
		title: cmp.Or(request, "Request a pilot or send an inquiry"),
		description: "Send the business a " + named("request", request, "pilot request") +
			" or any other message; a person answers by e-mail. It buys nothing. Get the fields from the user; never invent " +
			"them. Call with dry_run true, show would_send.text, get a clear yes. Then call with the same fields, " +
			"preview set to digest and a new idempotency_key. After an error use the same key. " +
			"A sent mail cannot be taken back. At most " + perMinute(contract.ContactPolicy) + "; dry runs have no limit.",
		input:  inputSchema[contract.PilotArguments](),
		output: pilotSchema(),
		hints:  hints{destructive: true, openWorld: true},
		fields: pilotFields,
		run: writing(payload.Pilot, func(r contract.PilotRequest) bool { return r.DryRun }, c.Pilots.Preview,
			c.Pilots.Send),
	}
}

func (c *Core) startTrial() *tool {
	return &tool{
		name:  contract.ToolStartTrial,
		title: "Start a free trial",
		description: "Store a free draft workspace for a business that wants to try the product: no account, nothing live; " +
			"a person writes to email. Get business and email from the user; never invent them. " +
			"Call with dry_run true, show would_create, get a clear yes. Then call with the same fields and a new " +
			"idempotency_key. After an error use the same key. A draft cannot be taken back. At most " +
			perMinute(contract.TrialPolicy) + "; dry runs have no limit.",
		input:  inputSchema[contract.TrialArguments](),
		output: trialSchema(),
		hints:  hints{destructive: true},
		fields: trialFields,
		run: writing(payload.Trial, func(r contract.TrialRequest) bool { return r.DryRun }, c.Trials.Preview,
			c.Trials.Start),
	}
}

// writing returns the run function of a tool that writes. As for POST /v1/contact, the function
// validates first, then answers a dry run; only a valid real request takes a slot of the limit.
func writing[R, Preview, Done any](read func(*payload.Object) (R, error), isDryRun func(R) bool,
	preview func(R) Preview,
	carryOut func(context.Context, R, contract.IdempotencyKey) (Done, limits.Decision, error),
) func(context.Context, *call, *payload.Object) (json.RawMessage, error) {
	return func(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
		request, err := read(arguments)
		if err != nil {
			return nil, err
		}
		if isDryRun(request) {
			return encode(preview(request)), nil
		}
		key, err := call.key(arguments)
		if err != nil {
			return nil, err
		}
		done, decision, err := carryOut(ctx, request, key)
		decision.SetOutcome(call.w.Header(), err)
		if err != nil {
			return nil, err
		}
		return encode(done), nil
	}
}
