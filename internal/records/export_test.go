package records

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

// stock stores two records of each kind: of the first second of the samples, and of two days later.
func stock(t *testing.T, store *Store) {
	t.Helper()
	first := sample(0).CreatedAt
	later := first.Add(48 * time.Hour)
	inquiry, settled := sample(1), in(Failed, 0)
	inquiry.CreatedAt, inquiry.Phone, inquiry.Segment = later, "", ""
	settled.Detail = "550 <no>"
	add(t, store, sample(0))
	add(t, store, inquiry)
	for i, at := range []time.Time{first, later} {
		addWorkspace(t, store, Workspace{
			ID: fmt.Sprint("wsp_", i), State: contract.StateDraft, Business: "B", Email: "b@example.com", CreatedAt: at,
		})
	}
	addAll(t, store, Batch{
		Feedback: []Feedback{
			{ID: "fbk_0", Helpful: true, EntryID: "hours", CreatedAt: first},
			{ID: "fbk_1", Q: "a < b", Comment: "\u2028", CreatedAt: later},
		},
		Questions: []Question{
			{Key: "a", Q: "A?", Unanswered: 1, LastAt: first},
			{Key: "b", Q: "B?", Unanswered: 1, LastAt: first},
		},
		Answers: []Answered{
			{Key: "when", Q: "When?", EntryID: "hours", Match: contract.MatchExact, Confidence: 1, Asked: 2, LastAt: first},
		},
	})
	addAll(t, store, Batch{
		Questions: []Question{{Key: "b", Q: "b", Unhelpful: 1, EntryID: "hours", LastAt: later}},
		Answers: []Answered{{
			Key: "how much", Q: "How much?", EntryID: "price", Match: contract.MatchSelector, Confidence: 0.96875,
			Asked: 1, LastAt: later,
		}},
	})
	expect.Value(store.ActOnQuestions(t.Context(), Accept, "a"))(t)
	expect.OK(t,
		store.SettleInquiry(t.Context(), settled),
		store.AddNotifications(t.Context(), []Notification{
			{
				ID: "ntf_0", Target: "webhook", Kind: "inquiry.created", Subject: "inq_0", Data: `{"n":1}`,
				Due: first, CreatedAt: first,
			},
			{ID: "ntf_1", Target: "ntfy", Kind: "inquiry.created", Subject: "inq_1", Due: later, CreatedAt: later},
		}),
		store.AddDayTotals(t.Context(), first.Unix()/secondsOfDay, map[string]int{"answered": 3}),
		store.AddDayTotals(t.Context(), later.Unix()/secondsOfDay, map[string]int{"answered": 1}))
	for _, c := range []Change{
		{Source: ByPage, Summary: "“When?”: answer", Diff: "-a\n+<b>\n", From: "r0", To: "r1", At: first},
		{Source: ByFile, Summary: "Edited: faq.yaml", From: "r1", To: "r0", Undoes: 1, At: later},
	} {
		expect.Value(store.AddChange(t.Context(), c, c.At))(t)
	}
	for _, at := range []time.Time{first, later, later} {
		expect.Value(store.AddModelCall(t.Context(), at.Unix()/86400, "", 10))(t)
	}
}

func file(n int, records string) string {
	return fmt.Sprintf("%s%s{\"type\":\"end\",\"records\":%d}\n", head, records, n)
}

const head = `{"type":"export","version":2}` + "\n"

// SETTLED in testdata/export.jsonl is the time of the test's settling.
func (at Options) TestExport(t *testing.T) {
	store := openAt(t, at)
	stock(t, store)
	settled := expect.Value(store.Inquiries(t.Context(), InquiryQuery{View: UndeliveredInquiries}))(t)
	text := expect.File(t, "testdata/export.jsonl")
	lines := strings.TrimSpace(strings.ReplaceAll(text, "SETTLED", settled[0].SettledAt.Format(time.RFC3339Nano)))
	expect.Same(t, "export", file(1+strings.Count(lines, "\n"), lines+"\n"), export(t, store))
}

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

// Meanwhile others write and the write-ahead log can be emptied. What was stored before is in it once.
func (at Options) TestExportPauses(t *testing.T) {
	const stored = 2*exportPage + 1
	store, other := openAt(t, at), openAt(t, at)
	fill(t, store, stored)
	feedback := make([]Feedback, stored) // one has a time
	feedback[0].CreatedAt = time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)
	for some := range slices.Chunk(feedback, 50) {
		addAll(t, store, Batch{Feedback: some})
	}
	out := &midway{}
	out.do = func() {
		addWorkspace(t, other, draft(3))
		if at.URL != "" {
			return
		}
		var busy, frames, moved int
		expect.OK(t, other.db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved))
		expect.Same(t, "busy", 0, busy)
	}
	expect.OK(t, store.Export(t.Context(), out))
	got := map[string]int{}
	for line := range strings.Lines(out.String()) {
		record := expect.JSON[struct{ Type, ID string }](t, []byte(line))
		if record.Type == "feedback" && got[record.Type+" "+record.ID] == 0 {
			got[record.Type]++
		}
		got[record.Type+" "+record.ID]++
	}
	expect.Same(t, "feedback", stored, got["feedback"])
	for n := range stored {
		expect.Same(t, fmt.Sprint("inquiry ", n), 1, got["inquiry "+sample(n).ID])
	}
}

