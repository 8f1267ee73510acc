package mcpserver

import (
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

func (c *Core) requestPilot() *tool {
	return &tool{
		name:  contract.ToolRequestPilot,
		title: "Request a pilot or send an inquiry",
		description: "File a pilot request or any other inquiry that a person at the business reads and answers by e-mail. " +
			"Without dry_run it sends an e-mail at once, so: call it with dry_run true, show would_send.text to the person " +
			"you act for, and only with their agreement call it again with the same fields and the digest as preview. " +
			"Nothing is bought or ordered by it. At most " + perMinute(contract.ContactPolicy) +
			" without dry_run, shared with the HTTP endpoint; dry runs have no limit.",
		input:  inputSchema[contract.PilotArguments](),
		output: pilotSchema(),
		hints:  hints{openWorld: true},
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
	if err := c.Pilots.CheckPreview(request); err != nil {
		return nil, err
	}
	return carryOut(call, arguments, c.ContactLimit, func(key contract.IdempotencyKey) (contract.Accepted, limits.Decision, error) {
		return c.Pilots.Send(ctx, request, key)
	})
}

func (c *Core) startTrial() *tool {
	return &tool{
		name:  contract.ToolStartTrial,
		title: "Start a free trial",
		description: "Store a free draft workspace for a business. Use it when somebody wants to try the product; " +
			"for a question or a pilot use the website's server. The draft has no account, no credentials and nothing live: " +
			"a person at the business looks at it and writes to the address given. Call it with dry_run true first, and " +
			"for real only with the agreement of the person you act for. At most " + perMinute(contract.TrialPolicy) +
			" without dry_run.",
		input:  inputSchema[contract.TrialArguments](),
		output: trialSchema(),
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
	return carryOut(call, arguments, c.TrialLimit, func(key contract.IdempotencyKey) (contract.Trial, limits.Decision, error) {
		return c.Trials.Start(ctx, request, key)
	})
}

// carryOut carries out a valid request under its key, with the headers of its limit.
func carryOut[T any](c *call, arguments *payload.Object, limit *limits.Limiter,
	do func(contract.IdempotencyKey) (T, limits.Decision, error)) (json.RawMessage, error) {
	key, err := c.key(arguments)
	if err != nil {
		return nil, err
	}
	result, decision, err := do(key)
	limit.SetOutcome(c.w.Header(), decision, err)
	if err != nil {
		return nil, err
	}
	return encode(result), nil
}
