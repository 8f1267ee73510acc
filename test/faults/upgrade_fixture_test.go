package faults

import (
	"encoding/json"
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
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// A fixture of TestUpgrade is a folder that recordUpgrade writes: facts.json, backup.tar.gz, export.jsonl, and the data
// folder (data.tar.gz, with SQLite) or the database (postgres.sql).

// upgradeFacts is what the callers of an old program know.
type upgradeFacts struct {
	Recorded time.Time
	Requests []recordedRequest
	Keys     json.RawMessage // the directory of signing keys
}

// beyondToo, like beyond, is a question that no version answers.
const beyondToo = "Zorblax quuxified frumious bandersnatch?"

// recordedRequest is a request and its answer; the status is 0 where the program was killed meanwhile.
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

// recordUpgrade leaves in a database, and writes down, what a version is asked: accepted and failed pilot requests with
// and without a key, trials, unanswered questions, feedback, and a mail that a kill interrupts.
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

// withContent is the setup with the content in its data folder.
func (s setup) withContent() setup {
	s.environ = append(s.environ, "FRONTDESK_CONTENT="+filepath.Join(s.dir, "content"))
	return s
}
