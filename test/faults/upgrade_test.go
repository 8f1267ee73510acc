package faults

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// The program starts on what released versions left when they were killed (testdata/upgrade/VERSION): every record, key
// and count is there, open mails are sent once, and an older version refuses the database afterwards. Without a
// released version, or with FRONTDESK_RECORD_UPGRADE, the program under test makes the fixture.
func TestUpgrade(t *testing.T) {
	versions := expect.Value(filepath.Glob("testdata/upgrade/*"))(t)
	into := os.Getenv("FRONTDESK_RECORD_UPGRADE")
	isRecorded := into == "" && len(versions) > 0
	if !isRecorded {
		versions = []string{cmp.Or(into, t.TempDir())}
	}
	for _, version := range versions {
		for database, fixture := range map[string]struct {
			record func(*testing.T, string)
			open   func(*testing.T, string) (setup, *sql.DB)
		}{"sqlite": {recordSQLite, sqliteFixture}, "postgres": {recordPostgres, postgresFixture}} {
			t.Run(filepath.Base(version)+" "+database, func(t *testing.T) {
				t.Parallel()
				folder := filepath.Join(version, database)
				if !isRecorded {
					fixture.record(t, folder)
				}
				facts := expect.JSON[upgradeFacts](t, expect.Value(os.ReadFile(filepath.Join(folder, "facts.json")))(t))
				restoreBackup(t, filepath.Join(folder, "backup.tar.gz"), facts)
				s, db := fixture.open(t, folder)
				postpone(t, db, s, time.Since(facts.Recorded)-10*time.Minute) // a retry is due by then
				facts.check(t, s, db, expect.File(t, filepath.Join(folder, "export.jsonl")))
			})
		}
	}
}

func sqliteFixture(t *testing.T, folder string) (setup, *sql.DB) {
	t.Helper()
	s := setup{dir: t.TempDir()}
	execute(t, "tar", "-xzf", filepath.Join(folder, "data.tar.gz"), "-C", s.dir)
	db := expect.Value(sql.Open("sqlite", filepath.Join(s.dir, records.FileName)))(t)
	t.Cleanup(func() { _ = db.Close() })
	return s.withContent(), db
}

