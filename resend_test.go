package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
)

// wantInquiries lists the inquiries as a command line does.
func wantInquiries(t *testing.T, d *desk, n int, args ...string) []records.Inquiry {
	t.Helper()
	code, out, stderr := command(t, append([]string{"inquiries", "--json", "--data", d.settings.Dir()}, args...)...)
	var inquiries []records.Inquiry
	if err := json.Unmarshal([]byte(out), &inquiries); code != 0 || err != nil || len(inquiries) != n {
		t.Fatalf("inquiries: exit %d, %v: %s%s; want %d of them", code, err, out, stderr, n)
	}
	return inquiries
}

// TestResend follows a request that was not delivered: its owner finds it beside the
// one that was, mails it again while the service runs, and cannot mail it twice.
func TestResend(t *testing.T) {
	t.Parallel()
	d := startDesk(t, nil)
	client := newClient(t)
	wantStatus(t, d.send(t, client, http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusOK)
	if _, out, _ := command(t, "inquiries", "--failed", "--data", d.settings.Dir()); !strings.HasPrefix(out, "None:") {
		t.Errorf("nothing has failed, and --failed prints %q", out)
	}
	d.mail.SetFault(mailtest.Fault{Stage: mailtest.From, Action: mailtest.Refuse})
	wantStatus(t, d.send(t, client, http.MethodPost, "/v1/contact", contactBody(""), jsonType), http.StatusBadGateway)
	wantInquiries(t, d, 2)
	failed := wantInquiries(t, d, 1, "--failed")[0]
	resend := func(args ...string) (int, string, string) {
		return command(t, append([]string{"inquiries", "--resend", failed.ID, "--data", d.settings.Dir(), "--smtp-url", d.mail.URL()}, args...)...)
	}

	code, out, stderr := resend()
	if code != 1 || out != "" || !strings.Contains(stderr, failed.ID+" was not sent: mail failed at MAIL") {
		t.Errorf("while the server refuses: exit %d: %s%s", code, out, stderr)
	}
	d.mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Cut})
	code, out, stderr = resend("--json")
	if code != 1 || !strings.Contains(out, `"unknown"`) || !strings.Contains(stderr, failed.ID+" may have arrived: ") {
		t.Errorf("while the connection breaks: exit %d: %s%s", code, out, stderr)
	}
	d.mail.SetFault(mailtest.Fault{})
	code, out, stderr = resend()
	if code != 0 || !strings.Contains(stderr, "warning: this mail may have arrived already") || !strings.Contains(out, "<"+failed.MessageID+">") {
		t.Errorf("when it works: exit %d: %s%s", code, out, stderr)
	}
	if code, out, stderr = resend(); code != 1 || !strings.Contains(stderr, failed.ID+" was sent: it is not sent twice") {
		t.Errorf("once more: exit %d: %s%s", code, out, stderr)
	}
	wantInquiries(t, d, 0, "--failed")

	mails := d.mail.Messages() // the first request, the one without a reply, the resent one
	if len(mails) != 3 || string(mails[1].Data) != string(mails[2].Data) {
		t.Fatalf("%d mails arrived, want 3, the last two the same", len(mails))
	}
	if header, _ := mails[2].Read(t); header.Get("Message-Id") != "<"+failed.MessageID+">" {
		t.Errorf("resent as %s, want <%s>", header.Get("Message-Id"), failed.MessageID)
	}
}

func TestResendRefuses(t *testing.T) {
	t.Parallel()
	held := hold(t)
	other := mailtest.Listen(t, mailtest.Options{})
	slow := startDesk(t, func(s *config.Settings) { s.SMTPURL = held.mail.URL() })
	answered := make(chan int, 1)
	go func() {
		answered <- slow.send(t, newClient(t), http.MethodPost, "/v1/contact", contactBody(""), jsonType).StatusCode
	}()
	<-held.reached
	pending := wantInquiries(t, slow, 1)[0]
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"under way", []string{"--resend", pending.ID, "--smtp-url", other.URL()}, 1, pending.ID + " is under way"},
		{"unknown id", []string{"--resend", "inq_none", "--smtp-url", other.URL()}, 1, "there is no inquiry inq_none"},
		{"no mail server", []string{"--resend", pending.ID}, 1, "FRONTDESK_SMTP_URL: is required"},
		{"a list too", []string{"--resend", pending.ID, "--failed"}, 2, "--failed and --resend can't be used together"},
	} {
		code, out, stderr := command(t, append([]string{"inquiries", "--data", slow.settings.Dir()}, tt.args...)...)
		if code != tt.code || out != "" && code == 1 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d: %s%s; want %d and %q", tt.name, code, out, stderr, tt.code, tt.want)
		}
	}
	close(held.open)
	if status := <-answered; status != http.StatusOK || len(other.Messages()) != 0 {
		t.Errorf("the request under way is answered with %d, and %d mails were sent beside it", status, len(other.Messages()))
	}
}
