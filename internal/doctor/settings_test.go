package doctor

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).settings)
	finds(nil, OK, "http://localhost:8080")
	finds(func(s *config.Settings) { s.BaseURL.Text, s.SMTPURL = "https://München.example:8443", "file:" }, OK,
		"https://xn--mnchen-3ya.example:8443 (münchen.example)")
	finds(func(s *config.Settings) { s.BaseURL.Text = "desk" }, Failed, "FRONTDESK_BASE_URL")
	finds(func(s *config.Settings) { s.SMTPURL = "smtp://u:" + password + "@:x" }, Failed, "FRONTDESK_SMTP_URL")
	e := with(t, nil)
	e.environ = []string{"FRONTDESK_DATA=x", "FRONTDESK_URL=y", "PATH=z"}
	want(t, e.settings(t.Context()), OK, "http://localhost:8080")
	e.environ = []string{"FRONTDESK_DTAA=" + password}
	want(t, e.settings(t.Context()), Warning, "FRONTDESK_DTAA is not a setting: did you mean FRONTDESK_DATA?")
}

func TestContent(t *testing.T) {
	t.Parallel()
	own := func(s *config.Settings) { s.Content = "mydesk" }
	for _, tt := range []struct {
		change   func(*config.Settings)
		warnings int
		err      error
		result   Result
		part     string
	}{
		{own, 0, nil, OK, "7 services"},
		{own, 3, nil, Warning, "warnings: 3"},
		{nil, 3, nil, Warning, "embedded sample"},
		{own, 0, fmt.Errorf("training: %w", context.DeadlineExceeded), Warning, "could not be tried within 1m"},
		{own, 0, errors.Join(errors.New("faq.yaml:3: x"), errors.New("faq.yaml:4: y")), Failed, "faq.yaml:3: x; faq.yaml:4: y"},
	} {
		e := with(t, tt.change)
		found := live.Checked{Summary: "7 services", Warnings: make([]string, tt.warnings)}
		e.checkContent = func(context.Context) (live.Checked, error) { return found, tt.err }
		want(t, e.content(t.Context()), tt.result, tt.part)
	}
}

func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	by := func(base string, proxies ...string) func(*config.Settings) {
		return func(s *config.Settings) { s.BaseURL.Text, s.TrustedProxies = base, proxies }
	}
	finds := finding(t, (*examination).trustedProxies)
	finds(by(""), OK, "none")
	finds(by("https://desk.example", "127.0.0.1", "10.0.0.0/8"), OK, "127.0.0.1/32, 10.0.0.0/8")
	finds(by("https://desk.example"), Warning, "all clients share")
	finds(func(s *config.Settings) { by("https://desk.example")(s); domain("desk.example")(s) }, OK, "each peer")
	finds(by("", "0.0.0.0/0"), Failed, "0.0.0.0/0")
	finds(by("", "::1", "2000::/3"), Failed, "2000::/3")
}

func TestMCP(t *testing.T) {
	t.Parallel()
	finds := finding(t, (*examination).mcp)
	public := func(s *config.Settings) { s.BaseURL.Text = "https://desk.example" }
	finds(public, OK, config.AboutMCPVersions)
	finds(public, OK, config.AboutMCPToolErrors)
	quiet := with(t, func(s *config.Settings) {
		public(s)
		s.MCPVersions, s.MCPToolErrors = contract.MCPVersionsTolerant, contract.ToolErrorsResults
	}).mcp(t.Context())
	expect.Same(t, "all set", ok("errors of tools: results; versions: tolerant"), quiet)
	expect.Same(t, "loopback", ok("errors of tools: contract; versions: contract"), with(t, nil).mcp(t.Context()))
}
