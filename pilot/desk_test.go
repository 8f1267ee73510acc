package pilot

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/limits"
	"frontdesk/mailer"
	"frontdesk/records"
)

// courier keeps what it is given.
type courier struct {
	inquiry records.Inquiry
	mail    mailer.Message
	calls   int
	fail    error
}

func (c *courier) Deliver(_ context.Context, inquiry records.Inquiry, mail mailer.Message) error {
	c.inquiry, c.mail = inquiry, mail
	c.calls++
	return c.fail
}

func newDesk() (*Desk, *courier) {
	courier := &courier{}
	return &Desk{
		Mail:    Addresses{From: "Front desk <desk@desk.example>", To: "owner@desk.example"},
		BaseURL: "https://desk.example",
		Limit:   limits.New(contract.ContactPolicy),
		Courier: courier,
	}, courier
}

var request = contract.PilotRequest{
	Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com",
	Message: "Line one\nLine two", Phone: "+1 555 0100", Segment: "retail",
}

const mailText = `A pilot request came in through https://desk.example.

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
	desk, courier := newDesk()
	got := desk.Preview(request)
	want := contract.Preview{OK: true, DryRun: true, WouldSend: contract.WouldSend{
		Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com", Message: "Line one\nLine two",
		Phone: "+1 555 0100", Segment: "retail",
		Subject: "Pilot request from Analytical Engines", ReplyTo: "ada@example.com", Text: mailText,
	}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(contract.Preview{}, "Digest")); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	if courier.calls != 0 || desk.Limit.Remaining(t.Context(), limits.Client{}) != contract.ContactPolicy.Quota {
		t.Error("a dry run sends something or takes a slot")
	}
}

// TestSendsWhatWasPreviewed holds the promise of a dry run: the mail of a real
// send is the previewed one, byte for byte.
func TestSendsWhatWasPreviewed(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	preview := desk.Preview(request)
	accepted, decision, err := desk.Send(t.Context(), request)
	if err != nil || !decision.Allowed || decision.Remaining != 2 {
		t.Fatalf("Send = %+v, %v", decision, err)
	}
	sent := []string{courier.mail.Subject, courier.mail.ReplyTo, courier.mail.Text}
	shown := []string{preview.WouldSend.Subject, preview.WouldSend.ReplyTo, preview.WouldSend.Text}
	if diff := cmp.Diff(shown, sent); diff != "" {
		t.Errorf("mail (-previewed +sent):\n%s", diff)
	}
	if accepted.ID != courier.inquiry.ID || accepted.Status != "accepted" || !accepted.OK || !strings.Contains(accepted.Message, request.Email) {
		t.Errorf("answer = %+v", accepted)
	}
	if courier.mail.ID != accepted.ID+"@desk.example" || courier.inquiry.MessageID != courier.mail.ID || courier.mail.Date.IsZero() {
		t.Errorf("identity: inquiry %s, Message-ID %s", accepted.ID, courier.mail.ID)
	}
}

func TestPreviewLock(t *testing.T) {
	t.Parallel()
	desk, _ := newDesk()
	digest := desk.Preview(request).Digest
	with := func(change func(*contract.PilotRequest)) contract.PilotRequest {
		changed := request
		changed.Preview = digest
		change(&changed)
		return changed
	}
	tests := []struct {
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := desk.CheckPreview(tt.request)
			if (err == nil) != tt.ok {
				t.Fatalf("CheckPreview = %v, want ok %v", err, tt.ok)
			}
			if refusal := contract.AsError(err); !tt.ok && (refusal.Code != contract.InvalidRequest || refusal.Fields[0].Field != "preview") {
				t.Errorf("refusal = %+v, want one that names preview", refusal)
			}
		})
	}
}

func TestSendFails(t *testing.T) {
	t.Parallel()
	desk, courier := newDesk()
	courier.fail = &contract.Error{Code: contract.BadGateway}
	for remaining := 2; remaining >= 0; remaining-- {
		_, decision, err := desk.Send(t.Context(), request)
		if !errors.Is(err, courier.fail) || decision.Remaining != remaining {
			t.Fatalf("Send = %+v, %v; want the courier's error and %d left", decision, err, remaining)
		}
	}
	_, decision, err := desk.Send(t.Context(), request)
	if contract.AsError(err).Code != contract.RateLimited || decision.Allowed || courier.calls != 3 {
		t.Errorf("over the limit: %+v, %v after %d deliveries", decision, err, courier.calls)
	}
}
