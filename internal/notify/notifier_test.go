package notify

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"frontdesk/internal/expect"
	"frontdesk/internal/records"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	n := New(Config{Targets: []Target{expect.Value(ParseChat("https://chat.example"))(t), expect.Value(ParseNtfy("https://ntfy.example/t"))(t)}})
	for state, want := range map[records.State]Kind{
		records.Sent: InquiryAccepted, records.Failed: MailFailed, records.Unknown: MailFailed, records.Quarantined: "", records.Pending: "",
	} {
		rows := n.Settled(records.Inquiry{ID: "inq_1", State: state})
		if want == "" {
			expect.Same(t, fmt.Sprintf("%s: notifications", state), 0, len(rows))
			continue
		}
		if len(rows) != 2 || rows[0].Target != Chat || rows[1].Target != Ntfy || rows[0].ID == rows[1].ID {
			t.Fatalf("%s: %+v, want one for each target", state, rows)
		}
		expect.Same(t, fmt.Sprint(state), []any{string(want), "inq_1"}, []any{rows[0].Kind, rows[0].Subject})
	}
}

// A notification is tried again with growing pauses for a day. All tries have the same id.
func TestTries(t *testing.T) {
	t.Parallel()
	type (
		tries  [2]int // at least and at most
		period [2]time.Duration
	)
	first, late := period{3 * time.Second, 8 * time.Second}, 2*time.Second
	hour, most := period{time.Hour, time.Hour + late}, period{maxPause, maxPause + late}
	for _, tt := range []struct {
		name       string
		status     int
		retryAfter string
		accepts    int // the try that is accepted; 0 for none
		state      records.State
		tries      tries
		first      period // the first pause
		took       period
	}{
		{"accepted", 200, "", 1, records.Sent, tries{1, 1}, period{}, period{0, time.Second}},
		{"accepted at the third try", 503, "", 3, records.Sent, tries{3, 3}, first, period{6 * time.Second, time.Minute}},
		{"never accepted", 500, "", 0, records.Failed, tries{12, 30}, first, period{giveUp, giveUp + 6*time.Hour}},
		{"gone", 410, "", 0, records.Failed, tries{1, 1}, period{}, period{0, time.Second}},
		{"Retry-After is obeyed", 429, "3600", 2, records.Sent, tries{2, 2}, hour, hour},
		{"Retry-After as a date is obeyed", 503, "Sat, 01 Jan 2000 01:00:00 GMT", 2, records.Sent, tries{2, 2}, hour, hour},
		{"Retry-After is bounded", 503, "31536000", 2, records.Sent, tries{2, 2}, most, most},
		{"a redirect", 302, "", 2, records.Sent, tries{2, 2}, first, first},
	} {
		expect.Bubble(t, tt.name, func(t *testing.T) {
			var tries []time.Time
			ids := map[string]bool{}
			store, log := &memory{}, &bytes.Buffer{}
			outcomes := map[Outcome]int{}
			count := func(_ string, outcome Outcome) { outcomes[outcome]++ }
			n, stop := start(t, store, log, count, func(request *http.Request) (*http.Response, error) {
				tries = append(tries, time.Now())
				ids[request.Header.Get("X-Sequence-ID")] = true
				if len(tries) == tt.accepts {
					return answering(200, ""), nil
				}
				return answering(tt.status, tt.retryAfter), nil
			})
			began := time.Now()
			n.add(t.Context(), n.Settled(accepted("inq_1")))
			sleep(2 * giveUp)
			stop()
			row := store.all()[0]
			if row.State != tt.state || row.Tries != len(tries) || len(tries) < tt.tries[0] || len(tries) > tt.tries[1] || len(ids) != 1 {
				t.Fatalf("%s after %d tries (%d counted), %d ids; want %s, %v", row.State, len(tries), row.Tries, len(ids), tt.state, tt.tries)
			}
			took := tries[len(tries)-1].Sub(began)
			expect.AtLeast(t, "took", tt.took[0], took)
			expect.AtMost(t, "took", tt.took[1], took)
			for i := range tries[1:] {
				pause := tries[i+1].Sub(tries[i])
				if bounds := tt.first; i == 0 && (pause < bounds[0] || pause > bounds[1]) || pause > maxPause*5/4+time.Second {
					t.Errorf("pause %d is %v; want the first within %v", i, pause, tt.first)
				}
			}
			want := map[Outcome]int{}
			for outcome, n := range map[Outcome]int{Retried: len(tries) - 1, Outcome(tt.state): 1} {
				if n > 0 {
					want[outcome] = n
				}
			}
			expect.Same(t, "counted", want, outcomes)
			expect.Same(t, "errors in the log: "+log.String(),
				tt.state == records.Failed, strings.Contains(log.String(), `"level":"error"`))
		})
	}
}

