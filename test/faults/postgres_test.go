package faults

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/model/modeltest"
	"frontdesk/internal/programs"
	"frontdesk/internal/records"
	"frontdesk/mailer"
	"frontdesk/test/harness"
)

type database struct {
	*programs.Server
	t       *testing.T
	session *sql.DB
}

func newDatabase(t *testing.T) database {
	t.Helper()
	program(t) // before a server is started that a skipped test does not need
	server := programs.Postgres(t)
	session := expect.Value(sql.Open("pgx", server.URL))(t)
	t.Cleanup(func() { _ = session.Close() })
	return database{server, t, session}
}

func (d database) execute(statements string) {
	d.t.Helper()
	expect.Value(d.session.ExecContext(d.t.Context(), statements))(d.t)
}

func (d database) readOnly() {
	d.execute(`ALTER DATABASE postgres SET default_transaction_read_only = on`)
	d.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'`)
}

func (d database) writable() {
	d.execute(`SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only`)
}

// The schema is made when the database is there.
func TestStartWithoutDatabase(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.Stop()
	s := setup{mail: listenMail(t), database: d.URL, environ: []string{withAdmin}}
	p := s.launch(t)
	p.serves(t)
	c := newCaller(t, p.url)
	wantCode(t, c.contact(mark(0), ""), 500, contract.InternalError)
	p.wantStore(t, 503)
	c.checkRest(t)
	expect.Holds(t, "the log", p.log.String(), "starting without it")
	d.Start()
	p.wantStore(t, 200)
	c.wantContact(t, 1)
	expect.Same(t, "inquiries and mails", []any{1, 1}, []any{len(s.stored(t)), len(s.mail.Messages())})
	p.stop()
	refused := strings.Replace(d.URL, "desk@", "stranger@", 1)
	if store, err := records.Open(t.Context(), records.Options{URL: refused, MayBeAway: true}); err == nil {
		_ = store.Close()
		t.Error("a start goes on although the database refuses its user")
	}
}

// A contact request is refused within seconds and not sent, everything else is answered, the model is not asked
// uncounted, and all works again without a restart.
func TestDatabaseFails(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct{ begin, mend func(database) }{
		"killed":    {database.Kill, database.Start},
		"frozen":    {database.Freeze, database.Thaw},
		"read-only": {database.readOnly, database.writable}, // as after a failover to a replica
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "frozen" {
				long(t)
			}
			d, model := newDatabase(t), modeltest.Listen(t, modeltest.Pick("refunds"))
			s := setup{mail: listenMail(t), database: d.URL, environ: append(withModel(t, model.URL()), withAdmin)}
			p := s.start(t)
			c := newCaller(t, p.url)
			wantStatus(t, c.contact("before", ""), 200)
			p.wantStore(t, 200)

			fault.begin(d)
			refused := c.contact("meanwhile", "")
			wantCode(t, refused, 500, contract.InternalError)
			t.Logf("contact is refused after %v", refused.took)
			expect.AtMost(t, "contact is refused after", mailer.SendTimeout-1, refused.took)
			wantCode(t, c.contact("meanwhile, with a key", "key-of-mine"), 500, contract.InternalError)
			p.wantStore(t, 503)
			c.checkRest(t)
			a := answerOf(t, c.ask(harness.Question(beyond)))
			expect.Same(t, "calls of the model",
				[]any{0, contract.MatchNone, contract.ReasonModelUnavailable}, []any{model.Calls(), a.Match, a.Reason})
			p.log.Wait(t, "questions and feedback are dropped", 1)
			feedback := c.send("POST", contract.PathFeedback, `{"helpful":true,"q":"How much does it cost?"}`)
			wantCode(t, feedback, 500, contract.InternalError)

			fault.mend(d)
			if name == "read-only" { // no session of the spell is used again
				wantStatus(t, c.contact("after", ""), 200)
			} else {
				eventually(t, "contact to work again", func() bool { return c.contact("after", "").status == 200 })
			}
			expect.Same(t, "after the fault", contract.MatchModel, answerOf(t, c.ask(harness.Question(beyond+" Now?"))).Match)
			wantStatus(t, c.contact("meanwhile, with a key", "key-of-mine"), 200)
			var kept int
			expect.OK(t, d.session.QueryRowContext(t.Context(), `SELECT count(*) FROM questions`).Scan(&kept))
			expect.Same(t, "questions are kept", 0, kept)
			// What the server was sent before it hung it may store after all.
			s.waitStored(t, "a refused request to be marked as one that will not be sent", func(i records.Inquiry) bool {
				return strings.HasSuffix(i.Message, " meanwhile") && i.State != records.Failed
			})
			for _, mail := range s.mail.Messages() {
				_, text := mail.Read(t)
				expect.Lacks(t, "a mail", text, "We would like to know more. meanwhile\n")
			}
			expect.Same(t, "mails", 3, len(s.mail.Messages()))
		})
	}
}

func wantStatus(t *testing.T, got answer, status int) {
	t.Helper()
	if got.status != status {
		t.Fatalf("the answer is %d (%v), want %d: %s", got.status, got.err, status, got.body)
	}
}

// The service is ready in any case.
func (p *process) wantStore(t *testing.T, status int) {
	t.Helper()
	eventually(t, "the check of the database", func() bool { // its result counts for a second
		return p.answers(t, "/readyz/store") == status
	})
	expect.Same(t, "/readyz while questions are answered", 200, p.answers(t, "/readyz"))
}
