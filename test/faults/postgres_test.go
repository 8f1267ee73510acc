package faults

import (
	"database/sql"
	"slices"
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

func onPostgres(t *testing.T, url string) []string {
	t.Helper()
	return []string{"FRONTDESK_DATABASE_URL=" + url, "FRONTDESK_SIGNING_KEY=" + harness.PEMKey(t, 0)}
}

type database struct {
	*programs.Server
	session *sql.DB
}

func newDatabase(t *testing.T) database {
	t.Helper()
	program(t) // before a server is started that a skipped test does not need
	server := programs.Postgres(t)
	session := expect.Value(sql.Open("pgx", server.URL))(t)
	t.Cleanup(func() { _ = session.Close() })
	return database{server, session}
}

func (d database) number(t *testing.T, query string) (n int) {
	t.Helper()
	expect.OK(t, d.session.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

func (d database) inquiries(t *testing.T) []records.Inquiry {
	t.Helper()
	return storedIn(t, records.Options{URL: d.URL})
}

// What a service answers while its database is down, it also answers when it was started then. The schema is made when
// the database is there.
func TestStartWithoutDatabase(t *testing.T) {
	t.Parallel()
	d, mails := newDatabase(t), listenMail(t)
	d.Stop()
	p := setup{mail: mails, environ: append(onPostgres(t, d.URL), withAdmin)}.launch(t)
	p.serves(t)
	c := newCaller(t, p.url)
	wantCode(t, c.contact(mark(0), ""), 500, contract.InternalError)
	p.wantStore(t, 503)
	c.checkRest(t)
	ready, _ := p.admin(t, "/readyz")
	expect.Same(t, "/readyz", 200, ready)
	expect.Holds(t, "the log", p.log.String(), "starting without it")
	d.Start()
	p.wantStore(t, 200)
	c.wantContact(t, 1)
	expect.Same(t, "inquiries and mails", []any{1, 1}, []any{len(d.inquiries(t)), len(mails.Messages())})
	p.stop()
	refused := strings.Replace(d.URL, "desk@", "stranger@", 1)
	if store, err := records.Open(t.Context(), records.Options{URL: refused, MayBeAway: true}); err == nil {
		_ = store.Close()
		t.Error("a start goes on although the database refuses its user")
	}
}

// A contact request is refused within seconds and nothing of it is sent, everything else is answered, the model is not
// asked uncounted, and it all works again without a restart.
func TestDatabaseFails(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct {
		begin, mend func(t *testing.T, d database)
	}{
		"killed":    {func(_ *testing.T, d database) { d.Kill() }, func(_ *testing.T, d database) { d.Start() }},
		"frozen":    {func(_ *testing.T, d database) { d.Freeze() }, func(_ *testing.T, d database) { d.Thaw() }},
		"read-only": {readOnly, writable}, // as after a failover to a replica
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "frozen" {
				long(t)
			}
			d, mails := newDatabase(t), listenMail(t)
			model := modeltest.Listen(t, modeltest.Pick("refunds"))
			p := setup{mail: mails, environ: append(withModel(t, model.URL()), append(onPostgres(t, d.URL), withAdmin)...)}.start(t)
			c := newCaller(t, p.url)
			wantStatus(t, c.contact("before", ""), 200)
			p.wantStore(t, 200)

			fault.begin(t, d)
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
			eventually(t, "the line that a question is dropped", func() bool {
				return strings.Contains(p.log.String(), "questions and feedback are dropped")
			})
			wantCode(t, c.send("POST", contract.PathFeedback, `{"helpful":true,"q":"How much does it cost?"}`), 500, contract.InternalError)

			fault.mend(t, d)
			if name == "read-only" { // no session of the spell is used again
				wantStatus(t, c.contact("after", ""), 200)
			} else {
				eventually(t, "contact to work again", func() bool { return c.contact("after", "").status == 200 })
			}
			expect.Same(t, "after the fault", contract.MatchModel, answerOf(t, c.ask(harness.Question(beyond+" Now?"))).Match)
			wantStatus(t, c.contact("meanwhile, with a key", "key-of-mine"), 200)
			expect.Same(t, "questions are kept", 0, d.number(t, `SELECT count(*) FROM questions`))
			// What the server was sent before it hung it may store after all.
			eventually(t, "a refused request to be marked as one that will not be sent", func() bool {
				return !slices.ContainsFunc(d.inquiries(t), func(inquiry records.Inquiry) bool {
					return strings.HasSuffix(inquiry.Message, " meanwhile") && inquiry.State != records.Failed
				})
			})
			for _, mail := range mails.Messages() {
				_, text := mail.Read(t)
				expect.Lacks(t, "a mail", text, "We would like to know more. meanwhile\n")
			}
			expect.Same(t, "mails", 3, len(mails.Messages()))
		})
	}
}

func wantStatus(t *testing.T, got answer, status int) {
	t.Helper()
	if got.status != status {
		t.Fatalf("the answer is %d (%v), want %d: %s", got.status, got.err, status, got.body)
	}
}

// wantStore waits for a status of /readyz/store. The service is ready in any case.
func (p *process) wantStore(t *testing.T, status int) {
	t.Helper()
	var got int
	eventually(t, "the check of the database", func() bool { // its result counts for a second
		got, _ = p.admin(t, "/readyz/store")
		return got == status
	})
	ready, _ := p.admin(t, "/readyz")
	expect.Same(t, "/readyz while questions are answered", 200, ready)
}

func readOnly(t *testing.T, d database) {
	t.Helper()
	d.execute(t, `ALTER DATABASE postgres SET default_transaction_read_only = on`)
	d.execute(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'`)
}

func writable(t *testing.T, d database) {
	t.Helper()
	d.execute(t, `SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only`)
}

func (d database) execute(t *testing.T, statements string) {
	t.Helper()
	expect.Value(d.session.ExecContext(t.Context(), statements))(t)
}
