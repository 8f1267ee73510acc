package pilot

import (
	"reflect"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/i18n"
	"frontdesk/internal/outbox"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

var pilotRequest = contract.PilotRequest{
	Name: "Ada Lovelace", Business: "Analytical Engines", Email: "ada@example.com",
	Message: "Line one\nLine two", Phone: "+1 555 0100", Segment: "retail",
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

// The mail that is sent again must be the previewed one too, with addresses that are set since. Its refusal takes no
// slot.
func TestPreviewOfAStoredMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fail = &mailer.Error{Outcome: mailer.Failed}
	key, requests := contract.IdempotencyKey{Value: "k", Field: "Idempotency-Key"}, w.pilots[0]
	account := requests.Mail
	requests.Mail = func() mailer.Account { return mailer.Account{}.OrNobody() }
	previewed := pilotRequest
	for range 2 { // the first without mail
		_, _, err := requests.Send(t.Context(), previewed, key)
		expect.Error(t, "sent", err, w.fail)
		requests.Mail = account
		previewed.Preview = requests.Preview(pilotRequest).Digest
	}
	w.fail = nil
	requests.Wording = func() Wording { return Wording{Request: "A subject of other settings"} }
	previewed.Preview = requests.Preview(pilotRequest).Digest
	for _, key := range []contract.IdempotencyKey{key, {}} { // which finds the equal request
		_, decision, err := requests.Send(t.Context(), previewed, key)
		expect.Same(t, "a refused preview",
			[]any{contract.InvalidRequest, 1, 2}, []any{contract.AsError(err).Code, decision.Remaining, len(w.mails)})
	}
}

// A request over the limit of the day leaves nothing of the client's own limit either.
func TestDailyLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pilots[0].Outbox = outbox.New(outbox.Config{Store: w.stores[0], Sender: w, Mail: w.pilots[0].Mail, DailySends: 1})
	for _, left := range []int{2, 0} {
		_, decision, _ := w.pilots[0].Send(t.Context(), pilotRequest, contract.IdempotencyKey{})
		expect.Same(t, "left", left, decision.Remaining)
	}
}

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
	expect.Same(t, "over the limit", []any{contract.RateLimited, 3}, []any{contract.AsError(err).Code, len(quarantined)})
}

// Requests are one only if all fields that a caller sends are equal.
func TestEqualRequests(t *testing.T) {
	t.Parallel()
	pilots := newWorld(t).pilots[0]
	fingerprint := func(request contract.PilotRequest) string { return pilots.inquiry(t.Context(), request).Fingerprint() }
	for _, field := range reflect.VisibleFields(reflect.TypeFor[contract.PilotRequest]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || name == contract.FieldDryRun || name == contract.FieldPreview {
			continue
		}
		var request contract.PilotRequest
		reflect.ValueOf(&request).Elem().FieldByIndex(field.Index).SetString("other")
		if fingerprint(request) == fingerprint(contract.PilotRequest{}) {
			t.Errorf("a request with another %s is the same: Fingerprint in internal/records/inquiry.go", name)
		}
	}
}
