package command

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/curation"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

type inquiriesCmd struct {
	Action string `arg:"" optional:"" default:"list" enum:"list,show,delete"`
	ID     string `arg:"" optional:""`
	recordsFolder
	config.MailServer
	Failed      bool   `xor:"what"`
	Quarantined bool   `xor:"what"`
	Resend      string `xor:"what" placeholder:"ID"`
	JSON        bool   `xor:"form"`
	CSV         bool   `xor:"form"`
}

// Validate reports a combination of arguments without a meaning.
func (c *inquiriesCmd) Validate() error {
	switch lists := c.Action == "list"; {
	case lists && c.ID != "":
		return errors.New("list takes no id")
	case !lists && c.ID == "":
		return fmt.Errorf("%s needs the id of an inquiry", c.Action)
	case !lists && (c.Failed || c.Quarantined || c.Resend != "" || c.CSV):
		return fmt.Errorf("%s takes none of --failed, --quarantined, --resend and --csv", c.Action)
	}
	return nil
}

// Run prints the inquiries, newest first, or does what is asked with one.
func (c *inquiriesCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	none, query := "No inquiries yet.", records.InquiryQuery{}
	switch {
	case c.Resend != "":
		c.ID = c.Resend
		return c.resend(ctx, std, store)
	case c.Action == "show":
		return c.show(ctx, std, store)
	case c.Action == "delete":
		return c.delete(ctx, std, store)
	case c.Failed:
		none, query.View = "None: no open inquiry has a failed mail.", records.UndeliveredInquiries
	case c.Quarantined:
		none, query.View = "None: no open inquiry looks like spam.", records.QuarantinedInquiries
	}
	inquiries, err := store.Inquiries(ctx, query)
	if err == nil && c.CSV {
		return printCSV(std.Out, inquiries)
	}
	return printList(std, inquiries, err, c.JSON, none, "WHEN\tSTATE\tFROM\tNAME\tE-MAIL\tID",
		func(i records.Inquiry) []any {
			return []any{shortTime(i.CreatedAt), i.State, i.Title(), i.Name, i.Email, i.ID}
		})
}

func (c *inquiriesCmd) resend(ctx context.Context, std Streams, store *records.Store) error {
	account, err := c.Account(c.Dir())
	if err != nil {
		return err
	}
	leave, err := store.JoinSenders(ctx, c.Dir())
	defer leave()
	if err != nil { // an interrupted mail then counts as being sent for a minute
		fmt.Fprintln(std.Err, "warning:", err)
	}
	before, err := store.Inquiry(ctx, c.Resend)
	if err != nil {
		return c.refused(err)
	}
	if before.State == records.Unknown {
		fmt.Fprintln(std.Err, "warning: this mail may have arrived already; it keeps its Message-ID, so a duplicate can "+
			"be recognised")
	}
	current := mailer.NewCurrent(account)
	after, err := outbox.New(outbox.Config{Store: store, Sender: current, Mail: current.Now}).Resend(ctx, c.Resend)
	if after.ID == "" {
		return c.refused(err)
	}
	outcome := c.printOutcome(std, after, account)
	if err != nil {
		fmt.Fprintln(std.Err, "warning: the outcome is not recorded yet; trying again for a minute")
	}
	for err != nil && ctx.Err() == nil && time.Now().Before(after.Lease.Until) {
		time.Sleep(time.Second)
		if err = store.SettleInquiry(ctx, after); errors.Is(err, records.ErrLeaseLost) {
			return outcome // it is recorded, although the database did not confirm that, or deleted
		}
	}
	if err != nil {
		err = fmt.Errorf("the outcome could not be recorded, so a running service sends the mail again, with the same "+
			"Message-ID: %w", err)
	}
	return errors.Join(outcome, err)
}

// refused explains why an inquiry is not sent and what to do.
func (c *inquiriesCmd) refused(err error) error {
	switch {
	case errors.Is(err, records.ErrNotFound):
		return fmt.Errorf("there is no inquiry %s: frontdesk inquiries lists them", c.ID)
	case errors.Is(err, records.ErrSent):
		return fmt.Errorf("the mail of %s was sent already and is not sent twice", c.ID)
	case errors.Is(err, records.ErrLeased):
		return fmt.Errorf("the mail of %s is being sent: try again in a minute", c.ID)
	}
	return err
}

// printOutcome prints the outcome of the mail. One that was not sent is an error.
func (c *inquiriesCmd) printOutcome(std Streams, after records.Inquiry, account mailer.Account) error {
	if c.JSON {
		if err := std.printJSON([]records.Inquiry{after}); err != nil {
			return err
		}
	}
	switch {
	case after.State == records.Unknown:
		return fmt.Errorf("the mail of %s may have arrived: %s", after.ID, after.Detail)
	case after.State != records.Sent:
		return fmt.Errorf("the mail of %s was not sent: %s", after.ID, after.Detail)
	case !c.JSON:
		return std.printf("%s is sent to %s by %s, as <%s>\n", after.ID, after.To, account, after.MessageID)
	}
	return nil
}