// A try ends in time, and the next target does not wait for it.
func TestSlowTarget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		n, stop := start(t, store, &bytes.Buffer{}, uncounted, func(request *http.Request) (*http.Response, error) {
			<-request.Context().Done()
			return nil, request.Context().Err()
		})
		began := time.Now()
		n.add(t.Context(), n.Settled(accepted("inq_1")))
		expect.Same(t, "time to store", 0, time.Since(began))
		sleep(sendTimeout + time.Second)
		row := store.all()[0]
		expect.Same(t, "the try that ran out of time",
			[]any{1, records.Pending, context.DeadlineExceeded.Error()}, []any{row.Tries, row.State, row.Detail})
		stop()
		sleep(time.Minute)
		ended, end := context.WithCancel(t.Context())
		end()
		n.Run(ended)
		expect.Same(t, "tries after a stop", 1, store.all()[0].Tries)
	})
}

// Nothing is lost, and it is logged once.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, log, sent := &memory{}, &bytes.Buffer{}, 0
		n, stop := start(t, store, log, uncounted, func(*http.Request) (*http.Response, error) {
			sent++
			return answering(200, ""), nil
		})
		synctest.Wait()
		expect.OK(t, store.AddNotifications(t.Context(), n.Settled(accepted("inq_1"))))
		store.turn(true)
		sleep(5 * time.Minute)
		expect.Same(t, "tries while the database is away", 0, store.all()[0].Tries)
		store.turn(false)
		sleep(time.Minute)
		stop()
		expect.Same(t, "times sent", 1, sent)
		expect.Same(t, "lines about the database", 1, strings.Count(log.String(), "trying again"))
	})
}

// Refused content is reported once a day for one revision, and a failed backup once a day.
func TestContentRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		n := New(Config{Store: store, Targets: []Target{expect.Value(ParseChat("https://chat.example"))(t)}})
		for _, revision := range []string{"one", "one", "two"} {
			n.ContentRefused(t.Context(), revision, 3)
		}
		n.BackupFailed(t.Context())
		n.BackupFailed(t.Context())
		time.Sleep(24 * time.Hour)
		n.BackupFailed(t.Context())
		n.ContentRefused(t.Context(), "one", 3)
		expect.Same(t, "notifications", 5, len(store.all()))
	})
}

// A digest comes on Monday morning, once a week, also by an instance that starts later, unless there is no question.
func TestDigest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &memory{}
		sent := map[string]time.Time{}
		answer := func(*http.Request) (*http.Response, error) {
			rows := store.all()
			sent[rows[len(rows)-1].Subject] = time.Now()
			return answering(200, ""), nil
		}
		monday := time.Date(2000, 1, 3, 8, 0, 0, 0, east) // the bubble begins on Saturday
		_, stop := start(t, store, &bytes.Buffer{}, uncounted, answer)
		store.ask()
		store.ask()
		sleep(time.Until(monday) - time.Second)
		expect.Same(t, "notifications before Monday morning", 0, len(store.all()))
		sleep(time.Minute)
		sleep(7 * 24 * time.Hour) // a week without a question
		store.ask()
		stop()
		sleep(7 * 24 * time.Hour) // Monday morning passes while no instance runs
		for range 2 {
			_, stop = start(t, store, &bytes.Buffer{}, uncounted, answer)
			sleep(time.Hour)
			stop()
		}
		rows := store.all()
		if len(rows) != 2 || len(sent) != 2 {
			t.Fatalf("%d digests, %v sent; want 2", len(rows), sent)
		}
		year, week := monday.ISOWeek()
		if rows[0].Subject != fmt.Sprintf("%d-W%02d", year, week) || rows[0].Data != fmt.Sprintf(`{"week":%q,"unanswered":2,"open":2}`, rows[0].Subject) {
			t.Errorf("first digest %s: %s", rows[0].Subject, rows[0].Data)
		}
		if late := sent[rows[0].Subject].Sub(monday); late < 0 || late > time.Minute {
			t.Errorf("sent %v after it was due", late)
		}
		if want := `"unanswered":1,"open":3}`; !strings.HasSuffix(rows[1].Data, want) {
			t.Errorf("second digest: %s, want %s", rows[1].Data, want)
		}
	})
}
