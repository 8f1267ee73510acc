package pilot

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
	"frontdesk/internal/idempotency"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// box is an outbox that keeps the last inquiry that it was given.
type box struct {
	inquiry records.Inquiry
	key     records.Key
	mails   int
	fail    error
}

func (b *box) Find(_ context.Context, _ records.Inquiry, key records.Key) (records.Inquiry, bool, error) {
	if key == (records.Key{}) || key != b.key {
		return records.Inquiry{}, false, nil
	}
	return b.inquiry, true, nil
}

func (b *box) Deliver(ctx context.Context, inquiry records.Inquiry, key records.Key, slot records.Slot) error {
	if err := slot.Take(ctx); err != nil {
		return err
	}
	b.inquiry = inquiry
	return b.send(key)
}

func (b *box) Resume(ctx context.Context, _ records.Inquiry, key records.Key, slot records.Slot) error {
	if err := slot.Take(ctx); err != nil {
		return err
	}
	return b.send(key)
}

func (b *box) Quarantine(_ context.Context, inquiry records.Inquiry) error {
	b.inquiry = inquiry
	return b.fail
}

func (b *box) send(key records.Key) error {
	b.mails++
	b.key, b.inquiry.State = key, records.Sent
	if b.fail != nil {
		b.inquiry.State = records.Failed
	}
	return b.fail
}

func newRequests() (*Requests, *box) {
	b := &box{}
	return &Requests{
		Gate:    idempotency.NewGate[contract.Accepted](limits.New(contract.ContactPolicy), limits.New(contract.KeyReusePolicy)),
		Outbox:  b,
		Mail:    Addresses{From: "Front desk <desk@desk.example>", To: "owner@desk.example"},
		BaseURL: "https://desk.example",
		Wording: func() Wording { return Wording{Request: "Pilot request"} },
		Count:   func(Outcome) {},
	}, b
}

var request = contract.PilotRequest{
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
	requests, box := newRequests()
	got := requests.Preview(request)
	want := contract.Preview{OK: true, DryRun: true, WouldSend: contract.WouldSend{
		Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com", Message: "Line one\nLine two",
		Phone: "+1 555 0100", Segment: "retail",
		Subject: "Pilot request from Analytical Engines", ReplyTo: "ada@example.com", Text: mailText,
	}}
	expect.Same(t, "preview", want, got, cmpopts.IgnoreFields(contract.Preview{}, "Digest"))
	if _, decision, _ := requests.Send(t.Context(), request, contract.IdempotencyKey{}); box.mails != 1 || decision.Remaining != 2 {
		t.Error("a dry run sends something or takes a slot")
	}
}

// TestTone: the mail addresses its reader as the owner has chosen, else as is usual in the language.
func TestTone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, tone, says string }{
		{"de", "", "Antworten Sie auf"}, {"de", i18n.Informal, "Antworte auf"},
		{"fr", "", "Répondez à"}, {"fr", i18n.Informal, "Réponds à"},
		{"it", "", "Rispondi a"}, {"it", i18n.Formal, "Risponda a"},
		{"en", i18n.Informal, "Reply to"},
	} {
		requests, _ := newRequests()
		requests.Wording = func() Wording { return Wording{Language: tt.language, Tone: tt.tone} }
		if text := requests.Preview(request).WouldSend.Text; !strings.Contains(text, "\n-- \n"+tt.says) {
			t.Errorf("%s %s: the mail does not say %q:\n%s", tt.language, tt.tone, tt.says, text)
		}
	}
}

