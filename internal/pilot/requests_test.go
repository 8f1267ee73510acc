package pilot

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

// As the owner has chosen, else as is usual in the language.
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

// A failed request is sent again to the addresses that are set now, and with a preview as the mail that was approved. A
// preview of other settings is refused and takes no slot, unless the key has an answer.
func TestSettingsChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fail = &mailer.Error{Outcome: mailer.Failed}
	key, requests := contract.IdempotencyKey{Value: "k", Field: "Idempotency-Key"}, w.pilots[0]
	stale, fresh := pilotRequest, pilotRequest
	stale.Preview = requests.Preview(pilotRequest).Digest
	_, _, err := requests.Send(t.Context(), stale, key)
	expect.Error(t, "sent", err, w.fail)
	w.account = mailer.Account{From: "new@desk.example", To: "corrected@desk.example"}
	for left, key := range []contract.IdempotencyKey{{}, key} { // without one it finds the equal request
		requests.BaseURL += "/" + key.Value
		_, _, err := requests.Send(t.Context(), stale, key)
		expect.Same(t, "with a stale preview", []any{contract.InvalidRequest, left + 1},
			[]any{contract.AsError(err).Code, len(w.mails)})
		fresh.Preview = requests.Preview(pilotRequest).Digest
		_, decision, err := requests.Send(t.Context(), fresh, key)
		expect.Error(t, "sent again", err, w.fail)
		expect.Same(t, "slots left", 1-left, decision.Remaining)
		stored := expect.Value(w.stores[0].Inquiries(t.Context(), records.InquiryQuery{}))(t)
		expect.Same(t, "inquiries", 1, len(stored))
		for _, got := range [][]string{{w.last.ID, w.last.From, w.last.To, w.last.Text},
			{stored[0].MessageID, stored[0].From, stored[0].To, stored[0].Text}} {
			expect.Same(t, "the mail",
				[]string{w.mails[0], w.account.From, w.account.To, requests.Preview(pilotRequest).WouldSend.Text}, got)
		}
	}
	w.fail = nil
	expect.Value(requests.Outbox.Resend(t.Context(), strings.TrimSuffix(w.mails[0], "@desk.example")))(t)
	_, _, err = requests.Send(t.Context(), stale, key)
	expect.Same(t, "the answer to the key", []any{nil, 4}, []any{err, len(w.mails)})
}

// A request does not join a mail that is under way if another mail was approved.
func TestOtherMailUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.took = time.Second
		requests, other, key := w.pilots[0], pilotRequest, contract.IdempotencyKey{Value: "k"}
		first := make(chan error, 1)
		go func() {
			_, _, err := requests.Send(t.Context(), pilotRequest, key)
			first <- err
		}()
		time.Sleep(w.took / 2)
		synctest.Wait() // orders this write after the first request has read it
		requests.BaseURL += "/other"
		other.Preview = requests.Preview(pilotRequest).Digest
		_, _, err := requests.Send(t.Context(), other, key)
		expect.Same(t, "with another preview", contract.InvalidRequest, contract.AsError(err).Code)
		_, _, err = requests.Send(t.Context(), pilotRequest, key)
		expect.OK(t, err, <-first)
		expect.Same(t, "mails", 1, len(w.mails))
	})
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
