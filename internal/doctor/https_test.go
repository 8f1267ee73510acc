package doctor

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"frontdesk/internal/config"
	"frontdesk/internal/programs"
)

func domain(names ...string) func(*config.Settings) {
	return func(s *config.Settings) { s.Domain, s.SMTPURL = names, "file:" }
}

func TestDomains(t *testing.T) {
	t.Parallel()
	want(t, with(t, nil).domains(t.Context()), Skipped, "FRONTDESK_DOMAIN")
	want(t, with(t, domain("localhost")).domains(t.Context()), OK, "localhost")
	want(t, with(t, domain("localhost", "desk.invalid")).domains(t.Context()), Failed, "desk.invalid")
	elsewhere := with(t, domain("localhost"))
	elsewhere.service.Domains = []string{"192.0.2.1"} // the address of a name, of documentation
	want(t, elsewhere.domains(t.Context()), Warning, "192.0.2.1 leads to 192.0.2.1, which is no address of this machine")
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	want(t, with(t, nil).certificates(t.Context()), Skipped, "FRONTDESK_DOMAIN")
	dir := t.TempDir()
	own := func(validity time.Duration, name string) *examination {
		cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		if validity != 0 {
			programs.SelfSigned(t, cert, key, validity, name)
		}
		return with(t, func(s *config.Settings) {
			domain("desk.example")(s)
			s.TLSCert, s.TLSKey = cert, key
		})
	}
	want(t, own(0, "").certificates(t.Context()), Failed, "no such file")
	want(t, own(100*24*time.Hour, "desk.example").certificates(t.Context()), OK, "desk.example until 2")
	want(t, own(100*24*time.Hour, "shop.example").certificates(t.Context()), Failed, "not desk.example")
	want(t, own(5*time.Second, "desk.example").certificates(t.Context()), Warning, "not renewed")
	want(t, own(-time.Second, "desk.example").certificates(t.Context()), Failed, "has ended")
	at := func(server *httptest.Server) *examination {
		e := with(t, func(s *config.Settings) {
			domain("desk.example")(s)
			s.ACMECA = server.URL
		})
		e.client = server.Client()
		return e
	}
	answer := func(status int, date time.Time) *httptest.Server {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", date.UTC().Format(http.TimeFormat))
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		return server
	}
	want(t, at(answer(http.StatusOK, time.Now())).certificates(t.Context()), OK, "has none yet")
	want(t, at(answer(http.StatusOK, time.Now().Add(-time.Hour))).certificates(t.Context()), Failed, "clock is 1h0m")
	want(t, at(answer(http.StatusNotFound, time.Now())).certificates(t.Context()), Failed, "404")
	want(t, at(answer(http.StatusTooManyRequests, time.Now())).certificates(t.Context()), Failed, "429")
	down := answer(http.StatusOK, time.Now())
	down.Close()
	want(t, at(down).certificates(t.Context()), Failed, "refused")
}
