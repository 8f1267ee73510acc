package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// leaseEnd is when the leases of a test end.
var leaseEnd = time.Date(2026, 11, 21, 9, 1, 0, 0, time.UTC)

// sample is the nth inquiry of a test; a greater n is newer.
func sample(n int) Inquiry {
	return Inquiry{
		ID: fmt.Sprintf("inq_%d", n), MessageID: fmt.Sprintf("inq_%d@example.org", n),
		Name: "Ada", Business: "Ada's 'Café'", Email: "ada@example.com",
		Message: "two\nlines; DROP TABLE inquiries", Phone: "123", Segment: "retail",
		Subject: "Pilot request", Text: "text 🙂", From: "desk@example.org", To: "owner@example.org",
		State:     Pending,
		CreatedAt: time.Date(2026, 11, 21, 9, 0, n, 123456000, time.UTC),
		Lease:     Lease{Owner: "first", Until: leaseEnd},
	}
}

func fill(t *testing.T, store *Store, n int) {
	t.Helper()
	for i := range n {
		must(t, store.AddInquiry(t.Context(), sample(i)))
	}
}

func ids(t *testing.T, store *Store, query InquiryQuery) []string {
	t.Helper()
	inquiries, err := store.Inquiries(t.Context(), query)
	must(t, err)
	ids := []string{}
	for _, inq := range inquiries {
		ids = append(ids, inq.ID)
	}
	return ids
}

func TestInquiriesNewestFirst(t *testing.T) { eachDatabase(t, testInquiriesNewestFirst) }

func testInquiriesNewestFirst(t *testing.T, at Options) {
	store := openAt(t, at)
	if diff := cmp.Diff([]string{}, ids(t, store, InquiryQuery{})); diff != "" {
		t.Errorf("of an empty store (-want +got):\n%s", diff)
	}
	fill(t, store, 3)
	if diff := cmp.Diff([]string{"inq_2", "inq_1", "inq_0"}, ids(t, store, InquiryQuery{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSettleInquiry(t *testing.T) { eachDatabase(t, testSettleInquiry) }

func testSettleInquiry(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 4)
	for n, state := range []State{Sent, Failed, Unknown} {
		inq := sample(n)
		inq.State, inq.Detail = state, "because"
		must(t, store.SettleInquiry(t.Context(), inq))
	}
	for want, states := range map[string][]State{
		"inq_0": {Sent}, "inq_1": {Failed}, "inq_2": {Unknown}, "inq_3": {Pending}, "inq_2 inq_1": {Failed, Unknown},
	} {
		if diff := cmp.Diff(strings.Fields(want), ids(t, store, InquiryQuery{States: states})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", states, diff)
		}
	}
	got, err := store.Inquiry(t.Context(), "inq_1")
	must(t, err)
	want := sample(1)
	want.State, want.Detail, want.SettledAt = Failed, "because", got.SettledAt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settling changes more than it should (-want +got):\n%s", diff)
	}
	if age := time.Since(want.SettledAt); age < 0 || age > time.Minute {
		t.Errorf("settled at %v, which is not now", want.SettledAt)
	}
}

// TestSettleWithAnyReply notes what a mail server has said, in whatever bytes.
func TestSettleWithAnyReply(t *testing.T) { eachDatabase(t, testSettleWithAnyReply) }

func testSettleWithAnyReply(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 1)
	inq := sample(0)
	inq.State, inq.Detail = Failed, "550 Empf\xe4nger \x00 unbekannt"
	must(t, store.SettleInquiry(t.Context(), inq))
	got, err := store.Inquiries(t.Context(), InquiryQuery{States: []State{Failed}})
	if err != nil || len(got) != 1 || got[0].Detail != "550 Empf\uFFFDnger \uFFFD unbekannt" {
		t.Errorf("inquiries = %+v, %v", got, err)
	}
}

// TestSettleWithoutTheLease: who was overtaken, or had settled before, changes nothing.
func TestSettleWithoutTheLease(t *testing.T) { eachDatabase(t, testSettleWithoutTheLease) }

func testSettleWithoutTheLease(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 2)
	settled := sample(1)
	settled.State = Sent
	must(t, store.SettleInquiry(t.Context(), settled))
	overtaken, twice, missing := sample(0), sample(1), sample(2)
	overtaken.Lease.Owner = "another"
	for _, inq := range []Inquiry{overtaken, twice, missing} {
		inq.State = Failed
		err := store.SettleInquiry(t.Context(), inq)
		if !errors.Is(err, ErrLeaseLost) || !strings.Contains(err.Error(), inq.ID) {
			t.Errorf("error = %v, want ErrLeaseLost that names %s", err, inq.ID)
		}
	}
	if diff := cmp.Diff([]string{}, ids(t, store, InquiryQuery{States: []State{Failed}})); diff != "" {
		t.Errorf("failed inquiries (-want +got):\n%s", diff)
	}
}

