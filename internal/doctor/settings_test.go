package doctor

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"frontdesk/faq/meaning"
	"frontdesk/internal/config"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		change  func(*config.Settings)
		environ []string
		result  Result
		part    string
	}{
		{"good", nil, []string{"FRONTDESK_DATA=x", "FRONTDESK_URL=y", "PATH=z"}, OK, "http://localhost:8080"},
		{"misspelt", nil, []string{"FRONTDESK_DTAA=" + password}, Warning, "FRONTDESK_DTAA is not a setting: did you mean FRONTDESK_DATA?"},
		{"not a setting any more", func(s *config.Settings) { s.AnsweredRows = "many" }, nil, Warning, "FRONTDESK_ANSWERED_ROWS"},
		{"bad address", func(s *config.Settings) { s.BaseURL.Text = "desk" }, nil, Failed, "FRONTDESK_BASE_URL"},
		{"bad level", func(s *config.Settings) { s.LogLevel = "loud" }, nil, Failed, "FRONTDESK_LOG_LEVEL"},
		{"bad form", func(s *config.Settings) { s.LogFormat = "xml" }, nil, Failed, "FRONTDESK_LOG_FORMAT"},
		{"bad mail", func(s *config.Settings) { s.SMTPURL = "smtp://u:" + password + "@:x" }, nil, Failed, "FRONTDESK_SMTP_URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := with(t, tt.change)
			e.Environ = tt.environ
			want(t, e.settings(t.Context()), tt.result, tt.part)
		})
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	own := func(s *config.Settings) { s.Content = "mydesk" }
	tests := []struct {
		name     string
		change   func(*config.Settings)
		warnings int
		err      error
		result   Result
		part     string
	}{
		{"good", own, 0, nil, OK, "7 services"},
		{"doubtful", own, 3, nil, Warning, "warnings: 3"},
		{"the sample", nil, 3, nil, Warning, "embedded sample"},
		{"too large to be tried", own, 0, fmt.Errorf("training: %w", context.DeadlineExceeded), Warning, "could not be tried within 1m"},
		{"broken", own, 0, errors.Join(errors.New("faq.yaml:3: x"), errors.New("faq.yaml:4: y")), Failed, "faq.yaml:3: x; faq.yaml:4: y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := with(t, tt.change)
			e.Content = func(context.Context) (string, int, error) { return "7 services", tt.warnings, tt.err }
			want(t, e.content(t.Context()), tt.result, tt.part)
		})
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
		cost   meaning.Cost
		err    error
		result Result
		part   string
	}{
		{meaning.Cost{}, errors.New("faq.yaml:3: x"), Skipped, "content cannot be read"},
		{meaning.Cost{}, nil, OK, "nothing to read"},
		{meaning.Cost{Texts: 40}, nil, OK, "the 40 texts of the content is in the cache"},
		{meaning.Cost{Texts: 40, Missing: 3, Work: 20 * time.Millisecond}, nil, OK, "has to read 3 of 40 texts: about 1s of one processor"},
		{meaning.Cost{Texts: 4000, Missing: 3000, Work: 134 * time.Second}, nil, Warning, "about 2m14s of one processor; until then"},
	} {
		e := with(t, nil)
		e.cost = func() (meaning.Cost, error) { return tt.cost, tt.err }
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
