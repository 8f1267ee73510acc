package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"frontdesk/contract"
)

// stock stores two records of each kind: one of the first second of the samples, one
// of the second day after.
func stock(t *testing.T, store *Store) {
	t.Helper()
	first := sample(0).CreatedAt
	later := first.Add(48 * time.Hour)
	inquiry, settled := sample(1), sample(0)
	inquiry.CreatedAt = later
	settled.State, settled.Detail = Failed, "550 <no>"
	errs := []error{
		store.AddInquiry(t.Context(), sample(0)), store.AddInquiry(t.Context(), inquiry),
		store.SettleInquiry(t.Context(), settled),
		store.addFeedback(t.Context(), Feedback{ID: "fbk_0", Helpful: true, EntryID: "hours", CreatedAt: first}),
		store.addFeedback(t.Context(), Feedback{ID: "fbk_1", Q: "a < b", Comment: "\u2028", CreatedAt: later}),
		store.addQuestion(t.Context(), Asked{Key: "a", Q: "A?", At: first}),
		store.addQuestion(t.Context(), Asked{Key: "b", Q: "B?", At: first}),
		store.addQuestion(t.Context(), Asked{Key: "b", Q: "b", Unhelpful: 1, EntryID: "hours", At: later}),
		store.AcceptQuestions(t.Context(), 1),
		store.addAnswer(t.Context(), Answer{Key: "when", Q: "When?", EntryID: "hours", Match: contract.MatchExact, Sureness: 1, Asked: 2, At: first}),
		store.addAnswer(t.Context(), Answer{Key: "how much", Q: "How much?", EntryID: "price", Match: contract.MatchSelector, Sureness: 0.96875, Asked: 1, At: later}),
		store.AddWorkspace(t.Context(), Workspace{ID: "wsp_0", State: contract.StateDraft, Business: "B", Email: "b@example.com", CreatedAt: first}),
		store.AddWorkspace(t.Context(), Workspace{ID: "wsp_1", State: contract.StateDraft, Business: "B", Email: "b@example.com", CreatedAt: later}),
	}
	_, err := store.AddNotifications(t.Context(), []Notification{
		{ID: "ntf_0", Target: "webhook", Kind: "inquiry.created", Subject: "inq_0", Data: `{"n":1}`, Due: first, CreatedAt: first},
		{ID: "ntf_1", Target: "ntfy", Kind: "inquiry.created", Subject: "inq_1", Due: later, CreatedAt: later},
	})
	errs = append(errs, err,
		store.AddDayTotals(t.Context(), first.Unix()/secondsOfDay, map[string]int{"answered": 3}),
		store.AddDayTotals(t.Context(), later.Unix()/secondsOfDay, map[string]int{"answered": 1}))
	for _, at := range []time.Time{first, later, later} {
		_, err := store.AddModelCall(t.Context(), at.Unix()/86400, 10)
		errs = append(errs, err)
	}
	must(t, errors.Join(errs...))
}

// TestExport reads every record in its order, from both databases the same bytes.
func TestExport(t *testing.T) { eachDatabase(t, testExport) }