// TestSendsWhatWasPreviewed holds the promise of a dry run: the mail of a real
// send is the previewed one, byte for byte.
func TestSendsWhatWasPreviewed(t *testing.T) {
	t.Parallel()
	requests, box := newRequests()
	preview := requests.Preview(request)
	accepted, decision, err := requests.Send(t.Context(), request, contract.IdempotencyKey{})
	if err != nil || !decision.Allowed || decision.Remaining != 2 {
		t.Fatalf("Send = %+v, %v", decision, err)
	}
	sent := []string{box.inquiry.Subject, box.inquiry.Email, box.inquiry.Text}
	shown := []string{preview.WouldSend.Subject, preview.WouldSend.ReplyTo, preview.WouldSend.Text}
	expect.Same(t, "mail", shown, sent)
	if accepted.ID != box.inquiry.ID || accepted.Status != "accepted" || !accepted.OK || !strings.Contains(accepted.Message, request.Email) {
		t.Errorf("answer = %+v", accepted)
	}
	if box.inquiry.MessageID != accepted.ID+"@desk.example" || box.inquiry.CreatedAt.IsZero() {
		t.Errorf("identity: inquiry %s, Message-ID %s", accepted.ID, box.inquiry.MessageID)
	}
}

func TestPreviewLock(t *testing.T) {
	t.Parallel()
	requests, _ := newRequests()
	digest := requests.Preview(request).Digest
	with := func(change func(*contract.PilotRequest)) contract.PilotRequest {
		changed := request
		changed.Preview = digest
		change(&changed)
		return changed
	}
	for _, tt := range []struct {
		name    string
		request contract.PilotRequest
		ok      bool
	}{
		{"none", request, true},
		{"same", with(func(*contract.PilotRequest) {}), true},
		{"another name", with(func(p *contract.PilotRequest) { p.Name = "Eve" }), false},
		{"a space more", with(func(p *contract.PilotRequest) { p.Message += " " }), false},
		{"another address", with(func(p *contract.PilotRequest) { p.Email = "eve@example.com" }), false},
		{"optional field dropped", with(func(p *contract.PilotRequest) { p.Phone = "" }), false},
		{"another digest", with(func(p *contract.PilotRequest) { p.Preview = strings.ToUpper(digest) }), false},
	} {
		err := matchPreview(tt.request, requests.compose(tt.request))
		if (err == nil) != tt.ok {
			t.Fatalf("%s: matchPreview = %v, want ok %v", tt.name, err, tt.ok)
		}
		if refusal := contract.AsError(err); !tt.ok && (refusal.Code != contract.InvalidRequest || refusal.Fields[0].Field != "preview") {
			t.Errorf("%s: refusal = %+v, want one that names preview", tt.name, refusal)
		}
	}
}

// TestPreviewOfAStoredMail: the mail that is resumed must be the previewed one too, and is
// sent once.
func TestPreviewOfAStoredMail(t *testing.T) {
	t.Parallel()
	requests, box := newRequests()
	key := contract.IdempotencyKey{Value: "k", Field: "Idempotency-Key"}
	box.fail = &contract.Error{Code: contract.BadGateway}
	if _, _, err := requests.Send(t.Context(), request, key); !errors.Is(err, box.fail) {
		t.Fatal(err)
	}
	box.inquiry.Subject = "A subject of earlier settings"
	previewed := request
	previewed.Preview = requests.Preview(request).Digest
	if _, _, err := requests.Send(t.Context(), previewed, key); contract.AsError(err).Code != contract.InvalidRequest || box.mails != 1 {
		t.Errorf("%v after %d mails, want that the preview is refused", err, box.mails)
	}
	box.fail = nil
	for range 2 {
		if accepted, _, err := requests.Send(t.Context(), request, key); err != nil || accepted.ID != box.inquiry.ID || box.mails != 2 {
			t.Errorf("%s after %d mails, %v; want the stored request, sent with the second mail", accepted.ID, box.mails, err)
		}
	}
}

// TestQuarantine takes a slot, and stores nothing without one.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	requests, box := newRequests()
	for left := 2; left >= 0; left-- {
		if accepted, decision, err := requests.Quarantine(t.Context(), request); err != nil || decision.Remaining != left || accepted.ID != box.inquiry.ID {
			t.Errorf("%+v, %+v, %v; want %d left", accepted, decision, err, left)
		}
	}
	last := box.inquiry.ID
	if _, _, err := requests.Quarantine(t.Context(), request); contract.AsError(err).Code != contract.RateLimited || box.inquiry.ID != last || box.mails != 0 {
		t.Errorf("over the limit: %v", err)
	}
}
