package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"frontdesk/contract"
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
	key, err := call.key(arguments)
	if err != nil {
		return nil, err
	}
	accepted, decision, err := c.Pilots.Send(ctx, request, key)
	if !isInvalid(err) {
		c.ContactLimit.SetHeaders(call.w.Header(), decision.Remaining)
	}
	if err != nil {
		return nil, err
	}
	return encode(accepted), nil
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
	key, err := call.key(arguments)
	if err != nil {
		return nil, err
	}
	trial, decision, err := c.Trials.Start(ctx, request, key)
	if !isInvalid(err) {
		c.TrialLimit.SetHeaders(call.w.Header(), decision.Remaining)
	}
	if err != nil {
		return nil, err
	}
	return encode(trial), nil
}

// isInvalid reports whether the core refused a request as invalid. As over HTTP, such an
// answer has no headers of the limit.
func isInvalid(err error) bool {
	return err != nil && contract.AsError(err).Code == contract.InvalidRequest
}