func testExport(t *testing.T, at Options) {
	store := openAt(t, at)
	stock(t, store)
	settled, err := store.Inquiries(t.Context(), InquiryQuery{States: []State{Failed}})
	must(t, err)
	const (
		inquiry = `,"name":"Ada","business":"Ada's 'Café'","email":"ada@example.com","message":"two\nlines; DROP TABLE inquiries",` +
			`"phone":"123","segment":"retail","subject":"Pilot request","text":"text 🙂","from":"desk@example.org","to":"owner@example.org"`
		workspace = `,"state":"draft","business":"B","email":"b@example.com"`
	)
	first := []string{
		`{"type":"inquiry","id":"inq_0","message_id":"inq_0@example.org"` + inquiry + `,"state":"failed","detail":"550 <no>",` +
			`"created_at":"2026-11-21T09:00:00.123456Z","settled_at":"` + settled[0].SettledAt.Format(time.RFC3339Nano) + `"}`,
		`{"type":"try","inquiry_id":"inq_0","started_at":"2026-11-21T09:00:00.123456Z","ended_at":"` + settled[0].SettledAt.Format(time.RFC3339Nano) +
			`","state":"failed","detail":"550 <no>","lease":"first"}`,
		`{"type":"feedback","id":"fbk_0","helpful":true,"entry_id":"hours","created_at":"2026-11-21T09:00:00.123456Z"}`,
		`{"type":"question","number":1,"q":"A?","unanswered":1,"unhelpful":0,"accepted":true,"first_at":"2026-11-21T09:00:00.123456Z","last_at":"2026-11-21T09:00:00.123456Z","key":"a"}`,
		`{"type":"answered","number":1,"q":"When?","entry_id":"hours","match":"exact","sureness":1,"asked":2,"helpful":0,"unhelpful":0,"first_at":"2026-11-21T09:00:00.123456Z","last_at":"2026-11-21T09:00:00.123456Z","key":"when"}`,
		`{"type":"workspace","id":"wsp_0"` + workspace + `,"created_at":"2026-11-21T09:00:00.123456Z"}`,
		`{"type":"model_calls","day":"2026-11-21","calls":1}`,
		`{"type":"notification","id":"ntf_0","target":"webhook","kind":"inquiry.created","subject":"inq_0","data":"{\"n\":1}","state":"pending","tries":0,"due_at":"2026-11-21T09:00:00.123456Z","created_at":"2026-11-21T09:00:00.123456Z"}`,
		`{"type":"day_total","day":"2026-11-21","name":"answered","count":3}`,
	}
	later := []string{
		`{"type":"inquiry","id":"inq_1","message_id":"inq_1@example.org"` + inquiry + `,"state":"pending","created_at":"2026-11-23T09:00:00.123456Z"}`,
		`{"type":"try","inquiry_id":"inq_1","started_at":"2026-11-23T09:00:00.123456Z","state":"pending","lease":"first"}`,
		`{"type":"feedback","id":"fbk_1","helpful":false,"q":"a < b","comment":"\u2028","created_at":"2026-11-23T09:00:00.123456Z"}`,
		`{"type":"question","number":2,"q":"B?","unanswered":1,"unhelpful":1,"entry_id":"hours","first_at":"2026-11-21T09:00:00.123456Z","last_at":"2026-11-23T09:00:00.123456Z","key":"b"}`,
		`{"type":"answered","number":2,"q":"How much?","entry_id":"price","match":"selector","sureness":0.96875,"asked":1,"helpful":0,"unhelpful":0,"first_at":"2026-11-23T09:00:00.123456Z","last_at":"2026-11-23T09:00:00.123456Z","key":"how much"}`,
		`{"type":"workspace","id":"wsp_1"` + workspace + `,"created_at":"2026-11-23T09:00:00.123456Z"}`,
		`{"type":"model_calls","day":"2026-11-23","calls":2}`,
		`{"type":"notification","id":"ntf_1","target":"ntfy","kind":"inquiry.created","subject":"inq_1","state":"pending","tries":0,"due_at":"2026-11-23T09:00:00.123456Z","created_at":"2026-11-23T09:00:00.123456Z"}`,
		`{"type":"day_total","day":"2026-11-23","name":"answered","count":1}`,
	}
	var all []string
	for i := range first {
		all = append(all, first[i], later[i])
	}
	for name, test := range map[string]struct {
		since time.Time
		want  []string
	}{
		"everything":              {time.Time{}, all},
		"since the very moment":   {time.Date(2026, 11, 23, 9, 0, 0, 123456000, time.UTC), later},
		"since a moment after it": {time.Date(2026, 11, 23, 9, 0, 0, 123457000, time.UTC), []string{later[6], later[8]}}, // the day is not over
		"since the next day":      {time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), nil},
	} {
		var out bytes.Buffer
		must(t, store.Export(t.Context(), &out, test.since))
		want := strings.Join(append([]string{`{"type":"export","version":1}`}, test.want...), "\n")
		if diff := cmp.Diff(want, strings.TrimSuffix(out.String(), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// midway is a writer that does something while an export is under way.
type midway struct {
	bytes.Buffer
	do func()
}

func (m *midway) Write(p []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.Buffer.Write(p)
}

// TestExportPauses stops reading an export in its middle: others write meanwhile, the
// write-ahead log can be emptied, and everything that was stored before is in it once.
func TestExportPauses(t *testing.T) { eachDatabase(t, testExportPauses) }

func testExportPauses(t *testing.T, at Options) {
	const stored = 2*exportPage + 1
	store, other := openAt(t, at), openAt(t, at)
	fill(t, store, stored)
	out := &midway{}
	out.do = func() {
		if err := other.AddWorkspace(t.Context(), draft(3)); err != nil {
			t.Error(err)
		}
		if at.URL != "" {
			return
		}
		var busy, frames, moved int
		err := other.db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
		if err != nil || busy != 0 {
			t.Errorf("the write-ahead log cannot be emptied while the export pauses: busy %d, %v", busy, err)
		}
	}
	must(t, store.Export(t.Context(), out, time.Time{}))
	got := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var record struct{ Type, ID string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		got[record.Type+" "+record.ID]++
	}
	for n := range stored {
		if got["inquiry "+sample(n).ID] != 1 {
			t.Errorf("inquiry %d is in the export %d times", n, got["inquiry "+sample(n).ID])
		}
	}
}

// TestExportReaderGone ends an export whose reader has gone, and keeps the store usable.
func TestExportReaderGone(t *testing.T) { eachDatabase(t, testExportReaderGone) }

func testExportReaderGone(t *testing.T, at Options) {
	store := openAt(t, at)
	fill(t, store, 3)
	reader, writer := io.Pipe()
	gone := errors.New("gone")
	must(t, reader.CloseWithError(gone))
	if err := store.Export(t.Context(), writer, time.Time{}); !errors.Is(err, gone) {
		t.Errorf("error = %v, want the writer's", err)
	}
	if err := store.AddInquiry(t.Context(), sample(3)); err != nil {
		t.Error(err)
	}
}

// BenchmarkExport is an export of a thousand inquiries.
func BenchmarkExport(b *testing.B) {
	eachBenchmark(b, func(b *testing.B, at func(testing.TB) Options) {
		store := openAt(b, at(b))
		for n := range 1000 {
			must(b, store.AddInquiry(b.Context(), sample(n)))
		}
		for b.Loop() {
			must(b, store.Export(b.Context(), io.Discard, time.Time{}))
		}
	})
}
