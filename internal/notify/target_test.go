package notify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/internal/records"
)

func sample(kind Kind) records.Notification {
	row := records.Notification{ID: "ntf_1", Kind: string(kind), CreatedAt: time.Date(2026, 11, 21, 9, 30, 0, 123456000, time.UTC)}
	var f facts
	switch kind {
	case InquiryAccepted, MailFailed:
		row.Subject = "inq_1"
	case TrialStarted:
		row.Subject = "wsp_1"
	case ContentRefused:
		row.Subject = "0123456789abcdef 2026-11-21"
		f = facts{Revision: "0123456789abcdef", Faults: 3}
	case QuestionsDigest:
		row.Subject = "2026-W47"
		f = facts{Week: "2026-W47", Unanswered: 12, Open: 40}
	case CertificateEnding:
		row.Subject = "desk.example 2026-12-05T09:30:00Z"
		f = facts{Domain: "desk.example", End: "2026-12-05T09:30:00Z"}
	}
	data, _ := json.Marshal(f) // which has only strings and numbers, and no error
	row.Data = string(data)
	return row
}

// The time of the signatures is that of a bubble of synctest, 2000-01-01.
func TestMessages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		targets := []Target{
			expect.Value(ParseWebhook("https://hook.example/in?key=1", secret))(t),
			expect.Value(ParseNtfy("https://tk_1@ntfy.example/topic"))(t),
			expect.Value(ParseChat("https://hooks.slack.example/services/T/B/X"))(t),
			expect.Value(ParseChat("https://discord.example/api/webhooks/1/X"))(t),
			expect.Value(ParseChat("https://discord.example/api/webhooks/1/X/slack"))(t),
		}
		var all bytes.Buffer
		for _, kind := range []Kind{InquiryAccepted, MailFailed, TrialStarted, ContentRefused, QuestionsDigest,
			CertificateEnding, BackupFailed, Test} {
			m := message(sample(kind), ownerURL, "")
			for _, target := range targets {
				request := target.request(t.Context(), m)
				body := expect.Value(io.ReadAll(request.Body))(t)
				fmt.Fprintf(&all, "%s %s\n", request.Method, request.URL)
				expect.OK(t, request.Header.Write(&all))
				fmt.Fprintf(&all, "\n%s\n\n", body)
			}
		}
		golden.Check(t, filepath.Join("testdata", "messages.golden"), bytes.ReplaceAll(all.Bytes(), []byte("\r\n"), []byte("\n")))
	})
}

func TestWithoutOwnerURL(t *testing.T) {
	t.Parallel()
	m := message(sample(MailFailed), "", "")
	expect.Same(t, "link", []any{"", "inq_1, 2026-11-21 09:30 UTC"}, []any{m.Link, m.text()})
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	webhook := func(address string) error { return expect.ErrorOf(ParseWebhook(address, secret)) }
	signed := func(key string) error { return expect.ErrorOf(ParseWebhook("https://hook.example", key)) }
	topic := func(address string) error { return expect.ErrorOf(ParseNtfy(address)) }
	chat := func(address string) error { return expect.ErrorOf(ParseChat(address)) }
	for _, tt := range []struct {
		name  string
		parse func(string) error
		text  string
		ok    bool
	}{
		{"https", webhook, "https://hook.example/hunter2?a=b", true},
		{"loopback", webhook, "http://127.0.0.1:8000", true},
		{"private address", webhook, "http://10.0.0.1/hunter2", true},
		{"no scheme", webhook, "hunter2.example/hook", false},
		{"another scheme", webhook, "file:///hunter2", false},
		{"no host", webhook, "https:///hunter2", false},
		{"user and password", webhook, "https://u:hunter2@hook.example", false},
		{"fragment", webhook, "https://hook.example/#hunter2", false},
		{"not an address", webhook, "https://hunter2 .example", false},
		{"secret of 24 bytes", signed, "whsec_" + strings.Repeat("QUFB", 8), true},
		{"secret of 64 bytes", signed, "whsec_" + strings.Repeat("QUFB", 21) + "QQ==", true},
		{"secret of 21 bytes", signed, "whsec_" + strings.Repeat("QUFB", 7), false},
		{"secret of 66 bytes", signed, "whsec_" + strings.Repeat("QUFB", 22), false},
		{"secret without its prefix", signed, strings.Repeat("QUFB", 8), false},
		{"secret that is not base64", signed, "whsec_hunter2", false},
		{"no secret", signed, "", false},
		{"topic", topic, "https://ntfy.example/hunter2", true},
		{"no topic", topic, "https://hunter2.example/", false},
		{"topic with a query", topic, "https://ntfy.example/topic?auth=hunter2", false},
		{"token", topic, "https://tk_hunter2@ntfy.example/topic", true},
		{"token as a password", topic, "https://:tk_hunter2@ntfy.example/topic", true},
		{"user and password of a topic", topic, "https://u:hunter2@ntfy.example/topic", false},
		{"token with a line break", topic, "https://hunter2%0D%0AX@ntfy.example/topic", false},
		{"chat", chat, "https://hooks.example/services/hunter2", true},
		{"chat without a scheme", chat, "hooks.example/services/hunter2", false},
	} {
		err := tt.parse(tt.text)
		expect.Same(t, tt.name, tt.ok, err == nil)
		expect.Lacks(t, tt.name, fmt.Sprint(err), "hunter2")
	}
}

// Redirects are not followed, an endless answer is not read, and no error shows the address.
func TestSend(t *testing.T) {
	t.Parallel()
	elsewhere := listen(t, nil)
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string // in the error; empty accepts
	}{
		"200": {nil, ""},
		"204": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, ""},
		"an answer without end": {func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat("x", 1024))
			}
		}, ""},
		"redirect": {http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect).ServeHTTP, "answered 307 Temporary Redirect"},
		"403":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "hunter2", http.StatusForbidden) }, "answered 403 Forbidden"},
		"large headers": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Large", strings.Repeat("x", 32<<10))
		}, "exceeded"},
		"no one listens":        {nil, "refused"},
		"the connection is cut": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := listen(t, tt.answer)
			if name == "no one listens" {
				target.Close()
			}
			err := expect.Value(ParseChat(target.URL+"/hunter2"))(t).test(t.Context(), ownerURL, "")
			expect.Says(t, name, err, tt.want)
			expect.Lacks(t, name, fmt.Sprint(err), "hunter2")
		})
	}
	t.Cleanup(func() { expect.Same(t, "redirects were followed", 0, len(elsewhere.all())) })
}
