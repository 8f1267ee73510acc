package cli

import (
	"context"
	"errors"
	"io"

	"frontdesk/contract"
)

// ContactCmd files a pilot request (POST /v1/contact).
type ContactCmd struct {
	Connection
	Name     string `required:"" placeholder:"NAME" help:"Who asks."`
	Business string `required:"" placeholder:"BUSINESS" help:"The business it is for."`
	Email    string `required:"" placeholder:"ADDRESS" help:"Where the answer goes."`
	Message  string `required:"" placeholder:"TEXT" help:"What it is about; - reads it from standard input."`
	Phone    string `placeholder:"NUMBER" help:"A telephone number."`
	Segment  string `placeholder:"SEGMENT" help:"The trade or kind of business."`
	DryRun   bool   `name:"dry-run" help:"Show the mail that would be sent, and send nothing."`
}

// Help is kong's text below the usage.
func (ContactCmd) Help() string {
	return "Without --dry-run this e-mails a person.\n\nExample:\n\n" +
		"\tfrontdesk contact --name \"Ana Duarte\" --business \"Duarte Bakery\" \\\n" +
		"\t    --email ana@duarte.example --message - --dry-run < request.txt"
}

// Run files the request, or previews it, and prints what came of it.
func (c *ContactCmd) Run(ctx context.Context, t *Terminal) error {
	pilot, err := c.compose(ctx, t.In)
	if err != nil {
		return c.fail(t, err)
	}
	outgoing := request{path: contract.PathContact, body: pilot, timeout: contactTimeout}
	if c.DryRun {
		return c.preview(ctx, t, outgoing)
	}
	return c.send(ctx, t, outgoing)
}

func (c *ContactCmd) send(ctx context.Context, t *Terminal, r request) error {
	accepted, served, err := fetch(ctx, c.Connection, r,
		func(a contract.Accepted) bool { return a.OK && a.ID != "" })
	if err != nil {
		return c.fail(t, noteUncertain(err, "It may have arrived all the same: ask before you send it again."))
	}
	return c.show(t, served, func(p *page) {
		p.line(bold("Accepted"), plain("  "), dim(accepted.ID))
		p.block("", "", accepted.Message)
	})
}

func (c *ContactCmd) preview(ctx context.Context, t *Terminal, r request) error {
	preview, served, err := fetch(ctx, c.Connection, r,
		func(p contract.Preview) bool { return p.OK && p.DryRun })
	if err != nil {
		return c.fail(t, noteUncertain(err, "No answer said that this was only a dry run."))
	}
	return c.show(t, served, func(p *page) { p.preview(preview) })
}

// noteUncertain adds a warning to a failure that leaves open what the service did.
func noteUncertain(err error, warning string) error {
	if f, ok := errors.AsType[*failure](err); ok && f.uncertain {
		f.notes = append(f.notes, warning)
	}
	return err
}

func (c *ContactCmd) compose(ctx context.Context, in io.Reader) (contract.PilotRequest, error) {
	message := c.Message
	if message == "-" {
		var err error
		if message, err = readMessage(ctx, in); err != nil {
			return contract.PilotRequest{}, err
		}
	}
	return contract.PilotRequest{
		Name: c.Name, Business: c.Business, Email: c.Email, Message: message,
		Phone: c.Phone, Segment: c.Segment, DryRun: c.DryRun,
	}, checkUTF8(c.Name, c.Business, c.Email, message, c.Phone, c.Segment)
}
