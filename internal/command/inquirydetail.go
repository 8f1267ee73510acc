package command

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"frontdesk/internal/curation"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// show prints an inquiry: what was asked, its mail, and every try to send it.
func (c *inquiriesCmd) show(ctx context.Context, std Streams) error {
	return reading(ctx, c.DataFolder, func(store *records.Store) error {
		detail, err := curation.Inquiry(ctx, store, c.ID)
		if err != nil {
			return c.refused(err)
		}
		if c.JSON {
			return printJSON(std.Out, detail)
		}
		return printInquiry(std.Out, detail)
	})
}

func printInquiry(w io.Writer, detail curation.Detail) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
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
		{"answered", markedAt(detail.AnsweredAt)},
		{"done", markedAt(detail.DoneAt)},
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
	_, err := fmt.Fprintf(w, "\nMessage:\n%s\n\nMail:\n%s\n", indented(detail.Message), indented(detail.Text))
	return err
}

// markedAt is when an inquiry was marked; empty if it was not.
func markedAt(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return shortTime(at)
}

func tryLine(try records.Try) string {
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
func (c *inquiriesCmd) delete(ctx context.Context, std Streams) error {
	return reading(ctx, c.DataFolder, func(store *records.Store) error {
		deleted, files, err := curation.DeleteInquiry(ctx, store, mailer.FolderOf(c.Dir()), c.ID)
		if deleted.ID == "" && err != nil {
			return c.refused(err)
		}
		fmt.Fprintf(std.Out, "%s of %s is deleted, and %d mails kept as files. Backups and delivered mail are not reached.\n", deleted.ID, printable(deleted.Email), files)
		return err
	})
}

// csvHead are the columns of a list of inquiries as CSV.
var csvHead = []string{"id", "created_at", "state", "name", "business", "email", "phone", "segment", "message", "detail"}

// printCSV writes inquiries as RFC 4180 says, in UTF-8.
func printCSV(w io.Writer, inquiries []records.Inquiry) error {
	writer := csv.NewWriter(w)
	writer.UseCRLF = true
	errs := []error{writer.Write(csvHead)}
	for _, i := range inquiries {
		if i.IsPrivate() {
			i.Business = ""
		}
		row := []string{i.ID, i.CreatedAt.Format(time.RFC3339), string(i.State), i.Name, i.Business, i.Email, i.Phone, i.Segment, i.Message, i.Detail}
		for n := range row {
			row[n] = harmless(row[n])
		}
		errs = append(errs, writer.Write(row))
	}
	writer.Flush()
	return errors.Join(append(errs, writer.Error())...)
}

// harmless is a cell that no spreadsheet takes for a formula: a sign in front of which one
// may begin gets an apostrophe (OWASP, "CSV Injection"). White space before the sign is
// skipped, as some programs do.
func harmless(cell string) string {
	begin := strings.TrimLeft(cell, " \t\r\n\u00a0\ufeff")
	if begin != "" && strings.ContainsAny(begin[:1], "=+-@|%") || strings.HasPrefix(begin, "＝") || strings.HasPrefix(begin, "＋") ||
		strings.HasPrefix(begin, "－") || strings.HasPrefix(begin, "＠") || cell != "" && strings.ContainsAny(cell[:1], "\t\r\n") {
		return "'" + cell
	}
	return cell
}