func postgresFixture(t *testing.T, folder string) (setup, *sql.DB) {
	t.Helper()
	d := newDatabase(t)
	execute(t, postgresProgram(t, "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", d.URL,
		"--file", filepath.Join(folder, "postgres.sql"))
	return setup{dir: t.TempDir(), database: d.URL}, d.session
}

func restoreBackup(t *testing.T, backup string, facts upgradeFacts) {
	t.Helper()
	s := setup{dir: t.TempDir(), environ: []string{"FRONTDESK_RETENTION=9999d"}}.withContent() // the backup is old
	s.run(t, "restore", backup)
	s.run(t, "check")
	p := s.start(t)
	wantStatus(t, newCaller(t, p.url).send("GET", contract.PathCatalog, ""), 200)
	p.stop()
	facts.areIn(t, string(s.run(t, "export"))) // after the start, which may have changed the schema
}

// postpone moves all times of a database: keys and retries end some time after their request.
func postpone(t *testing.T, db *sql.DB, s setup, by time.Duration) {
	t.Helper()
	const longAgo = 1e15 // a number that is larger is a time in microseconds
	columns := `SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.type IN ('INTEGER', 'BIGINT')`
	if s.database != "" {
		columns = `SELECT table_name, column_name FROM information_schema.columns
			WHERE table_schema = 'public' AND data_type = 'bigint'`
	}
	rows := expect.Value(db.QueryContext(t.Context(), columns))(t)
	var changes []string
	for rows.Next() {
		var table, column string
		expect.OK(t, rows.Scan(&table, &column))
		if column == "day" {
			changes = append(changes, fmt.Sprintf(`UPDATE %s SET day = day + %d`, table, by/(24*time.Hour)))
		}
		changes = append(changes, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = %[2]s + %[3]d WHERE %[2]s > %[4]d`,
			table, column, by.Microseconds(), int64(longAgo)))
	}
	expect.OK(t, rows.Err())
	for _, change := range changes {
		expect.Value(db.ExecContext(t.Context(), change))(t)
	}
}

var identified = regexp.MustCompile(`(inq|wsp)_[a-z0-9]+`)

func (f upgradeFacts) areIn(t *testing.T, export string) {
	t.Helper()
	for _, r := range f.Requests {
		if id := identified.FindString(string(r.Answer)); id != "" {
			expect.Holds(t, "the export", export, `"id":"`+id+`"`)
		}
	}
}

func (f upgradeFacts) check(t *testing.T, s setup, db *sql.DB, exported string) {
	version := func() (n int) {
		expect.OK(t, db.QueryRowContext(t.Context(), `SELECT MAX(version) FROM schema_versions`).Scan(&n))
		return n
	}
	before := version()
	doctor, _ := s.tried(t, "doctor") // an address of these settings answers to no one
	listed, listErr := s.tried(t, "inquiries")
	isOlder, isSaid := listErr != nil, strings.Contains(doctor, fmt.Sprintf("has schema %d", before))
	if isOlder != isSaid || isOlder && !strings.Contains(listed, "frontdesk migrate") {
		t.Errorf("doctor says\n%s\ninquiries says\n%s", doctor, listed)
	}

	s.mail = listenMail(t)
	p := s.start(t)
	now := version()
	t.Logf("from schema %d to %d", before, now)
	c := newCaller(t, p.url)
	for _, r := range f.Requests {
		id := identified.FindString(string(r.Answer))
		isTrial := id != "" && strings.Contains(r.Body, "idempotency_key")
		if r.Path == contract.PathAsk || isTrial || r.Key != "" && (id != "" || r.Status != 200) {
			got := r.send(c)
			if got.status != 200 || !strings.Contains(got.body, id) {
				t.Errorf("%s again is answered %d (%v), want 200 and %q: %s", r.Body, got.status, got.err, id, got.body)
			}
		}
	}
	directory := c.send("GET", contract.PathKeyDirectory, "").body
	expect.Same(t, "directory of keys", keyIDs(t, f.Keys), keyIDs(t, []byte(directory)))
	s.waitStored(t, "every mail to be sent", func(i records.Inquiry) bool { return i.State != records.Sent })
	p.stop()
	s.mail.WaitIdle()
	want := 0 // mails: one for each request that was not accepted
	for _, r := range f.Requests {
		if r.Path == contract.PathContact && r.Status != 200 {
			want++
		}
	}
	expect.Same(t, "mails", want, len(s.mail.Messages()))

	export := string(s.run(t, "export"))
	kept := entriesOf(t, export)
	for id, one := range entriesOf(t, exported) {
		expect.Same(t, id+": before", one, kept[id])
	}
	f.areIn(t, export)

	backup, restored := filepath.Join(t.TempDir(), "backup.tar.gz"), setup{dir: filepath.Join(t.TempDir(), "restored")}
	s.run(t, "backup", backup)
	restored.run(t, "restore", backup)
	expect.Same(t, "export of the restored backup", export, string(restored.run(t, "export")))

	expect.Value(db.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO schema_versions VALUES (%d)`, now+1)))(t)
	if out, err := s.tried(t, "serve"); err == nil || !strings.Contains(out, "newer") {
		t.Errorf("a start on the schema of a newer version: %v\n%s", err, out)
	}
}

func keyIDs(t *testing.T, directory []byte) string {
	t.Helper()
	return fmt.Sprint(expect.JSON[struct{ Keys []struct{ Kid string } }](t, directory).Keys)
}

// compared are what an upgrade and a retry keep of a record, by its type. The first identifies it.
var compared = map[string][]string{
	"inquiry":   {"id", "message_id", "name", "business", "email", "message", "subject", "text"},
	"feedback":  {"q", "helpful", "comment"},
	"question":  {"number", "q", "unhelpful"},
	"workspace": {"id", "business", "email", "state"},
}

func entriesOf(t *testing.T, export string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for line := range strings.Lines(export) {
		r := expect.JSON[map[string]any](t, []byte(line))
		members := compared[fmt.Sprint(r["type"])]
		if members == nil {
			continue
		}
		kept := map[string]any{}
		for _, member := range members {
			kept[member] = r[member]
		}
		found[fmt.Sprint(r["type"], " ", r[members[0]])] = string(expect.Value(json.Marshal(kept))(t))
	}
	return found
}

// A fixture of TestUpgrade is a folder that recordUpgrade writes: facts.json, backup.tar.gz, export.jsonl, and the data
// folder (data.tar.gz, with SQLite) or the database (postgres.sql).

type upgradeFacts struct {
	Recorded time.Time
	Requests []recordedRequest
	Keys     json.RawMessage // the directory of signing keys
}

// beyondToo, like beyond, is a question that no version answers.
const beyondToo = "Zorblax quuxified frumious bandersnatch?"

// The status is 0 where the program was killed meanwhile.
type recordedRequest struct {
	Path, Body, Key string // a tool has its key in the body
	Status          int
	Answer          json.RawMessage
}

