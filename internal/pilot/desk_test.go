package pilot

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/internal/records"
)

// courier keeps the last inquiry that it was given, and those that have a key.
type courier struct {
	inquiry records.Inquiry
	calls   int
	fail    error
	during  func() // called while a mail is under way

	mu    sync.Mutex
	keyed map[string]kept
}

// scoped identifies a key.
func scoped(key records.Key) string { return key.Email + " " + key.Hash }

type kept struct {
	inquiry     records.Inquiry
	fingerprint string
}

func (c *courier) Deliver(_ context.Context, inquiry records.Inquiry, key records.Key, admit records.Admit) error {
	if err := c.store(inquiry, key, admit); err != nil {
		return err
	}
	return c.send(inquiry, key)
}

// store holds its lock while the inquiry is admitted, as a database does.
func (c *courier) store(inquiry records.Inquiry, key records.Key, admit records.Admit) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.keyed[scoped(key)]; taken {
		return records.ErrKeyTaken
	}
	if err := admit(); err != nil {
		return err
	}
	c.inquiry = inquiry
	if key.Hash != "" {
		inquiry.State = records.Pending
		c.keyed[scoped(key)] = kept{inquiry, key.Fingerprint}
	}
	return nil
}

func (c *courier) send(inquiry records.Inquiry, key records.Key) error {
	if c.during != nil {
		c.during()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	inquiry.State = records.Sent
	if c.fail != nil {
		inquiry.State = records.Failed
	}
	if key.Hash != "" {
		c.keyed[scoped(key)] = kept{inquiry, key.Fingerprint}
	}
	return c.fail
}

func (c *courier) Recall(ctx context.Context, key records.Key) (records.Inquiry, bool, error) {
	found, ok := c.find(key)
	for found.inquiry.State == records.Pending {
		time.Sleep(100 * time.Millisecond)
		found, ok = c.find(key)
	}
	if ok && found.fingerprint != key.Fingerprint {
		return records.Inquiry{}, false, records.ErrKeyReused
	}
	return found.inquiry, ok, ctx.Err()
}

func (c *courier) find(key records.Key) (kept, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.keyed[scoped(key)]
	return found, ok
}

func (c *courier) Resume(_ context.Context, inquiry records.Inquiry, admit records.Admit) error {
	if err := admit(); err != nil {
		return err
	}
	for scope, kept := range c.keyed {
		if kept.inquiry.ID == inquiry.ID {
			email, hash, _ := strings.Cut(scope, " ")
			return c.send(inquiry, records.Key{Email: email, Hash: hash, Fingerprint: kept.fingerprint})
		}
	}
	return records.ErrNotFound
}

func newDesk() (*Desk, *courier) {
	courier := &courier{keyed: map[string]kept{}}
	return &Desk{
		Mail:    Addresses{From: "Front desk <desk@desk.example>", To: "owner@desk.example"},
		BaseURL: "https://desk.example",
		Limit:   limits.New(contract.ContactPolicy), KeyReuse: limits.New(contract.KeyReusePolicy),
		Courier: courier,
	}, courier
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
	accepted, decision, err := desk.Send(t.Context(), request, contract.IdempotencyKey{})
	if err != nil || !decision.Allowed || decision.Remaining != 2 {
		t.Fatalf("Send = %+v, %v", decision, err)
	}
	sent := []string{courier.inquiry.Subject, courier.inquiry.Email, courier.inquiry.Text}
	shown := []string{preview.WouldSend.Subject, preview.WouldSend.ReplyTo, preview.WouldSend.Text}
	if diff := cmp.Diff(shown, sent); diff != "" {
		t.Errorf("mail (-previewed +sent):\n%s", diff)
	}
	if accepted.ID != courier.inquiry.ID || accepted.Status != "accepted" || !accepted.OK || !strings.Contains(accepted.Message, request.Email) {
		t.Errorf("answer = %+v", accepted)
	}
	if courier.inquiry.MessageID != accepted.ID+"@desk.example" || courier.inquiry.CreatedAt.IsZero() {
		t.Errorf("identity: inquiry %s, Message-ID %s", accepted.ID, courier.inquiry.MessageID)
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
		_, decision, err := desk.Send(t.Context(), request, contract.IdempotencyKey{})
		if !errors.Is(err, courier.fail) || decision.Remaining != remaining {
			t.Fatalf("Send = %+v, %v; want the courier's error and %d left", decision, err, remaining)
		}
	}
	_, decision, err := desk.Send(t.Context(), request, contract.IdempotencyKey{})
	if contract.AsError(err).Code != contract.RateLimited || decision.Allowed || courier.calls != 3 {
		t.Errorf("over the limit: %+v, %v after %d deliveries", decision, err, courier.calls)
	}
}
