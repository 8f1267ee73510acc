package app_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

const (
	webhookSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	ownerPages    = "https://desk.example/owner/"
)

// phone is a server of ntfy (https://docs.ntfy.sh/publish/).
type phone chan ntfyMessage

type ntfyMessage struct{ topic, title, text, priority, click string }

func (p phone) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if r.Method != "POST" || r.Header.Get("Authorization") != "Bearer tk_phone" || err != nil {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	p <- ntfyMessage{r.URL.Path, r.Header.Get("Title"), string(text), r.Header.Get("Priority"), r.Header.Get("Click")}
}

// The notification of a failed mail holds nothing of the person and leads to the page that sends it again.
func TestFailedMailReachesAPhone(t *testing.T) {
	t.Parallel()
	messages := make(phone, 9)
	server := httptest.NewServer(messages)
	t.Cleanup(server.Close)
	d := harness.Start(t, func(s *config.Settings) {
		s.NotifyNtfy = strings.Replace(server.URL, "//", "//tk_phone@", 1) + "/desk"
		s.AdminAddr = "127.0.0.1:0"
	})
	client := harness.NewClient(t)
	d.Mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse})
	refused := d.Send(t, client, "POST", contract.PathContact, harness.ContactBody(""))
	harness.WantStatus(t, refused, 502)
	failed := d.Inquiries(t, 1, "--failed")[0]

	base := "http://" + d.AdminAddr().String()
	got := <-messages
	if got.topic != "/desk" || got.priority != "high" || got.click != base+"/owner/inquiries/"+failed.ID ||
		!strings.HasPrefix(got.text, failed.ID+", ") {
		t.Errorf("notification = %+v, want a high one about %s", got, failed.ID)
	}
	request := refused.Header.Get(contract.HeaderRequestID)
	for _, message := range []string{"request", "delivery of an inquiry", "notification of the owner"} {
		harness.Eventually(t, func() bool { // the log is written after the answer
			return slices.ContainsFunc(strings.Split(d.Log.String(), "\n"), func(line string) bool {
				return strings.Contains(line, `"message":"`+message+`"`) && strings.Contains(line, request) && strings.Contains(line, failed.ID)
			})
		}, func() string { return fmt.Sprintf("no line %q has %s and %s:\n%s", message, request, failed.ID, d.Log) })
	}
	_, shown, _ := harness.Command(t, "inquiries", "show", failed.ID, "--data", d.Settings.Dir())
	expect.Holds(t, "inquiries show", shown, request)
	expect.Lacks(t, "the notification", fmt.Sprint(got), failed.Name, failed.Business, failed.Email, failed.Message)

	d.Mail.SetFault(mailtest.Fault{})
	b, address := openPages(t, d), strings.TrimPrefix(got.click, base)
	b.get(t, "/owner/state", 200, "The mail of an inquiry was not delivered", "A customer got an error")
	b.post(t, address+"/send", formOf(b.get(t, address, 200, "mail failed")), 200, "mailed to you")
	mails := d.Mail.Wait(1)
	header, _ := mails[0].Read(t)
	expect.Same(t, "mails, and the first", []any{1, "<" + failed.MessageID + ">"}, []any{len(mails), header.Get("Message-Id")})
	expect.Same(t, "notifications", 0, len(messages))

	problem := expect.JSON[contract.Problem](t, refused.Text)
	transcript := fmt.Sprintf(`A caller sends a request while the mail server refuses mails.

    POST %s
    %d %s
    %s

The owner's phone shows a message of the ntfy topic. Tapping it opens the page.

    Title:    %s
    Message:  %s
    Priority: 4 (%s)
    Click:    %s

On the page, the inquiry is marked "mail failed". The mail server works again, and the owner presses "Send again".

    POST %s/send
    The inquiry is marked "mailed to you".

The mail server has the mail, under the Message-ID of the first try.

    Message-ID: %s
    To:         %s
`, contract.PathContact, refused.StatusCode, http.StatusText(refused.StatusCode), problem.Detail,
		got.title, strings.ReplaceAll(got.text, "\n", "\n              "), got.priority, got.click,
		address, header.Get("Message-Id"), header.Get("To"))
	transcript = strings.NewReplacer(base, "https://desk.example.org",
		failed.ID, "inq_7k3m5p2q4r6s8t9v").Replace(transcript)
	transcript = regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d UTC`).ReplaceAllString(transcript, "2026-11-22 10:05 UTC")
	golden.Check(t, filepath.Join("docs", "transcripts", "failed-mail-reaches-a-phone.txt"), []byte(transcript))
}

func TestEveryEventIsReported(t *testing.T) {
	t.Parallel()
	got := make(chan string, 9)
	verifier := expect.Value(webhooks.NewWebhook(webhookSecret))(t)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		expect.Error(t, "verify", errors.Join(err, verifier.Verify(body, r.Header)), nil)
		got <- string(body)
	}))
	t.Cleanup(server.Close)
	d := harness.Start(t, func(s *config.Settings) {
		s.Content, s.OwnerURL.Text, s.TrialMail.Text = harness.SmallContent(t), ownerPages, "true"
		s.NotifyWebhook, s.NotifyWebhookSecret = server.URL, webhookSecret
	})
	client := harness.NewClient(t)
	wants := func(parts ...string) {
		t.Helper()
		text := <-got
		expect.Holds(t, "the webhook", text, append(parts, ownerPages)...)
	}
	harness.WantStatus(t, d.Send(t, client, "POST", contract.PathContact, harness.ContactBody("")), 200)
	wants(`{"type":"inquiry.accepted"`, `"inquiry":"inq_`)
	harness.WantStatus(t, d.CallTool(t, client, contract.PathWorkspaceMCP, "start_trial", `{"business":"AE","email":"ada@example.com"}`), 200)
	wants(`{"type":"trial.started"`, `"workspace":"wsp_`)
	expect.Same(t, "mails", 2, len(d.Mail.Messages()))
	harness.Edit(t, d.Settings.Content, "faq.yaml", "fallback: [")
	wants(`{"type":"content.refused"`, `"faults":1`)
}

