package records

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOwnerKeys(t *testing.T) { eachDatabase(t, testOwnerKeys) }

func testOwnerKeys(t *testing.T, at Options) {
	store := openAt(t, at)
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	has := func(kind OwnerKeyKind, hash string, at time.Time, want bool) {
		t.Helper()
		if got, err := store.HasOwnerKey(t.Context(), kind, hash, at); err != nil || got != want {
			t.Errorf("%s %s at %v: %v, %v; want %v", kind, hash, at, got, err, want)
		}
	}
	for _, err := range []error{
		store.AddOwnerKey(t.Context(), SignInLink, "a", now.Add(time.Minute)),
		store.AddOwnerKey(t.Context(), OwnerSession, "b", now.Add(time.Hour)),
	} {
		must(t, err)
	}
	has(SignInLink, "a", now, true)
	has(OwnerSession, "a", now, false)
	has(SignInLink, "a", now.Add(time.Minute), false)
	has(SignInLink, "c", now, false)

	// Of several browsers that use a link at once one is signed in.
	var signedIn atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if used, err := store.UseOwnerKey(t.Context(), SignInLink, "a", now); err != nil {
				t.Error(err)
			} else if used {
				signedIn.Add(1)
			}
		})
	}
	group.Wait()
	if n := signedIn.Load(); n != 1 {
		t.Errorf("a link was used %d times", n)
	}
	if used, err := store.UseOwnerKey(t.Context(), OwnerSession, "b", now.Add(time.Hour)); used || err != nil {
		t.Errorf("a key that has expired: %v, %v", used, err)
	}
	has(OwnerSession, "b", now, true)
	if _, err := store.Prune(t.Context(), Retention{}, now); err != nil {
		t.Fatal(err)
	}
	has(OwnerSession, "b", now, true)
	if _, err := store.Prune(t.Context(), Retention{}, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	has(OwnerSession, "b", now, false)
}

func TestInquiryViews(t *testing.T) { eachDatabase(t, testInquiryViews) }

func testInquiryViews(t *testing.T, at Options) {
	store := openAt(t, at)
	for n, state := range []State{Sent, Failed, Unknown, Quarantined, Pending, Sent} {
		inquiry := sample(n)
		inquiry.State = state
		if n == 5 {
			inquiry.Business, inquiry.Message = "Bäckerei ÜBER", `50% off \ a_b`
		}
		must(t, store.AddInquiry(t.Context(), inquiry))
	}
	done := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	must(t, store.MarkInquiry(t.Context(), "inq_0", done))
	for _, tt := range []struct {
		query InquiryQuery
		want  string
		total int
	}{
		{InquiryQuery{View: OpenInquiries}, "5 4 2 1", 4},
		{InquiryQuery{View: UndeliveredInquiries}, "2 1", 2},
		{InquiryQuery{View: QuarantinedInquiries}, "3", 1},
		{InquiryQuery{View: DoneInquiries}, "0", 1},
		{InquiryQuery{View: AllInquiries}, "5 4 3 2 1 0", 6},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 1}}, "4 3", 6},
		{InquiryQuery{Page: Page{Limit: 2, Offset: 9}}, "", 6},
		{InquiryQuery{View: UnsentInquiries}, "4 3 2 1", 4},
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
		{InquiryQuery{View: OpenInquiries, Text: "' OR 1=1 --"}, "", 0},
	} {
		got := strings.ReplaceAll(strings.Join(ids(t, store, tt.query), " "), "inq_", "")
		if counts, err := store.CountInquiries(t.Context(), tt.query); err != nil || got != tt.want || counts.Total() != tt.total {
			t.Errorf("%+v: %q of %d, %v; want %q of %d", tt.query, got, counts.Total(), err, tt.want, tt.total)
		}
	}
	counts, err := store.CountInquiries(t.Context(), InquiryQuery{})
	want := map[InquiryView]int{OpenInquiries: 4, UndeliveredInquiries: 2, QuarantinedInquiries: 1, DoneInquiries: 1, AllInquiries: 6}
	if diff := cmp.Diff(want, counts.ByView()); diff != "" || err != nil {
		t.Errorf("counts (-want +got), %v:\n%s", err, diff)
	}
	if inquiry, err := store.Inquiry(t.Context(), "inq_0"); err != nil || !inquiry.DoneAt.Equal(done) {
		t.Errorf("done at %v, %v", inquiry.DoneAt, err)
	}
	must(t, store.MarkInquiry(t.Context(), "inq_0", time.Time{}))
	if inquiry, err := store.Inquiry(t.Context(), "inq_0"); err != nil || !inquiry.DoneAt.IsZero() {
		t.Errorf("open again, and done at %v, %v", inquiry.DoneAt, err)
	}
	if err := store.MarkInquiry(t.Context(), "inq_9", done); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such inquiry: %v", err)
	}
	unsent, err := store.CountInquiries(t.Context(), InquiryQuery{View: UnsentInquiries})
	if diff := cmp.Diff(map[State]int{Failed: 1, Unknown: 1, Quarantined: 1, Pending: 1}, unsent.ByState()); diff != "" || err != nil {
		t.Errorf("by state (-want +got), %v:\n%s", err, diff)
	}
	if _, err := store.Inquiries(t.Context(), InquiryQuery{View: "1=1"}); err == nil {
		t.Error("a view that does not exist is found")
	}
}