func TestUnknownInquiry(t *testing.T) { eachDatabase(t, testUnknownInquiry) }

func testUnknownInquiry(t *testing.T, at Options) {
	store := openAt(t, at)
	_, read := store.Inquiry(t.Context(), "inq_none")
	_, claimed := store.ClaimInquiry(t.Context(), "inq_none", Lease{Owner: "a"}, time.Now(), nil)
	for _, err := range []error{read, claimed} {
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "inq_none") {
			t.Errorf("error = %v, want ErrNotFound that names the id", err)
		}
	}
}

func TestAddInquiryRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Inquiry){
		"an id twice":        func(inq *Inquiry) { inq.MessageID = "other@example.org" },
		"a Message-ID twice": func(inq *Inquiry) { inq.ID = "inq_other" },
		"a state of its own": func(inq *Inquiry) { inq.ID, inq.MessageID, inq.State = "inq_x", "x@example.org", "lost" },
	} {
		t.Run(name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, at Options) {
				store := openAt(t, at)
				fill(t, store, 1)
				inq := sample(0)
				change(&inq)
				if err := store.AddInquiry(t.Context(), inq); err == nil {
					t.Error("it is stored")
				}
				if diff := cmp.Diff([]string{"inq_0"}, ids(t, store, InquiryQuery{})); diff != "" {
					t.Errorf("stored after the refusal (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestNewInquiryID(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^inq_[a-z2-7]{26}$`)
	if a, b := NewInquiryID(), NewInquiryID(); a == b || !form.MatchString(a) {
		t.Errorf("ids %q and %q, want two of the form %v", a, b, form)
	}
}

func TestInquiryJSON(t *testing.T) {
	t.Parallel()
	inq := sample(0)
	inq.Phone, inq.Segment = "", ""
	got, err := json.Marshal(inq)
	must(t, err)
	want := `{"id":"inq_0","message_id":"inq_0@example.org","name":"Ada","business":"Ada's 'Café'",` +
		`"email":"ada@example.com","message":"two\nlines; DROP TABLE inquiries","subject":"Pilot request",` +
		`"text":"text 🙂","from":"desk@example.org","to":"owner@example.org","state":"pending",` +
		`"created_at":"2026-11-21T09:00:00.123456Z"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFeedback(t *testing.T) { eachDatabase(t, testFeedback) }

func testFeedback(t *testing.T, at Options) {
	store := openAt(t, at)
	older := Feedback{ID: "fbk_older", Helpful: true, EntryID: "refunds", CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	newer := Feedback{ID: "fbk_newer", Q: "why?", Comment: "no 'idea'", CreatedAt: older.CreatedAt.Add(time.Second)}
	for _, f := range []Feedback{older, newer} {
		must(t, store.addFeedback(t.Context(), f))
	}
	if diff := cmp.Diff([]Feedback{newer, older}, feedbackOf(t, store)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