func TestNotifyCommand(t *testing.T) {
	t.Parallel()
	messages := make(phone, 9)
	server := httptest.NewServer(messages)
	t.Cleanup(server.Close)
	mails := mailtest.Listen(t, mailtest.Options{Refused: []string{"gone@desk.example"}})
	data := t.TempDir()
	mailTo := func(to string) []string {
		return []string{"--smtp-url", mails.URL(), "--mail-from", "desk@desk.example", "--mail-to", to}
	}
	const both = "owner@desk.example, Bob <bob@desk.example>"
	for name, tt := range map[string]struct {
		args []string
		code int
		out  string
		err  string
	}{
		"no server": {nil, 0, "mail     kept as a file, because no mail server is set (file: " + data + "/mail)\n", ""},
		"accepted": {append(mailTo(both), "--notify-ntfy", strings.Replace(server.URL, "//", "//tk_phone@", 1)+"/test", "--owner-url", ownerPages), 0,
			"mail     sent to " + both + "\nntfy     sent to " + server.URL + "\n", ""},
		"refused": {append(mailTo("gone@desk.example"), "--notify-ntfy", server.URL+"/test", "--notify-chat", server.URL+"/chat"), 1,
			"mail     failed: mail failed at RCPT: 550 \"5.1.1 no such user\"\nntfy     failed: answered 403 Forbidden\nchat     failed: answered 403 Forbidden\n", "3 of 3 messages"},
		"some": {mailTo("gone@desk.example,owner@desk.example"), 1, "mail     failed: mail sent, but not to everyone: gone@desk.example: 550 \"5.1.1 no such user\"\n", "1 of 1 messages"},
		"no login": {append(mailTo(both), "--smtp-url", "smtp://user:secret@"+strings.TrimPrefix(mails.URL(), "smtp://")), 1,
			"mail     failed: mail failed at AUTH: the server offers neither AUTH PLAIN nor AUTH LOGIN\n         hint: Check user name and password; many providers need a password made for programs (an app password). @ : / ? # % are written as %40 %3A %2F %3F %23 %25.\n", "1 of 1"},
		"wrong": {[]string{"--notify-ntfy", "ntfy.sh/topic"}, 1, "", "FRONTDESK_NOTIFY_NTFY: "},
	} {
		code, out, stderr := harness.Command(t, append([]string{"notify", "--test", "--data", data}, tt.args...)...)
		expect.Same(t, name+": "+stderr, []any{tt.code, tt.out}, []any{code, out})
		expect.Holds(t, name, stderr, tt.err)
	}
	code, _, stderr := harness.Command(t, "notify")
	expect.Same(t, "without --test: exit", 2, code)
	expect.Holds(t, "without --test", stderr, "--test")
	if got := <-messages; len(messages) > 0 || got.title != "Test notification" || got.click != ownerPages+"state" {
		t.Errorf("the phone got %+v, want the test that was accepted", got)
	}
	var to []string
	for _, mail := range mails.Wait(2) {
		to = append(to, strings.Join(mail.To, " "))
	}
	slices.Sort(to)
	expect.Same(t, "test mails", []string{"owner@desk.example", "owner@desk.example bob@desk.example"}, to)
}
