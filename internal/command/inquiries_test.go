package command_test

import (
	"database/sql"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

func TestReadingNothing(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"inquiries", "inquiries --csv", "inquiries show inq_1", "inquiries delete inq_1", "inquiries --resend inq_1 --smtp-url file:",
		"questions", "questions --wrong", "questions dismiss 1", "workspaces", "export", "erase ada@example.com",
	} {
		dir := filepath.Join(t.TempDir(), "data")
		expect.Same(t, line, "", outputOf(run(t, 1, line+" --data "+dir, "no database at "+dir)))
		expect.Error(t, line+": the folder", expect.ErrorOf(os.Stat(dir)), fs.ErrNotExist)
	}
}

func inquiries(t *testing.T) (dir string) {
	t.Helper()
	return stored(t, func(store *records.Store) error {
		at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		for id, email := range map[string]string{"a": "ada@example.com", "b": "Bob@example.com"} {
			inquiry := records.Inquiry{
				ID: "inq_" + id, MessageID: id + "@example.org", Name: "=1+1", Business: contract.NoBusiness, Email: email,
				Message: "Two\nlines", Phone: "+49 1", Subject: "Pilot", Text: "The mail\x1b[31m", From: "desk@example.org", To: "owner@example.org",
				State: records.Pending, CreatedAt: at.Add(time.Duration(id[0]-'a') * time.Hour), Lease: records.Lease{Owner: "x", Until: at},
			}
			if id == "a" {
				inquiry.Business = "A, \"B\"\u202e"
			} else {
				inquiry.DoneAt = at
			}
			if err := expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, records.Key{})); err != nil {
				return err
			}
			inquiry.State, inquiry.Detail = records.Failed, "550 no such user"
			if err := store.SettleInquiry(t.Context(), inquiry); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestInquiryCommands(t *testing.T) {
	t.Parallel()
	data := " --data " + inquiries(t)
	run(t, 0, "inquiries show inq_a"+data, "ada@example.com", "  Two\n  lines", "failed after ", ": 550 no such user", "<a@example.org>", "  The mail[31m")
	run(t, 0, "inquiries show inq_a --json"+data, `"tries": [`)
	out, _ := run(t, 0, "inquiries --csv"+data, "\r\n")
	rows := expect.Value(csv.NewReader(strings.NewReader(strings.TrimPrefix(out, "\ufeff"))).ReadAll())(t)
	if len(rows) != 3 {
		t.Fatalf("%s", out)
	}
	want := []string{"inq_a", "2026-11-21T09:00:00Z", "failed", "'=1+1", "A, \"B\"\u202e", "ada@example.com", "'+49 1", "", "Two\nlines", "550 no such user"}
	expect.Same(t, "CSV", want, rows[2])
	expect.Same(t, "CSV of a private person", "", rows[1][4])
	expect.Lacks(t, "a private person", outputOf(run(t, 0, "inquiries show inq_b"+data, "=1+1")), "business")
	run(t, 0, "inquiries"+data, "failed  =1+1  ")
	expect.Lacks(t, "not done", outputOf(run(t, 0, "inquiries --failed"+data, "inq_a")), "inq_b")
	run(t, 0, "inquiries delete inq_a"+data, "inq_a of ada@example.com is deleted")
	run(t, 1, "inquiries delete inq_a"+data, "there is no inquiry inq_a")
	run(t, 2, "erase bob"+data, `"bob" is not an e-mail address`)
	run(t, 0, "erase bob@EXAMPLE.com"+data, "1  inquiries", "backups")
	expect.Same(t, "left", "No inquiries yet.\n", outputOf(run(t, 0, "inquiries"+data)))
	for _, line := range []string{"inquiries show", "inquiries list inq_a", "inquiries show inq_a --csv", "inquiries burn", "inquiries --csv --json"} {
		run(t, 2, line+data)
	}
}

func TestWorkspaces(t *testing.T) {
	t.Parallel()
	none := stored(t, func(*records.Store) error { return nil })
	for flag, want := range map[string]string{"": "No trials yet.\n", " --json": "[]\n"} {
		out, _ := run(t, 0, "workspaces --data "+none+flag)
		expect.Same(t, "no trials"+flag, want, out)
	}
	w := records.Workspace{ID: "wsp_a", State: contract.StateDraft, Business: "AE", Email: "ada@example.com", CreatedAt: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	one := " --data " + stored(t, func(store *records.Store) error {
		return expect.ErrorOf(store.AddWorkspace(t.Context(), w, records.Key{}))
	})
	run(t, 0, "workspaces"+one, "draft", "AE", "ada@example.com", "wsp_a")
	out, _ := run(t, 0, "workspaces --json"+one)
	expect.Same(t, "as JSON", []records.Workspace{w}, expect.JSON[[]records.Workspace](t, []byte(out)))
}

// A request that failed is mailed again while the service runs, and not twice.
func TestResend(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	data := " --data " + d.Settings.Data
	contact(t, d, 200)
	run(t, 0, "inquiries --failed"+data, "None:")
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.From, Action: mailtest.Refuse})
	contact(t, d, 502)
	d.Inquiries(t, 2)
	failed := d.Inquiries(t, 1, "--failed")[0]
	resend := "inquiries --resend " + failed.ID + data + " --smtp-url " + d.Mail.URL()
	expect.Same(t, "while the server refuses",
		"", outputOf(run(t, 1, resend, failed.ID+" was not sent: mail failed at MAIL")))
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut})
	expect.Holds(t, "while the connection breaks",
		outputOf(run(t, 1, resend+" --json", failed.ID+" may have arrived: ")), `"unknown"`)
	open := make(chan struct{})
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.Data, Action: mailtest.Wait, Until: open})
	go func() { // a short outage
		database, _ := sql.Open("sqlite", filepath.Join(d.Settings.Data, records.FileName)+"?_pragma=busy_timeout(9000)")
		d.Mail.WaitFaults(4)
		_, _ = database.Exec(`ALTER TABLE tries RENAME TO away`)
		close(open)
		time.Sleep(time.Second)
		_, _ = database.Exec(`ALTER TABLE away RENAME TO tries`)
	}()
	_, stderr := run(t, 0, resend, "<"+failed.MessageID+">")
	expect.Holds(t, "resend", stderr, "warning: this mail may have arrived already", "trying again for a minute")
	run(t, 1, resend, failed.ID+" was sent already and is not sent twice")
	d.Inquiries(t, 0, "--failed")
	mails := d.Mail.Messages() // the first request, the one without a reply, the resent one
	if len(mails) != 3 || string(mails[1].Data) != string(mails[2].Data) {
		t.Fatalf("%d mails arrived, want 3, the last two the same", len(mails))
	}
	header, _ := mails[2].Read(t)
	expect.Same(t, "the resent mail", "<"+failed.MessageID+">", header.Get("Message-Id"))
}