// show prints an inquiry: what was asked, its mail, and every try to send it.
func (c *inquiriesCmd) show(ctx context.Context, std Streams, store *records.Store) error {
	detail, err := curation.Inquiry(ctx, store, c.ID)
	if err != nil {
		return c.refused(err)
	}
	if c.JSON {
		return std.printJSON(detail)
	}
	table := newTable(std.Out)
	if detail.IsPrivate() {
		detail.Business = ""
	}
	for _, row := range []struct{ label, value string }{
		{"id", detail.ID},
		{"when", shortTime(detail.CreatedAt)},
		{"state", string(detail.State)},
		{"name", detail.Name},
		{"business", detail.Business},
		{"e-mail", detail.Email},
		{"phone", detail.Phone},
		{"segment", detail.Segment},
		{"question", detail.Question},
		{"answered", shortTime(detail.AnsweredAt)},
		{"done", shortTime(detail.DoneAt)},
		{"note", detail.Note},
		{"to", detail.To},
		{"from", detail.From},
		{"subject", detail.Subject},
		{"request", detail.RequestID},
		{"Message-ID", "<" + detail.MessageID + ">"},
	} {
		if row.value != "" {
			fmt.Fprintf(table, "%s\t%s\n", row.label, printable(row.value))
		}
	}
	for i, try := range detail.Tries {
		fmt.Fprintf(table, "try %d\t%s\n", i+1, printable(tryLine(try)))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return std.printf("\nMessage:\n%s\n\nMail:\n%s\n", indented(detail.Message), indented(detail.Text))
}

func tryLine(try records.Attempt) string {
	outcome := string(try.State)
	if try.EndedAt.IsZero() {
		outcome = "under way, or interrupted"
	} else {
		outcome += " after " + try.EndedAt.Sub(try.StartedAt).Round(time.Millisecond).String()
	}
	if try.Detail != "" {
		outcome += ": " + try.Detail
	}
	return shortTime(try.StartedAt) + "  " + outcome
}

// indented is a text of several lines, each behind two spaces, so that no line of it can
// be mistaken for one of the command's.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("  "+printable(line), " ")
	}
	return strings.Join(lines, "\n")
}

// delete deletes an inquiry with its mail.
func (c *inquiriesCmd) delete(ctx context.Context, std Streams, store *records.Store) error {
	deleted, files, err := curation.DeleteInquiry(ctx, store, mailer.FolderOf(c.Dir()), c.ID)
	if deleted.ID == "" && err != nil {
		return c.refused(err)
	}
	return errors.Join(err, std.printf("%s of %s is deleted, and %d mails kept as files. Backups and delivered mail are "+
		"not reached.\n", deleted.ID, printable(deleted.Email), files))
}

var csvHead = []string{byteOrderMark + "id", "created_at", "state", "name", "business", "email", "phone", "segment",
	"message", "detail"}

// byteOrderMark begins a CSV file, so that spreadsheets read it as UTF-8.
const byteOrderMark = "\ufeff"

// printCSV writes inquiries as RFC 4180 says, in UTF-8.
func printCSV(w io.Writer, inquiries []records.Inquiry) error {
	rows := [][]string{csvHead}
	for _, i := range inquiries {
		if i.IsPrivate() {
			i.Business = ""
		}
		row := []string{i.ID, i.CreatedAt.Format(time.RFC3339), string(i.State), i.Name, i.Business, i.Email, i.Phone,
			i.Segment, i.Message, i.Detail}
		for n := range row {
			row[n] = harmless(row[n])
		}
		rows = append(rows, row)
	}
	writer := csv.NewWriter(w)
	writer.UseCRLF = true
	return writer.WriteAll(rows)
}

// formula matches the start of a formula, at the start of a cell or after ; tab or line break, which some spreadsheets
// take for cell separators. It skips leading spaces, as some programs do (OWASP, "CSV Injection").
var formula = regexp.MustCompile(`(^|[;\t\r\n]"*)([ \x{a0}\x{feff}]*[=+\-@|%＝＋－＠])`)

// harmless returns cell with an apostrophe before each possible formula, so that no spreadsheet evaluates it.
func harmless(cell string) string {
	cell = formula.ReplaceAllString(cell, "$1'$2")
	if strings.IndexAny(cell, "\t\r\n") == 0 {
		return "'" + cell
	}
	return cell
}
