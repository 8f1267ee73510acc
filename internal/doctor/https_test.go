package doctor

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"

	"frontdesk/internal/certificates"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/programs"
)

func domain(names ...string) func(*config.Settings) {
	return func(s *config.Settings) { s.Domain, s.SMTPURL = names, "file:" }
}

func TestDomains(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).domains)
	finds(nil, Skipped, "FRONTDESK_DOMAIN")
	finds(domain("localhost"), OK, "localhost")
	finds(domain("localhost", "desk.invalid"), Failed, "desk.invalid")
	elsewhere := with(t, domain("localhost"))
	elsewhere.service.Domains = []string{"192.0.2.1"} // the address of a name, of documentation
	want(t, elsewhere.domains(t.Context()), Warning, "192.0.2.1 leads to 192.0.2.1, which is no address of this machine")
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).certificates)
	finds(nil, Skipped, "FRONTDESK_DOMAIN")
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	own := func(s *config.Settings) {
		domain("desk.example")(s)
		s.TLSCert, s.TLSKey = cert, key
	}
	finds(own, Failed, "no such file")
	valid := func(validity time.Duration, name string, result Result, part string) {
		t.Helper()
		programs.SelfSigned(t, cert, key, validity, name)
		finds(own, result, part)
	}
	valid(100*24*time.Hour, "desk.example", OK, "desk.example until 2")
	valid(100*24*time.Hour, "shop.example", Failed, "not desk.example")
	valid(5*time.Second, "desk.example", Warning, "not renewed")
	valid(-time.Second, "desk.example", Failed, "has ended")
	at := func(server *httptest.Server, result Result, part string) {
		t.Helper()
		e := with(t, func(s *config.Settings) {
			domain("desk.example")(s)
			s.ACMECA = server.URL
		})
		e.client = server.Client()
		want(t, e.certificates(t.Context()), result, part)
	}
	answer := func(status int, date time.Time) *httptest.Server {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", date.UTC().Format(http.TimeFormat))
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		return server
	}
	now := time.Now()
	at(answer(200, now), OK, "has none yet")
	unreadable := with(t, domain("desk.example"))
	ca := answer(200, now)
	unreadable.Settings.ACMECA, unreadable.client = ca.URL, ca.Client()
	file := certmagic.StorageKeys.SitePrivateKey((&certmagic.ACMEIssuer{CA: ca.URL}).IssuerKey(), "desk.example")
	expect.OK(t, os.MkdirAll(filepath.Join(unreadable.Settings.Dir(), certificates.Folder, file), 0o700))
	want(t, unreadable.certificates(t.Context()), Failed, "desk.example.key")
	at(answer(200, now.Add(-time.Hour)), Failed, "clock is 1h0m")
	at(answer(404, now), Failed, "404")
	at(answer(429, now), Failed, "429")
	down := answer(200, now)
	down.Close()
	at(down, Failed, "refused")
}