func TestResendFromBeforeMail(t *testing.T) {
	t.Parallel()
	server := mailtest.Listen(t, mailtest.Options{})
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithoutMail(s)
		s.BaseURL.Text = "https://desk.example"
	})
	contact(t, d, 502)
	resend := "inquiries --resend " + d.Inquiries(t, 1)[0].ID + " --data " + d.Settings.Data + " --smtp-url " + server.URL()
	run(t, 1, resend, "FRONTDESK_MAIL_TO")
	run(t, 0, resend+" --mail-from a@desk.example --mail-to b@desk.example", "is sent to b@desk.example by smtp://")
}

func TestResendRefuses(t *testing.T) {
	t.Parallel()
	held := harness.HoldMail(t)
	other := mailtest.Listen(t, mailtest.Options{})
	slow := harness.Start(t, func(s *config.Settings) { s.SMTPURL = held.Mail.URL() })
	answered := make(chan int, 1)
	go func() {
		answered <- slow.Send(t, harness.NewClient(t), "POST", "/v1/contact", harness.ContactBody("")).StatusCode
	}()
	<-held.Reached
	pending := slow.Inquiries(t, 1)[0].ID
	resend := "inquiries --data " + slow.Settings.Data + " --resend "
	for line, want := range map[string]string{
		pending + " --smtp-url " + other.URL(): pending + " is being sent",
		"inq_none --smtp-url " + other.URL():   "there is no inquiry inq_none",
		pending:                                "FRONTDESK_SMTP_URL: is required",
	} {
		expect.Same(t, line, "", outputOf(run(t, 1, resend+line, want)))
	}
	run(t, 2, resend+pending+" --failed", "--failed and --resend can't be used together")
	close(held.Open)
	expect.Same(t, "the request under way is answered with",
		[]any{200, 0}, []any{<-answered, len(other.Messages())})
}