// A copy has the same export, and a second import adds nothing. Equal requests join what is still tried.
func TestMove(t *testing.T) {
	t.Parallel()
	for from, original := range databases {
		for to, target := range databases {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				source, copied := openAt(t, original(t)), openAt(t, target(t))
				stock(t, source)
				add(t, source, sample(2))
				add(t, source, sample(3)) // the first of equal ones is joined
				want := export(t, source)
				records := strings.Count(want, "\n") - 2
				for i, expected := range []Imported{{Added: records}, {Present: records}} {
					got := expect.Value(copied.Import(t.Context(), strings.NewReader(want)))(t)
					expect.Same(t, fmt.Sprint("import ", i+1), expected, got)
				}
				expect.Same(t, "export of the copy", want, export(t, copied))
				equal := sample(4)
				equal.Equal = equal.Fingerprint()
				expect.Same(t, "an equal request joins",
					"inq_2", expect.Value(copied.AddInquiry(t.Context(), equal, Key{}))(t).ID)
				// Numbers of new questions follow those that came.
				expect.OK(t, copied.addQuestion(t.Context(), Question{Key: "new", Q: "New?", LastAt: time.UnixMicro(1)}))
				questions := questionsOf(t, copied)
				expect.Same(t, fmt.Sprint("questions = ", questions), 3, questions[len(questions)-1].Number)
			})
		}
	}
}

// notMoved are the tables whose rows an export leaves out, and why.
var notMoved = map[string]string{
	"schema_versions": "belongs to the database itself",
	"write_checks":    "is overwritten every second",
	"inquiry_keys":    "lasts a day",
	"workspace_keys":  "lasts a day",
	"owner_keys":      "the owner signs in again",
}

// Leases, and what equal requests join, stay behind.
func (at Options) TestEveryColumnMoves(t *testing.T) {
	tables, other := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`, "sqlite"
	if at.URL != "" {
		tables, other = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`, "postgres"
	}
	source, copied := openAt(t, at), openAt(t, databases[other](t))
	values := map[string]string{"inquiries.id": "'inq'", "tries.inquiry_id": "'inq'", "inquiries.state": "'failed'",
		"notifications.state": "'failed'", "workspaces.state": "'draft'", "changes.source": "'page'",
		"feedback.helpful": "true", "questions.accepted": "true", "questions.dismissed": "true",
		"answered.dismissed": "true"} // the other columns have the number of their place
	var columns [][2]string
	for _, table := range textsOf(t, source.db, tables+` ORDER BY 1`) {
		if notMoved[table] != "" {
			continue
		}
		rows := expect.Value(source.db.Query(`SELECT * FROM ` + table))(t)
		names := expect.Value(rows.Columns())(t)
		expect.OK(t, rows.Close())
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = cmp.Or(values[table+"."+name], fmt.Sprint(i+1))
			if name != "equal_to" && !strings.HasPrefix(name, "lease_") || table == "tries" {
				columns = append(columns, [2]string{table, name})
			}
		}
		expect.Value(source.db.Exec(`INSERT INTO ` + table + ` VALUES (` + strings.Join(row, ", ") + `)`))(t)
	}
	expect.Value(copied.Import(t.Context(), strings.NewReader(export(t, source))))(t)
	for _, c := range columns {
		read := `SELECT CAST(` + c[1] + ` AS TEXT) FROM ` + c[0]
		expect.Same(t, c[0]+"."+c[1], textsOf(t, source.db, read), textsOf(t, copied.db, read))
	}
}

func export(t *testing.T, s *Store) string {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, s.Export(t.Context(), &out))
	return out.String()
}

// An import keeps what is there, and gives a question another number when its own is taken.
func (at Options) TestImportBesideOthers(t *testing.T) {
	store := openAt(t, at)
	expect.OK(t, store.addQuestion(t.Context(), Question{Key: "mine", Q: "Mine?", LastAt: time.UnixMicro(1)}))
	text := file(1, `{"type":"question","number":1,"q":"Theirs?","unanswered":2,"unhelpful":0,"key":"theirs",`+
		`"first_at":"2026-11-21T09:00:00Z","last_at":"2026-11-21T09:00:00Z"}`+"\n")
	expect.Same(t, "Import", Imported{Added: 1}, expect.Value(store.Import(t.Context(), strings.NewReader(text)))(t))
	questions := questionsOf(t, store)
	if len(questions) != 2 || questions[0].Key != "mine" || questions[1].Key != "theirs" || questions[1].Number != 2 {
		t.Errorf("questions = %+v", questions)
	}
}

func (at Options) TestImportRefuses(t *testing.T) {
	const good = `{"type":"workspace","id":"wsp_1","state":"draft","business":"B","email":"b@example.com",` +
		`"created_at":"2026-11-21T09:00:00Z"}` + "\n"
	store := openAt(t, at)
	for _, row := range [][2]string{
		{"", "the file is empty"},
		{good, "line 1: is not the first line of an export"},
		{`{"type":"export","version":1}`, "line 1: the export has version 1"},
		{head + good, "cut off after line 2"},
		{file(2, good), "line 3: the export had 2 records, and the file has 1"},
		{file(0, "") + good, "line 3: follows the last line"},
		{head + good + "{", "line 3: "},
		{head + good + `{"type":"secret"}`, `line 3: "secret" is no type of record`},
		{head + good + `{"type":"workspace","id":"x","colour":"red"}`, "line 3: "},
		{head + good + `{"type":"inquiry","name":"Ada"}`, "line 3: the record has no id"},
		{head + strings.Replace(good, "draft", "live", 1), "line 2: "},
		{head + good + `{"type":"day_total","day":"today","name":"x","count":1}`, "line 3: "},
	} {
		expect.Says(t, row[0], expect.ErrorOf(store.Import(t.Context(), strings.NewReader(row[0]))), row[1])
	}
	expect.Same(t, "a refused import has added", 0, len(expect.Value(store.Workspaces(t.Context()))(t)))
}
