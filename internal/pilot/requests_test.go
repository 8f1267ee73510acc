package pilot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

var pilotRequest = contract.PilotRequest{
	Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com",
	Message: "Line one\nLine two", Phone: "+1 555 0100", Segment: "retail",
}

const mailText = `Sent through https://desk.example.

Name:     Ada Lovelace
Business: Analytical Engines
E-mail:   ada@example.com
Phone:    +1 555 0100
Segment:  retail

Line one
Line two

-- 
Reply to this mail to answer ada@example.com.
`

func TestPreview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.pilots[0].Preview(pilotRequest)
	want := contract.Preview{OK: true, DryRun: true, WouldSend: contract.WouldSend{
		Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com", Message: "Line one\nLine two",
		Phone: "+1 555 0100", Segment: "retail",
		Subject: "Pilot request from Analytical Engines", ReplyTo: "ada@example.com", Text: mailText,
	}}
	expect.Same(t, "preview", want, got, cmpopts.IgnoreFields(contract.Preview{}, "Digest"))
	if left := w.slots.Peek(t.Context(), limits.Client{}).Remaining; len(w.mails) != 0 || left != 3 {
		t.Error("a dry run sends something or takes a slot")
	}
}

// The mail addresses its reader as the owner has chosen, else as is usual in the language.
func TestTone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, tone, says string }{
		{"de", "", "Antworten Sie auf"}, {"de", i18n.Informal, "Antworte auf"},
		{"fr", "", "Répondez à"}, {"fr", i18n.Informal, "Réponds à"},
		{"it", "", "Rispondi a"}, {"it", i18n.Formal, "Risponda a"},
		{"en", i18n.Informal, "Reply to"},
	} {
		requests := &Requests{Mail: func() mailer.Account { return mailer.Account{} }}
		requests.Wording = func() Wording { return Wording{Language: tt.language, Tone: tt.tone} }
		expect.Holds(t, "the text", requests.Preview(pilotRequest).WouldSend.Text, "\n-- \n"+tt.says)
	}
}

// TestSendsWhatWasPreviewed holds the promise of a dry run: the mail of a real
// send is the previewed one, byte for byte.
func TestSendsWhatWasPreviewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	preview := w.pilots[0].Preview(pilotRequest)
	accepted, decision, err := w.pilots[0].Send(t.Context(), pilotRequest, contract.IdempotencyKey{})
	if err != nil || !decision.Allowed || decision.Remaining != 2 {
		t.Fatalf("Send = %+v, %v", decision, err)
	}
	inquiry := expect.Value(w.stores[0].Inquiry(t.Context(), accepted.ID))(t)
	sent := []string{inquiry.Subject, inquiry.Email, inquiry.Text}
	shown := []string{preview.WouldSend.Subject, preview.WouldSend.ReplyTo, preview.WouldSend.Text}
	expect.Same(t, "mail", shown, sent)
	if accepted.Status != "accepted" || !accepted.OK || !strings.Contains(accepted.Message, pilotRequest.Email) {
		t.Errorf("answer = %+v", accepted)
	}
	if w.mails[0] != accepted.ID+"@desk.example" || inquiry.MessageID != w.mails[0] || inquiry.CreatedAt.IsZero() {
		t.Errorf("identity: inquiry %s, Message-ID %s", accepted.ID, w.mails[0])
	}
}

func TestPreviewLock(t *testing.T) {
	t.Parallel()
	requests := newWorld(t).pilots[0]
	digest := requests.Preview(pilotRequest).Digest
	with := func(change func(*contract.PilotRequest)) contract.PilotRequest {
		changed := pilotRequest
		changed.Preview = digest
		change(&changed)
		return changed
	}
	for _, tt := range []struct {
		name    string
		request contract.PilotRequest
		ok      bool
	}{
		{"none", pilotRequest, true},
		{"same", with(func(*contract.PilotRequest) {}), true},
		{"another name", with(func(p *contract.PilotRequest) { p.Name = "Eve" }), false},
		{"a space more", with(func(p *contract.PilotRequest) { p.Message += " " }), false},
		{"another address", with(func(p *contract.PilotRequest) { p.Email = "eve@example.com" }), false},
		{"optional field dropped", with(func(p *contract.PilotRequest) { p.Phone = "" }), false},
		{"another digest", with(func(p *contract.PilotRequest) { p.Preview = strings.ToUpper(digest) }), false},
	} {
		err := matchPreview(tt.request.Preview, requests.inquiry(t.Context(), tt.request))
		if (err == nil) != tt.ok {
			t.Fatalf("%s: matchPreview = %v, want ok %v", tt.name, err, tt.ok)
		}
		if refusal := contract.AsError(err); !tt.ok && (refusal.Code != contract.InvalidRequest || refusal.Fields[0].Field != "preview") {
			t.Errorf("%s: refusal = %+v, want one that names preview", tt.name, refusal)
		}
	}
}

// The mail that is sent again must be the previewed one too. Its
// refusal takes no slot.
func TestPreviewOfAStoredMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fail = &mailer.Error{Outcome: mailer.Failed}
	key, requests := contract.IdempotencyKey{Value: "k", Field: "Idempotency-Key"}, w.pilots[0]
	_, _, err := requests.Send(t.Context(), pilotRequest, key)
	expect.Error(t, "sent", err, w.fail)
	w.fail = nil
	requests.Wording = func() Wording { return Wording{Request: "A subject of other settings"} }
	previewed := pilotRequest
	previewed.Preview = requests.Preview(pilotRequest).Digest
	for _, key := range []contract.IdempotencyKey{key, {}} { // which finds the equal request
		_, decision, err := requests.Send(t.Context(), previewed, key)
		if contract.AsError(err).Code != contract.InvalidRequest || decision.Remaining != 2 || len(w.mails) != 1 {
			t.Errorf("%v after %d mails, %d slots left; want that the preview is refused", err, len(w.mails), decision.Remaining)
		}
	}
}

// TestQuarantine takes a slot, and stores nothing without one.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for left := 2; left >= 0; left-- {
		if accepted, decision, err := w.pilots[0].Quarantine(t.Context(), pilotRequest); err != nil || decision.Remaining != left || accepted.ID == "" {
			t.Errorf("%+v, %+v, %v; want %d left", accepted, decision, err, left)
		}
	}
	_, _, err := w.pilots[0].Quarantine(t.Context(), pilotRequest)
	quarantined := expect.Value(w.stores[0].Inquiries(t.Context(), records.InquiryQuery{View: records.QuarantinedInquiries}))(t)
	if contract.AsError(err).Code != contract.RateLimited || len(quarantined) != 3 {
		t.Errorf("over the limit: %v, and %d are stored; want 3", err, len(quarantined))
	}
}
