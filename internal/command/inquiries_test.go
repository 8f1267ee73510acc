package command_test

import (
	"net/http"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// TestResend follows a request that was not delivered: its owner finds it beside the
// one that was, mails it again while the service runs, and cannot mail it twice.
func TestResend(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	client := harness.NewClient(t)
	harness.WantStatus(t, d.Send(t, client, http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusOK)
	if _, out, _ := harness.Command(t, "inquiries", "--failed", "--data", d.Settings.Dir()); !strings.HasPrefix(out, "None:") {
		t.Errorf("nothing has failed, and --failed prints %q", out)
	}
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.From, Action: mailtest.Refuse})
	harness.WantStatus(t, d.Send(t, client, http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType), http.StatusBadGateway)
	d.Inquiries(t, 2)
	failed := d.Inquiries(t, 1, "--failed")[0]
	resend := func(args ...string) (int, string, string) {
		return harness.Command(t, append([]string{"inquiries", "--resend", failed.ID, "--data", d.Settings.Dir(), "--smtp-url", d.Mail.URL()}, args...)...)
	}

	code, out, stderr := resend()
	if code != 1 || out != "" || !strings.Contains(stderr, failed.ID+" was not sent: mail failed at MAIL") {
		t.Errorf("while the server refuses: exit %d: %s%s", code, out, stderr)
	}
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut})
	code, out, stderr = resend("--json")
	if code != 1 || !strings.Contains(out, `"unknown"`) || !strings.Contains(stderr, failed.ID+" may have arrived: ") {
		t.Errorf("while the connection breaks: exit %d: %s%s", code, out, stderr)
	}
	d.Mail.SetFault(mailtest.Fault{})
	code, out, stderr = resend()
	if code != 0 || !strings.Contains(stderr, "warning: this mail may have arrived already") || !strings.Contains(out, "<"+failed.MessageID+">") {
		t.Errorf("when it works: exit %d: %s%s", code, out, stderr)
	}
	if code, out, stderr = resend(); code != 1 || !strings.Contains(stderr, failed.ID+" was sent already and is not sent twice") {
		t.Errorf("once more: exit %d: %s%s", code, out, stderr)
	}
	d.Inquiries(t, 0, "--failed")

	mails := d.Mail.Messages() // the first request, the one without a reply, the resent one
	if len(mails) != 3 || string(mails[1].Data) != string(mails[2].Data) {
		t.Fatalf("%d mails arrived, want 3, the last two the same", len(mails))
	}
	if header, _ := mails[2].Read(t); header.Get("Message-Id") != "<"+failed.MessageID+">" {
		t.Errorf("resent as %s, want <%s>", header.Get("Message-Id"), failed.MessageID)
	}
}

func TestResendRefuses(t *testing.T) {
	t.Parallel()
	held := harness.HoldMail(t)
	other := mailtest.Listen(t, mailtest.Options{})
	slow := harness.Start(t, func(s *config.Settings) { s.SMTPURL = held.Mail.URL() })
	answered := make(chan int, 1)
	go func() {
		answered <- slow.Send(t, harness.NewClient(t), http.MethodPost, "/v1/contact", harness.ContactBody(""), harness.JSONType).StatusCode
	}()
	<-held.Reached
	pending := slow.Inquiries(t, 1)[0]
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"under way", []string{"--resend", pending.ID, "--smtp-url", other.URL()}, 1, pending.ID + " is being sent"},
		{"unknown id", []string{"--resend", "inq_none", "--smtp-url", other.URL()}, 1, "there is no inquiry inq_none"},
		{"no mail server", []string{"--resend", pending.ID}, 1, "FRONTDESK_SMTP_URL: is required"},
		{"a list too", []string{"--resend", pending.ID, "--failed"}, 2, "--failed and --resend can't be used together"},
	} {
		code, out, stderr := harness.Command(t, append([]string{"inquiries", "--data", slow.Settings.Dir()}, tt.args...)...)
		if code != tt.code || out != "" && code == 1 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d: %s%s; want %d and %q", tt.name, code, out, stderr, tt.code, tt.want)
		}
	}
	close(held.Open)
	if status := <-answered; status != http.StatusOK || len(other.Messages()) != 0 {
		t.Errorf("the request under way is answered with %d, and %d mails were sent beside it", status, len(other.Messages()))
	}
}
