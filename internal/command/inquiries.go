package command

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// inquiriesCmd lists what came in, or mails one again.
type inquiriesCmd struct {
	config.DataFolder
	config.MailServer
	Failed bool   `xor:"what" help:"List those alone whose mail failed, or may have arrived (unknown)."`
	Resend string `xor:"what" placeholder:"ID" help:"Mail this one again, under its Message-ID: one that failed, is unknown, or was interrupted. Needs the mail server of the service."`
	JSON   bool   `name:"json" help:"Print one JSON array."`
}

// Run prints the inquiries, newest first, or mails one again.
func (c *inquiriesCmd) Run(ctx context.Context, std Streams) error {
	if c.Resend != "" {
		return c.resend(ctx, std)
	}
	none := "No inquiries yet."
	if c.Failed {
		none = "None: every mail was sent or is under way."
	}
	return listing[records.Inquiry]{
		folder: c.DataFolder,
		json:   c.JSON,
		none:   none,
		read: func(ctx context.Context, store *records.Store) ([]records.Inquiry, error) {
			return store.Inquiries(ctx, records.Filter{Undelivered: c.Failed})
		},
		head: []string{"WHEN", "STATE", "BUSINESS", "NAME", "E-MAIL", "ID"},
		row: func(i records.Inquiry) []string {
			return []string{shortTime(i.CreatedAt), string(i.State), i.Business, i.Name, i.Email, i.ID}
		},
	}.print(ctx, std.Out)
}

// Help is kong's text below the usage.
func (inquiriesCmd) Help() string {
	return "A mail has one of four states: sent (the mail server has taken it), failed (it did not arrive), unknown " +
		"(it may have arrived), pending (under way; what a crash interrupted is sent by the next start of the service). " +
		"The service sends no failed or unknown mail again by itself.\n\nExample:\n\n" +
		"\tfrontdesk inquiries --failed\n" +
		"\tFRONTDESK_SMTP_URL=smtp://mail.example.org frontdesk inquiries --resend inq_…"
}

// resend mails an inquiry again and says what came of it.
func (c *inquiriesCmd) resend(ctx context.Context, std Streams) (err error) {
	transport, err := c.Transport(c.Dir())
	if err != nil {
		return err
	}
	store, err := app.OpenRecords(ctx, c.DataFolder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	leave, err := store.JoinSenders(ctx, c.Dir())
	defer leave()
	if err != nil { // what was interrupted counts as under way for a minute then
		fmt.Fprintln(std.Err, "warning:", err)
	}
	before, err := store.Inquiry(ctx, c.Resend)
	if err != nil {
		return c.refused(err)
	}
	if before.State == records.Unknown {
		fmt.Fprintln(std.Err, "warning: this mail may have arrived already; the Message-ID is the same, so that its reader can tell")
	}
	after, err := outbox.New(outbox.Config{Store: store, Sender: transport}).Resend(ctx, c.Resend)
	if err != nil {
		return errors.Join(c.refused(err), c.unrecorded(after))
	}
	return c.tell(std, after, transport)
}

// refused says why an inquiry is not sent, and what to do.
func (c *inquiriesCmd) refused(err error) error {
	switch {
	case errors.Is(err, records.ErrNotFound):
		return fmt.Errorf("there is no inquiry %s: frontdesk inquiries lists them", c.Resend)
	case errors.Is(err, records.ErrSent):
		return fmt.Errorf("the mail of %s was sent: it is not sent twice", c.Resend)
	case errors.Is(err, records.ErrLeased):
		return fmt.Errorf("the mail of %s is under way: look again in a minute", c.Resend)
	}
	return err
}

// unrecorded says what came of a mail when the database could not be told; nil when
// none was sent.
func (c *inquiriesCmd) unrecorded(after records.Inquiry) error {
	if after.ID == "" {
		return nil
	}
	return fmt.Errorf("the mail of %s is %s, which could not be recorded: a running service will take it for interrupted and send it again", after.ID, after.State)
}

// tell prints what became of the mail. One that was not sent is an error.
func (c *inquiriesCmd) tell(std Streams, after records.Inquiry, transport mailer.Transport) error {
	if c.JSON {
		if err := printJSON(std.Out, []records.Inquiry{after}); err != nil {
			return err
		}
	}
	switch {
	case after.State == records.Unknown:
		return fmt.Errorf("the mail of %s may have arrived: %s", after.ID, after.Detail)
	case after.State != records.Sent:
		return fmt.Errorf("the mail of %s was not sent: %s", after.ID, after.Detail)
	case !c.JSON:
		_, err := fmt.Fprintf(std.Out, "%s is sent to %s by %s, as <%s>\n", after.ID, after.To, transport, after.MessageID)
		return err
	}
	return nil
}
