package records

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/internal/expect"
)

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
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), sample(i), Key{})))
	}
}

func ids(t *testing.T, store *Store, query InquiryQuery) []string {
	t.Helper()
	inquiries := expect.Value(store.Inquiries(t.Context(), query))(t)
	ids := []string{}
	for _, inq := range inquiries {
		ids = append(ids, inq.ID)
	}
	return ids
}

func (at Options) TestAddInquiryRefuses(t *testing.T) {
	store := openAt(t, at)
	fill(t, store, 1)
	for name, change := range map[string]func(*Inquiry){
		"an id twice":        func(inq *Inquiry) { inq.MessageID = "other@example.org" },
		"a Message-ID twice": func(inq *Inquiry) { inq.ID = "inq_other" },
		"a state of its own": func(inq *Inquiry) { inq.ID, inq.MessageID, inq.State = "inq_x", "x@example.org", "lost" },
	} {
		inq := sample(0)
		change(&inq)
		if err := expect.ErrorOf(store.AddInquiry(t.Context(), inq, Key{})); err == nil {
			t.Errorf("%s is stored", name)
		}
	}
	expect.Same(t, "stored after the refusals", []string{"inq_0"}, ids(t, store, InquiryQuery{}))
}

func (at Options) TestInquiryViews(t *testing.T) {
	store := openAt(t, at)
	for n, state := range []State{Sent, Failed, Unknown, Quarantined, Pending, Sent} {
		inquiry := sample(n)
		inquiry.State = state
		if n == 5 {
			inquiry.Business, inquiry.Message = "Bäckerei ÜBER", `50% off \ a_b`
		}
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, Key{})))
	}
	done := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	answered := done.Add(-time.Hour)
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_0", answered, done))
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_2", answered, time.Time{}))
	expect.OK(t, store.NoteInquiry(t.Context(), "inq_4", "rings back on\x00 Friday"))
	for _, tt := range []struct {
		query InquiryQuery
		want  string
		total int
	}{
		{InquiryQuery{View: NewInquiries}, "5 4 1", 3},
		{InquiryQuery{View: AnsweredInquiries}, "2", 1},
		{InquiryQuery{View: AllInquiries, Text: "friday"}, "4", 1},
		{InquiryQuery{View: UndeliveredInquiries}, "2 1", 2},
		{InquiryQuery{View: QuarantinedInquiries}, "3", 1},
		{InquiryQuery{View: DoneInquiries}, "0", 1},
		{InquiryQuery{View: AllInquiries}, "5 4 3 2 1 0", 6},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 1}}, "4 3", 6},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 9}}, "", 6},
		{InquiryQuery{States: []State{Failed, Quarantined}, Text: "inq"}, "3 1", 2},
		{InquiryQuery{Since: sample(1).CreatedAt, Before: sample(3).CreatedAt}, "2 1", 2},
		{InquiryQuery{View: AllInquiries, Text: "inq_3"}, "3", 1},
		{InquiryQuery{View: AllInquiries, Text: " bäckerei "}, "5", 1},
		{InquiryQuery{View: AllInquiries, Text: "ÜBER"}, "5", 1},
		{InquiryQuery{View: AllInquiries, Text: "0%"}, "5", 1},
		{InquiryQuery{View: AllInquiries, Text: "a_b"}, "5", 1},
		{InquiryQuery{View: AllInquiries, Text: `\`}, "5", 1},
		{InquiryQuery{View: AllInquiries, Text: "ADA@EXAMPLE"}, "5 4 3 2 1 0", 6},
		{InquiryQuery{View: AllInquiries, Text: "zebra\x00"}, "", 0},
		{InquiryQuery{View: NewInquiries, Text: "' OR 1=1 --"}, "", 0},
	} {
		got := strings.ReplaceAll(strings.Join(ids(t, store, tt.query), " "), "inq_", "")
		if counts, err := store.CountInquiries(t.Context(), tt.query); err != nil || got != tt.want || counts[AllInquiries] != tt.total {
			t.Errorf("%+v: %q of %d, %v; want %q of %d", tt.query, got, counts[AllInquiries], err, tt.want, tt.total)
		}
	}
	counts, err := store.CountInquiries(t.Context(), InquiryQuery{})
	want := map[InquiryView]int{NewInquiries: 3, AnsweredInquiries: 1, UndeliveredInquiries: 2, QuarantinedInquiries: 1, DoneInquiries: 1, AllInquiries: 6}
	if diff := cmp.Diff(want, counts); diff != "" || err != nil {
		t.Errorf("counts (-want +got), %v:\n%s", err, diff)
	}
	if inquiry, err := store.Inquiry(t.Context(), "inq_0"); err != nil || !inquiry.DoneAt.Equal(done) || !inquiry.AnsweredAt.Equal(answered) {
		t.Errorf("answered at %v, done at %v, %v", inquiry.AnsweredAt, inquiry.DoneAt, err)
	}
	expect.OK(t, store.MarkInquiry(t.Context(), "inq_0", time.Time{}, time.Time{}))
	if inquiry, err := store.Inquiry(t.Context(), "inq_0"); err != nil || !inquiry.DoneAt.IsZero() || !inquiry.AnsweredAt.IsZero() {
		t.Errorf("new again, and answered at %v, done at %v, %v", inquiry.AnsweredAt, inquiry.DoneAt, err)
	}
	if inquiry, err := store.Inquiry(t.Context(), "inq_4"); err != nil || inquiry.Note != "rings back on\uFFFD Friday" {
		t.Errorf("note %q, %v", inquiry.Note, err)
	}
	expect.Error(t, "no such inquiry", store.MarkInquiry(t.Context(), "inq_9", answered, done), ErrNotFound)
	expect.Error(t, "no such inquiry to note on", store.NoteInquiry(t.Context(), "inq_9", "x"), ErrNotFound)
	unsent, err := store.UnsentInquiries(t.Context())
	if diff := cmp.Diff(map[State]int{Failed: 1, Unknown: 1, Quarantined: 1, Pending: 1}, unsent); diff != "" || err != nil {
		t.Errorf("by state (-want +got), %v:\n%s", err, diff)
	}
	if _, err := store.Inquiries(t.Context(), InquiryQuery{View: "1=1"}); err == nil {
		t.Error("a view that does not exist is found")
	}
}
