package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
)

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
		run:    c.runPilot,
	}
}

// runPilot follows POST /v1/contact: it validates first, then answers a dry run; only a
// valid real send takes a slot of the limit.
func (c *Core) runPilot(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
	request, err := payload.Pilot(arguments)
	if err != nil {
		return nil, err
	}
	if request.DryRun {
		return encode(c.Pilots.Preview(request)), nil
	}
	return carryOut(call, arguments, func(key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
		return c.Pilots.Send(ctx, request, key)
	})
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
		run:    c.runTrial,
	}
}

func (c *Core) runTrial(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
	request, err := payload.Trial(arguments)
	if err != nil {
		return nil, err
	}
	if request.DryRun {
		return encode(c.Trials.Preview(request)), nil
	}
	return carryOut(call, arguments, func(key contract.IdempotencyKey) (contract.Trial, limits.Decision, error) {
		return c.Trials.Start(ctx, request, key)
	})
}

// carryOut carries out a valid request under its key, with the headers of its limit.
func carryOut[T any](c *call, arguments *payload.Object,
	do func(contract.IdempotencyKey) (T, limits.Decision, error)) (json.RawMessage, error) {
	key, err := c.key(arguments)
	if err != nil {
		return nil, err
	}
	result, decision, err := do(key)
	decision.SetOutcome(c.w.Header(), err)
	if err != nil {
		return nil, err
	}
	return encode(result), nil
}
