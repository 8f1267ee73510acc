package doctor

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/faq/semantic"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	finds(t, (*examination).settings, []row{
		{"good", nil, OK, "http://localhost:8080"},
		{"international name", func(s *config.Settings) { s.BaseURL.Text, s.SMTPURL = "https://München.example:8443", "file:" }, OK,
			"https://xn--mnchen-3ya.example:8443 (münchen.example)"},
		{"bad address", func(s *config.Settings) { s.BaseURL.Text = "desk" }, Failed, "FRONTDESK_BASE_URL"},
		{"bad mail", func(s *config.Settings) { s.SMTPURL = "smtp://u:" + password + "@:x" }, Failed, "FRONTDESK_SMTP_URL"},
	}...)
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
	finds(t, (*examination).trustedProxies, []row{
		{"none on this machine", by(""), OK, "none"},
		{"one", by("https://desk.example", "127.0.0.1", "10.0.0.0/8"), OK, "127.0.0.1/32, 10.0.0.0/8"},
		{"https without a proxy", by("https://desk.example"), Warning, "all callers share"},
		{"everybody", by("", "0.0.0.0/0"), Failed, "0.0.0.0/0"},
		{"everybody of IPv6", by("", "::1", "2000::/3"), Failed, "2000::/3"},
	}...)
}

func TestFirstStart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cost   semantic.Cost
		err    error
		result Result
		part   string
	}{
		{semantic.Cost{}, errors.New("faq.yaml:3: x"), Skipped, "content cannot be read"},
		{semantic.Cost{}, nil, OK, "nothing to read"},
		{semantic.Cost{Texts: 40}, nil, OK, "the 40 texts of the content is in the cache"},
		{semantic.Cost{Texts: 40, Missing: 3, Work: 20 * time.Millisecond}, nil, OK, "has to read 3 of 40 texts: about 1s of one processor"},
		{semantic.Cost{Texts: 4000, Missing: 3000, Work: 134 * time.Second}, nil, Warning, "about 2m14s of one processor; until then"},
	} {
		e := with(t, nil)
		e.cost = func() (semantic.Cost, error) { return tt.cost, tt.err }
		want(t, e.firstStart(t.Context()), tt.result, tt.part)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	of := func(pools, exempt []string) func(*config.Settings) {
		return func(s *config.Settings) { s.SharedClients, s.LimitExempt = pools, exempt }
	}
	finds(t, (*examination).limits, []row{
		{"the defaults", of(nil, nil), OK, "pools: anthropic, openai; without a limit: none"},
		{"off", of([]string{"off"}, []string{"192.0.2.7"}), OK, "pools: none; without a limit: 192.0.2.7/32"},
		{"ranges of an assistant", of([]string{"openai=192.0.2.0/24", "openai=2001:db8::/32"}, nil), OK, "pools: openai;"},
		{"all clients share", of([]string{"openai", "::/0"}, nil), Failed, "::/0 contains addresses of strangers, who would share"},
		{"no client has a limit", of(nil, []string{"192.0.2.7", "0.0.0.0/0"}), Failed, "0.0.0.0/0 contains addresses of strangers, who would have no limit"},
	}...)
}

func TestMCP(t *testing.T) {
	t.Parallel()
	finds(t, (*examination).mcp, []row{
		{"loopback", nil, OK, "errors of tools: contract; versions: contract"},
		{"public", func(s *config.Settings) { s.BaseURL.Text = "https://desk.example" }, OK, "FRONTDESK_MCP_VERSIONS=tolerant"},
	}...)
	quiet := with(t, func(s *config.Settings) {
		s.BaseURL.Text, s.MCPVersions = "https://desk.example", contract.MCPVersionsTolerant
	}).mcp(t.Context())
	expect.Same(t, "all set", ok("errors of tools: contract; versions: tolerant"), quiet)
	expect.Same(t, "loopback", ok("errors of tools: contract; versions: contract"), with(t, nil).mcp(t.Context()))
}
