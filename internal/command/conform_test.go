package command_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/conform"
	"frontdesk/conform/checks"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/limits"
	"frontdesk/routes"
	"frontdesk/test/harness"
)

func conforms(t *testing.T, options conform.Options) {
	t.Helper()
	for _, result := range expect.Value(conform.Run(t.Context(), checks.Contract(), options))(t).Results {
		t.Run(result.Section+"/"+result.Name, func(t *testing.T) {
			if result.Status == conform.Skip {
				t.Skip(result.Reason)
			}
			if result.Status == conform.Fail {
				t.Errorf("%s\nsent: %s\nexpected: %s\ngot: %s", result.Sentence, result.Sent, result.Expected, result.Got)
			}
		})
	}
}

func TestConform(t *testing.T) {
	t.Parallel()
	sink := harness.ListenMail(t)
	d := harness.Start(t, func(s *config.Settings) { s.SMTPURL = sink.URL() })
	conforms(t, conform.Options{URL: d.URL, Send: true, Sink: sink})
}

// These services have two languages and offer no trials.
func TestConformOfASmallBusiness(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{"bakery", "practice"} {
		d := harness.Start(t, func(s *config.Settings) { s.Content = filepath.Join("content", "samples", sample) })
		conforms(t, conform.Options{URL: d.URL})
	}
}

// Owners name requests as they like.
func TestConformWithOwnRequestName(t *testing.T) {
	t.Parallel()
	dir := sampleFolder(t)
	catalog := strings.Replace(read(t, filepath.Join(dir, "catalog.yaml")), "Pilot request", "Quote", 1)
	harness.Edit(t, dir, "catalog.yaml", catalog)
	d := harness.Start(t, func(s *config.Settings) { s.Content = dir })
	conforms(t, conform.Options{URL: d.URL, Only: []string{"*-instructions"}})
}

// A service of another setting passes a run for it, which one of the default fails.
func TestConformSettings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change  func(*config.Settings)
		options conform.Options
		fail    []string // by default
	}{
		"errors of tools": {
			func(s *config.Settings) { s.MCPToolErrors = contract.ToolErrorsResults },
			conform.Options{ToolErrors: contract.ToolErrorsResults, Only: []string{"4.mcp", "4.workspace", "8", "D.mcp", "D.workspace"}, Send: true},
			[]string{"tool-arguments-are-validated", "ask-faq-shares-the-limit"},
		},
		"versions": {
			func(s *config.Settings) { s.MCPVersions = contract.MCPVersionsTolerant },
			conform.Options{Versions: contract.MCPVersionsTolerant, Only: []string{"*-versions", "*-version-*", "*-initialize-*"}},
			[]string{"*-later-version-header"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.options.URL = harness.Start(t, tt.change).URL
			conforms(t, tt.options)
			tt.options.URL, tt.options.Only = harness.Start(t, nil).URL, tt.fail
			expect.Same(t, "failures by default", 2, expect.Value(conform.Run(t.Context(), checks.Contract(), tt.options))(t).Failed)
		})
	}
}

// A service with other limits is checked by its own numbers, and the contract's fail against it.
func TestConformPolicy(t *testing.T) {
	t.Parallel()
	ask, contact := contract.AskPolicy, contract.ContactPolicy
	ask.Quota, ask.Window, contact.Quota = 2*ask.Quota, ask.Window/2, contact.Quota+1
	of := func(p contract.Policy) string { return fmt.Sprintf("%s=%d/%.0f", p.Name, p.Quota, p.Window.Seconds()) }
	d := harness.Start(t, nil, harness.Changes{Limiters: func() routes.Limiters {
		l := routes.NewLimiters(nil)
		l.Ask, l.Contact = limits.New(ask, nil), limits.New(contact, nil)
		return l
	}})
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"--policy", of(ask), "--policy", of(contact), "--only", "8", "--only", "D.limits", "--only", "D.rules", "--send"}, 0},
		{[]string{"--only", "the-sixth-question-is-refused"}, 1},
		{[]string{"--policy", "ask=10"}, 2}, {[]string{"--policy", "ask=2/60"}, 2}, {[]string{"--policy", "feedback=5/60"}, 2},
	} {
		if code, out, err := harness.Command(t, append([]string{"conform", d.URL}, tt.args...)...); code != tt.code {
			t.Errorf("%v: exit %d, want %d\n%s%s", tt.args, code, tt.code, out, err)
		}
	}
}

func TestConformCommand(t *testing.T) {
	t.Parallel()
	d := harness.Start(t, nil)
	for _, tt := range []struct {
		line     string
		code     int
		out, err string // a part of each
	}{
		{d.URL + " --only 4.health", 0, "1 checks", ""},
		{d.URL + " --only real-send-is-accepted", 0, "use --send", ""},
		{d.URL + " --only 8.3,9.1", 0, "0 failed", ""},
		{d.URL + "/nowhere --only 4.health", 1, "FAIL  4.health  health-is-ok", ""},
		{d.URL + "/nowhere --only 9.1 --json", 1, "\"section\": \"9.1\"", ""},
		{"http://127.0.0.1:1", 3, "", "http://127.0.0.1:1"},
		{"desk", 2, "", "http://"},
		{d.URL + " --only nothing", 2, "", "nothing"},
		{d.URL + " --mail-sink " + d.Addr().String(), 2, "", "--mail-sink"},
	} {
		code, out, err := harness.Command(t, strings.Fields("conform "+tt.line)...)
		expect.Same(t, tt.line+": exit", tt.code, code)
		expect.Holds(t, tt.line+": output", out, tt.out)
		expect.Holds(t, tt.line+": errors", err, tt.err)
	}
	expect.Same(t, "mails were sent without --send", 0, len(d.Mail.Messages()))
}
