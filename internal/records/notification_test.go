package records

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"frontdesk/internal/expect"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func notification(n int) Notification {
	at := noon.Add(time.Duration(n) * time.Second)
	return Notification{
		ID: fmt.Sprintf("ntf_%d", n), Target: "ntfy", Kind: "mail.failed", Subject: fmt.Sprintf("inq_%d", n), Data: "{}",
		State: Pending, Due: at, CreatedAt: at,
	}
}

func addNotifications(t *testing.T, store *Store, notifications ...Notification) {
	t.Helper()
	expect.OK(t, store.AddNotifications(t.Context(), notifications))
}

// An event is stored once for each target, however many instances report it.
func (at Options) TestNotificationOnce(t *testing.T) {
	store := openAt(t, at)
	first, again, other := notification(1), notification(1), notification(1)
	again.ID, other.ID, other.Target = "ntf_again", "ntf_other", "webhook"
	addNotifications(t, store, first, other)
	addNotifications(t, store, again)
	expect.Same(t, "stored", []Notification{first, other}, allNotifications(t, store))
}

// A notification is claimed when it is due, by one caller, and again only when its lease has ended.
func (at Options) TestClaimNotification(t *testing.T) {
	store := openAt(t, at)
	addNotifications(t, store, notification(2), notification(1))
	claim := func(target string, now time.Time) string {
		claimed, err := store.ClaimNotification(t.Context(), target, "try", now.Add(time.Minute), now)
		if errors.Is(err, ErrNotFound) {
			return "none"
		}
		expect.OK(t, err)
		return fmt.Sprint(claimed.ID, " ", claimed.Tries)
	}
	for i, step := range []struct {
		target string
		after  time.Duration
		want   string
	}{
		{"ntfy", 0, "none"},
		{"webhook", time.Hour, "none"},
		{"ntfy", time.Second, "ntf_1 1"},
		{"ntfy", time.Second, "none"},
		{"ntfy", 2 * time.Second, "ntf_2 1"},
		{"ntfy", time.Minute, "none"},
		{"ntfy", time.Minute + time.Second, "ntf_1 2"},
	} {
		expect.Same(t, fmt.Sprintf("step %d: claimed", i), step.want, claim(step.target, noon.Add(step.after)))
	}
	expect.Same(t, "next is due at",
		noon.Add(time.Minute+2*time.Second), expect.Value(store.NextNotification(t.Context(), "ntfy"))(t))
	expect.Error(t, "next of another target", expect.ErrorOf(store.NextNotification(t.Context(), "chat")), ErrNotFound)
}

func (at Options) TestSettleNotification(t *testing.T) {
	store := openAt(t, at)
	addNotifications(t, store, notification(1))
	now := noon.Add(time.Minute)
	overtaken := expect.Value(store.ClaimNotification(t.Context(), "ntfy", "first", now, now))(t)
	held := expect.Value(store.ClaimNotification(t.Context(), "ntfy", "second", now.Add(time.Minute), now))(t)
	overtaken.State = Failed
	expect.Error(t, "the try that was overtaken", store.SettleNotification(t.Context(), overtaken), ErrLeaseLost)
	held.Detail, held.Due = "503 \x00", now.Add(time.Hour)
	expect.OK(t, store.SettleNotification(t.Context(), held))
	again := expect.Value(store.ClaimNotification(t.Context(), "ntfy", "third", noon.AddDate(0, 0, 1), held.Due))(t)
	expect.Same(t, "claimed", []any{3, "503 \uFFFD"}, []any{again.Tries, again.Detail})
	again.State, again.Detail = Sent, ""
	expect.OK(t, store.SettleNotification(t.Context(), again))
	rows := allNotifications(t, store)
	last := rows[0]
	expect.Same(t, "rows, and the last", []any{1, Sent, false, ""},
		[]any{len(rows), last.State, last.SettledAt.IsZero(), last.Lease})
	expect.Same(t, "rows are deleted", 1, prune(t, store, noon.Add(time.Hour)))
}

func allNotifications(t *testing.T, store *Store) []Notification {
	t.Helper()
	return expect.Value(notificationTable.find(t.Context(), store.reads, `ORDER BY created_at, id`))(t)
}
