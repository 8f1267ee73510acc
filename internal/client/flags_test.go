package client

import (
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

func TestAddressFromTheEnvironment(t *testing.T) {
	service := answering(t, contract.Health{Status: contract.HealthOK})
	t.Setenv("FRONTDESK_URL", service.url)
	got := run(t, "health")
	expect.Same(t, "only the environment", 0, got.code)
	expect.Holds(t, "only the environment", got.out, service.url)
	t.Setenv("FRONTDESK_URL", "nonsense")
	expect.Same(t, "the flag should win", 0, run(t, "health", "--url", service.url).code)
	got = run(t, "health")
	expect.Same(t, "bad environment", ExitUsage, got.code)
	expect.Holds(t, "bad environment", got.err, "FRONTDESK_URL")
}

// Where an address is called and how it is shown, or that its refusal hides the password.
func TestParseAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"http://localhost:8080/":     {"http://localhost:8080/v1/health", "http://localhost:8080"},
		" https://example.com/desk ": {"https://example.com/desk/v1/health", "https://example.com/desk"},
		"https://example.com/desk//": {"https://example.com/desk/v1/health", "https://example.com/desk"},
		"http://[::1]:8080":          {"http://[::1]:8080/v1/health", "http://[::1]:8080"},
		"http://a:b@example.com":     {"http://a:b@example.com/v1/health", "http://a:xxxxx@example.com"},
		"":                           {}, "localhost:8080": {}, "http://": {}, "http://:8080": {}, "http://example.com?": {},
		"http://example.com/#top": {}, "http://me:secret@exa mple/": {}, "file://me:secret@example.com": {},
	} {
		base, err := parseAddress(in)
		if err != nil {
			expect.Same(t, in, "", want[0])
			expect.Says(t, in, err, "--url")
			expect.Lacks(t, in, err.Error(), "secret")
			continue
		}
		expect.Same(t, in, want, [2]string{base.JoinPath(contract.PathHealth).String(), Connection{base: base}.address()})
	}
}
