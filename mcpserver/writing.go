package mcpserver

import (
	"context"
	"fmt"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// perMinute words a policy for the description of a tool.
func perMinute(p contract.Policy) string {
	return fmt.Sprintf("%d calls in %d seconds", p.Quota, int(p.Window.Seconds()))
}

func (c *Core) requestPilot() *tool {
	return &tool{
		name:  contract.ToolRequestPilot,
		title: "Request a pilot or send an inquiry",
		description: "File a pilot request or any other inquiry that a person at the business reads and answers by e-mail. " +
			"Without dry_run it sends an e-mail at once, so: call it with dry_run true, show would_send.text to the person " +
			"you act for, and only with their agreement call it again with the same fields and the digest as preview. " +
			"Nothing is bought or ordered by it. At most " + perMinute(contract.ContactPolicy) +
			" without dry_run, shared with the HTTP endpoint; dry runs have no limit.",
		input: arguments(schema{
			contract.FieldName:     bounded("The name of the person to answer.", contract.MaxName),
			contract.FieldBusiness: bounded("The business that they ask for.", contract.MaxBusiness),
			contract.FieldEmail:    address("Where the answer goes. One plain address."),
			contract.FieldMessage:  bounded("What they want, in their own words.", contract.MaxMessage),
			contract.FieldPhone:    text("A telephone number."),
			contract.FieldSegment:  text("The line of business."),
			contract.FieldDryRun:   yesNo("True validates and previews only: nothing is sent or stored.").with("default", false),
			contract.FieldPreview:  text("The digest of the dry run that was approved: the call is refused when its mail would differ."),
		}, contract.ContactRequired...),
		output: pilotSchema(),
		hints:  hints{openWorld: true},
		fields: payload.PilotFields,
		run:    c.runPilot,
	}
}

// noKey says that a call of a tool has no Idempotency-Key: its arguments are the
// fields, and the headers of the message belong to the transport.
const noKey = ""

// runPilot goes the way of POST /v1/contact: validation, then a dry run leaves, and
// only a valid real send asks the limit.
func (c *Core) runPilot(ctx context.Context, call *call, arguments *payload.Object) ([]byte, error) {
	request, err := payload.Pilot(arguments)
	if err != nil {
		return nil, err
	}
	if request.DryRun {
		return structured(c.Pilots.Preview(request)), nil
	}
	if err := c.Pilots.CheckPreview(request); err != nil {
		return nil, err
	}
	accepted, decision, err := c.Pilots.Send(ctx, request, noKey)
	c.ContactLimit.SetHeaders(call.w.Header(), decision.Remaining)
	if err != nil {
		return nil, err
	}
	return structured(accepted), nil
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
		input: arguments(schema{
			contract.FieldBusiness: bounded("The business that wants to try.", contract.MaxBusiness),
			contract.FieldEmail:    address("Whom to write to. One plain address."),
			contract.FieldName:     text("The name of that person.").with("maxLength", contract.MaxName),
			contract.FieldSegment:  text("The line of business."),
			contract.FieldDryRun:   yesNo("True validates and previews only: nothing is stored.").with("default", false),
		}, contract.TrialRequired...),
		output: trialSchema(),
		fields: payload.TrialFields,
		run:    c.runTrial,
	}
}

func (c *Core) runTrial(ctx context.Context, call *call, arguments *payload.Object) ([]byte, error) {
	request, err := payload.Trial(arguments)
	if err != nil {
		return nil, err
	}
	if request.DryRun {
		return structured(c.Trials.Preview(request)), nil
	}
	trial, decision, err := c.Trials.Start(ctx, request)
	c.TrialLimit.SetHeaders(call.w.Header(), decision.Remaining)
	if err != nil {
		return nil, err
	}
	return structured(trial), nil
}