func (r recordedRequest) send(c *caller) answer {
	header := []string{"Accept", "application/json, text/event-stream"}
	if r.Key != "" {
		header = append(header, contract.HeaderIdempotencyKey, r.Key)
	}
	return c.send("POST", r.Path, r.Body, header...)
}

func recordSQLite(t *testing.T, to string) {
	s := setup{dir: t.TempDir()}
	recordUpgrade(t, s, to)
	execute(t, "tar", "-czf", filepath.Join(to, "data.tar.gz"), "-C", s.dir, ".")
}

func recordPostgres(t *testing.T, to string) {
	d := newDatabase(t)
	recordUpgrade(t, setup{dir: t.TempDir(), database: d.URL}, to)
	dump := expect.Value(exec.Command(postgresProgram(t, "pg_dump"), "--no-owner", "--dbname", d.URL).Output())(t)
	dump = regexp.MustCompile(`(?m)^\\(un)?restrict .*\n`).ReplaceAll(dump, nil) // an older psql does not know them
	expect.Write(t, filepath.Join(to, "postgres.sql"), dump)
}

func postgresProgram(t *testing.T, name string) (path string) {
	t.Helper()
	return programs.Find(t, name, "apt-get install postgresql", "/usr/lib/postgresql/*/bin/"+name)
}

// recordUpgrade leaves accepted and failed pilot requests with and without a key, trials, unanswered questions,
// feedback, and a mail that a kill interrupts.
func recordUpgrade(t *testing.T, s setup, to string) {
	expect.OK(t, os.MkdirAll(to, 0o700))
	s.mail = listenMail(t)
	site := filepath.Join(s.dir, "content")
	s.run(t, "init", site, "--sample", "agency")
	catalog := expect.File(t, filepath.Join(site, "catalog.yaml"))
	harness.Edit(t, site, "catalog.yaml", strings.Replace(catalog, "trials: false", "trials: true", 1))
	s = s.withContent()
	p := s.start(t)
	c := newCaller(t, p.url)
	facts := upgradeFacts{Recorded: time.Now().UTC().Truncate(time.Second)}
	record := func(path, body, key string) {
		r := recordedRequest{Path: path, Body: body, Key: key}
		got := r.send(c)
		r.Status = got.status
		if got.err == nil {
			r.Answer = json.RawMessage(got.body)
		}
		facts.Requests = append(facts.Requests, r)
	}
	contact := func(key string) { record(contract.PathContact, pilotRequest(mark(len(facts.Requests)), false), key) }
	contact("key-accepted")
	contact("")
	s.mail.SetFault(mailtest.Fault{Stage: mailtest.To, Action: mailtest.Refuse, Code: 451})
	contact("key-failed")
	contact("")
	s.mail.SetFault(mailtest.Fault{})
	for _, trial := range []string{
		`{"business":"AE","email":"ada@example.com"}`,
		`{"business":"BF","email":"bea@example.com","idempotency_key":"key-trial"}`,
	} {
		record(contract.PathWorkspaceMCP, harness.ToolCall("start_trial", trial), "")
	}
	for _, q := range []string{beyond, beyond, beyondToo} {
		record(contract.PathAsk, harness.Question(q), "")
	}
	record(contract.PathFeedback, `{"helpful":true,"q":"How much does it cost?"}`, "")
	record(contract.PathFeedback, `{"helpful":false,"q":"When are you open?","comment":"And at night?"}`, "")
	facts.Keys = json.RawMessage(c.send("GET", contract.PathKeyDirectory, "").body)
	// A question is stored behind its answer.
	eventually(t, "the questions to be stored", func() bool {
		return strings.Count(string(s.run(t, "export")), `"type":"question"`) == 3
	})
	s.run(t, "backup", filepath.Join(to, "backup.tar.gz"))
	s.mail.SetFault(mailtest.Fault{Stage: mailtest.FinalDot, Action: mailtest.Hang})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		contact("key-interrupted")
	}()
	s.mail.WaitFaults(s.mail.Faults() + 1)
	p.kill()
	<-ended
	expect.Write(t, filepath.Join(to, "export.jsonl"), s.run(t, "export"))
	text := expect.Value(json.MarshalIndent(facts, "", "  "))(t)
	expect.Write(t, filepath.Join(to, "facts.json"), append(text, '\n'))
}

func (s setup) withContent() setup {
	s.environ = append(s.environ, "FRONTDESK_CONTENT="+filepath.Join(s.dir, "content"))
	return s
}