func TestDayTotals(t *testing.T) { eachDatabase(t, testDayTotals) }

func testDayTotals(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 3) // on one day
	day := sample(0).CreatedAt.Unix() / secondsOfDay
	for range 2 {
		must(t, store.AddDayTotals(t.Context(), day, map[string]int{"answered": 2, "refused": 1}))
	}
	must(t, store.AddDayTotals(t.Context(), day-500, map[string]int{"answered": 9}))
	got, err := store.DayTotals(t.Context(), day)
	want := map[int64]map[string]int{day: {"answered": 4, "refused": 2, InquiriesOfDay: 3}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("totals (-want +got), %v:\n%s", err, diff)
	}
	if got, err := store.DayTotals(t.Context(), day+1); err != nil || len(got) != 0 {
		t.Errorf("the next day: %v, %v", got, err)
	}
	must(t, store.pruneCounts(t.Context(), sample(0).CreatedAt))
	if got, err := store.DayTotals(t.Context(), 0); err != nil || len(got) != 1 {
		t.Errorf("after the pruning: %v, %v; want one day", got, err)
	}
}

// TestDoneIsExported: a move to another database keeps what is done.
func TestDoneIsExported(t *testing.T) {
	t.Parallel()
	from, to := openAt(t, Options{Dir: t.TempDir()}), openAt(t, Options{Dir: t.TempDir()})
	inquiry := sample(1)
	inquiry.State, inquiry.DoneAt = Sent, sample(2).CreatedAt
	must(t, from.AddInquiry(t.Context(), inquiry))
	var exported strings.Builder
	must(t, from.Export(t.Context(), &exported, time.Time{}))
	if _, err := to.Import(t.Context(), strings.NewReader(exported.String())); err != nil {
		t.Fatal(err)
	}
	if got, err := to.Inquiry(t.Context(), inquiry.ID); err != nil || !got.DoneAt.Equal(inquiry.DoneAt) {
		t.Errorf("done at %v, %v", got.DoneAt, err)
	}
}

func BenchmarkFindInquiries(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		store := openAt(b, at(b))
		for n := range 1000 {
			inquiry := sample(n)
			inquiry.Message = strings.Repeat(fmt.Sprint("message ", n, " "), 50)
			must(b, store.AddInquiry(b.Context(), inquiry))
		}
		for b.Loop() {
			if _, err := store.Inquiries(b.Context(), InquiryQuery{View: OpenInquiries, Text: "message 999", Page: Page{Limit: 25}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
