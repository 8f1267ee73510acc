package faults

import (
	"net/http"
	"testing"

	"frontdesk/contract"
	"frontdesk/mailer/mailtest"
)

// wantStore waits for a status of /readyz/store. The service is ready in any case.
func (p *process) wantStore(t *testing.T, status int) {
	t.Helper()
	var got int
	eventually(t, "the check of the database", func() bool { // its result counts for a second
		got, _ = p.admin(t, "/readyz/store")
		return got == status
	})
	if ready, _ := p.admin(t, "/readyz"); ready != http.StatusOK {
		t.Errorf("/readyz is %d while questions are answered", ready)
	}
}

// TestReadOnlySpell sets PostgreSQL to read-only, as after a failover to a replica,
// and back: contact is refused meanwhile and accepted as soon as rows can be stored.
func TestReadOnlySpell(t *testing.T) {
	t.Parallel()
	d, mails := newDatabase(t), mailtest.Listen(t, mailtest.Options{})
	p := setup{mail: mails, environ: append(onPostgres(t, d.URL), withAdmin)}.start(t)
	c := newCaller(t, p.url)
	wantStatus(t, c.contact("before", ""), http.StatusOK)
	p.wantStore(t, http.StatusOK)

	d.readOnly(t)
	for range 8 {
		wantCode(t, c.contact("meanwhile", ""), http.StatusInternalServerError, contract.InternalError)
	}
	p.wantStore(t, http.StatusServiceUnavailable)
	c.checkRest(t)

	d.writable(t)
	for range 8 {
		wantStatus(t, c.contact("after", ""), http.StatusOK)
	}
	p.wantStore(t, http.StatusOK)
	if n := len(mails.Messages()); n != 9 {
		t.Errorf("%d mails, want 9: before, and 8 after", n)
	}
}

// readOnly makes the database refuse writes, also in sessions that are open.
func (d database) readOnly(t *testing.T) {
	t.Helper()
	d.execute(t, `ALTER DATABASE postgres SET default_transaction_read_only = on`)
	d.execute(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'`)
}

func (d database) writable(t *testing.T) {
	t.Helper()
	d.execute(t, `SET default_transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only`)
}

// execute runs statements in the session of the test.
func (d database) execute(t *testing.T, statements string) {
	t.Helper()
	if _, err := d.session.ExecContext(t.Context(), statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}
