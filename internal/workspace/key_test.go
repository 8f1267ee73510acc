package workspace

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
	"frontdesk/internal/limits"
	"frontdesk/mailer/mailtest"
)

func from(t *testing.T, client string) context.Context {
	t.Helper()
	return &limits.ClientContext{Context: t.Context(), Client: limits.ClientOf(netip.MustParseAddr(client))}
}

// TestKeyOfATrial follows one key: its repetitions get the first answer, from
// wherever they come, and other requests under it are refused or are other requests.
func TestKeyOfATrial(t *testing.T) {
	t.Parallel()
	trials, store := newTrials(t)
	mail := mailtest.Listen(t, mailtest.Options{})
	trials.Notice = notice(t, mail)
	key := contract.IdempotencyKey{Value: "k", Field: "idempotency_key"}
	shouting, changed, stranger := request, request, request
	shouting.Email = strings.ToUpper(request.Email)
	changed.Business += "!"
	stranger.Email = "eve@example.com"

	first, decision, err := trials.Start(from(t, "192.0.2.1"), request, key)
	if err != nil || decision.Remaining != 2 {
		t.Fatalf("first: %d left, %v", decision.Remaining, err)
	}
	for client, remaining := range map[string]int{"192.0.2.1": 2, "192.0.2.2": 3} {
		again, decision, err := trials.Start(from(t, client), request, key)
		if diff := cmp.Diff(first, again); err != nil || diff != "" || decision.Remaining != remaining {
			t.Errorf("again from %s: %d left, want %d; %v (-first +again):\n%s", client, decision.Remaining, remaining, err, diff)
		}
	}
	for name, other := range map[string]contract.TrialRequest{"other fields": changed, "another case of the address": shouting} {
		_, decision, err := trials.Start(from(t, "192.0.2.1"), other, key)
		if refusal := contract.AsError(err); refusal.Code != contract.InvalidRequest || refusal.Fields[0].Field != "idempotency_key" || decision.Remaining != 2 {
			t.Errorf("%s: %v with %d left, want a refusal that names the argument and 2", name, err, decision.Remaining)
		}
	}
	if other, _, err := trials.Start(from(t, "192.0.2.3"), stranger, key); err != nil || other.WorkspaceID == first.WorkspaceID {
		t.Errorf("the key of another address: %+v, %v; want a trial of its own", other, err)
	}
	if n, mails := len(stored(t, store)), len(mail.Messages()); n != 2 || mails != 2 {
		t.Errorf("%d workspaces and %d mails, want two of each", n, mails)
	}
}
