package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

// tool is what one tool does.
type tool struct {
	name   string
	fields []string // the names of its arguments
	// limit takes a slot for every call before the arguments are read, like the HTTP
	// route with the same policy. It may be nil.
	limit *limits.Limiter
	// run returns the structured content, or an error of the core.
	run func(ctx context.Context, c *call, arguments *payload.Object) (json.RawMessage, error)
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
	raw = cmp.Or(raw, "{}")
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
	if log, ok := payload.WriterAs[interface{ NoteFailure(err error, stack []byte) }](c.w); ok {
		log.NoteFailure(err, stack)
	}
}

// noteSession records the client that an initialize names.
func (c *call) noteSession(p params) {
	client, err := payload.ParseJSON(p.raw(paramClient), []string{paramName})
	log, ok := payload.WriterAs[interface{ NoteSession(client string) }](c.w)
	if ok && err == nil {
		log.NoteSession(client.Text(paramName))
	}
}

func listServices(catalog contract.Catalog) *tool {
	result := encode(catalog)
	return &tool{
		name: contract.ToolListServices,
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			return result, arguments.Err()
		},
	}
}

func getService(catalog contract.Catalog) *tool {
	ids := catalog.ServiceIDs()
	results := make(map[string]json.RawMessage, len(ids))
	for _, detail := range catalog.Details() {
		results[detail.ID] = encode(detail)
	}
	return &tool{
		name:   contract.ToolGetService,
		fields: []string{contract.FieldID},
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			id, err := payload.ServiceID(arguments, ids)
			return results[id], err
		},
	}
}

func (c *Core) askFAQ() *tool {
	return &tool{
		name:   contract.ToolAskFAQ,
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

func (c *Core) requestPilot() *tool {
	return writing(contract.ToolRequestPilot, payload.PilotFields, payload.Pilot,
		func(r contract.PilotRequest) bool { return r.DryRun }, c.Pilots.Preview, c.Pilots.Send)
}

func (c *Core) startTrial() *tool {
	return writing(contract.ToolStartTrial, payload.TrialFields, payload.Trial,
		func(r contract.TrialRequest) bool { return r.DryRun }, c.Trials.Preview, c.Trials.Start)
}

// writing returns a tool that writes. Its arguments are the fields of its request and the key. As for POST /v1/contact,
// the tool validates first, then answers a dry run; only a valid real request takes a slot of the limit.
func writing[R, Preview, Done any](name string, fields []string, read func(*payload.Object) (R, error),
	isDryRun func(R) bool, preview func(R) Preview,
	carryOut func(context.Context, R, contract.IdempotencyKey) (Done, limits.Decision, error),
) *tool {
	run := func(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
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
	return &tool{name: name, fields: append(slices.Clone(fields), contract.FieldIdempotencyKey), run: run}
}
