package doctor

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
)

func TestBaseAddress(t *testing.T) {
	t.Parallel()
	answer := func(status int, version, body string) string {
		return listening(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()[contract.HeaderAPIVersion] = []string{version}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
	untrusted := httptest.NewTLSServer(http.HandlerFunc(healthy))
	t.Cleanup(untrusted.Close)
	at := func(base string) func(*config.Settings) {
		return func(s *config.Settings) { s.BaseURL.Text, s.SMTPURL = base, "file:" }
	}
	finds := finding(t, (*examination).baseAddress)
	finds(at(listening(t, healthy)), OK, "answers")
	finds(at(answer(200, "2", `{"status":"ok"}`)), Warning, `version "2"`)
	finds(at("http://127.0.0.1:1"), Warning, "nothing listens")
	finds(at(answer(502, "", "")), Failed, "status 502") // of a proxy
	finds(at(listening(t, http.RedirectHandler("https://desk.example/", http.StatusMovedPermanently).ServeHTTP)), Failed, "redirects to https://desk.example/")
	finds(at(answer(200, "", "<html>")), Failed, "not frontdesk's answer")
	finds(at(answer(200, contract.APIVersion, `{"status":"ill"}`)), Failed, "other than its health")
	finds(at(untrusted.URL), Failed, "certificate")
	finds(at("http://desk.invalid"), Failed, "desk.invalid")
	ctx, silent := hanging(t)
	want(t, with(t, at(silent)).baseAddress(ctx), Failed, "deadline")
}

func TestChecks(t *testing.T) {
	t.Parallel()
	good := with(t, func(s *config.Settings) {
		in(started(t))(s)
		s.BaseURL.Text = listening(t, healthy)
		s.Addr = "127.0.0.1:0"
	})
	for _, one := range run(t.Context(), good.checks()) {
		if one.Result == Failed {
			t.Errorf("%s fails: %s", one.Name, one.What)
		}
	}
	bad := Run(t.Context(), config.Settings{
		TrialMail: config.Switch{Text: "perhaps"}, MailServer: config.MailServer{SMTPURL: "smtp://u:" + password + "@h:x"},
		ModelURL: "x@" + password, SigningKey: password,
	}, nil)
	if len(bad) != 1 || bad[0].Name != "settings" {
		t.Fatalf("with wrong settings: %+v, want only the check of the settings", bad)
	}
	want(t, bad[0].Finding, Failed, "FRONTDESK_TRIAL_MAIL")
}
