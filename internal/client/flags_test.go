package client

import (
	"strings"
	"testing"

	"frontdesk/contract"
)

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no business", []string{"contact", "--name=a", "--email=b", "--message=c"}, "missing flags: --business=BUSINESS"},
		{"a preview of a dry run", with(contactArgs, "--dry-run", "--preview=x"), "--dry-run and --preview can't be used together"},
		{"a key that no header can hold", with(contactArgs, "--idempotency-key=a\nb"), "--idempotency-key takes printable ASCII"},
		{"address without a scheme", []string{"health", "--url", "localhost:8080"}, "must begin with http:// or https://"},
		{"no time for health", []string{"health", "--timeout", "0s"}, "--timeout must be a time such as 5s"},
		{"question in Latin-1", []string{"ask", "Caf\xe9?"}, "not valid UTF-8"},
	}
	for _, tt := range tests {
		got := run(t, tt.args...)
		if got.code != ExitUsage || !strings.Contains(got.err, tt.want) {
			t.Errorf("%s: exit code %d, stderr %q, want it to say %q", tt.name, got.code, got.err, tt.want)
		}
	}
}

func TestAddressFromTheEnvironment(t *testing.T) {
	service := answering(t, contract.Health{Status: contract.HealthOK})
	t.Setenv("FRONTDESK_URL", service.url)
	if got := run(t, "health"); got.code != 0 || !strings.Contains(got.out, service.url) {
		t.Errorf("only the environment: %+v", got)
	}
	t.Setenv("FRONTDESK_URL", "nonsense")
	if got := run(t, "health", "--url", service.url); got.code != 0 {
		t.Errorf("the flag should win: %+v", got)
	}
	if got := run(t, "health"); got.code != ExitUsage || !strings.Contains(got.err, "FRONTDESK_URL") {
		t.Errorf("bad environment: %+v", got)
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, at, text string }{
		{"http://localhost:8080/", "http://localhost:8080/v1/health", "http://localhost:8080"},
		{" https://example.com/desk ", "https://example.com/desk/v1/health", "https://example.com/desk"},
		{"https://example.com/desk//", "https://example.com/desk/v1/health", "https://example.com/desk"},
		{"http://[::1]:8080", "http://[::1]:8080/v1/health", "http://[::1]:8080"},
		{"http://a:b@example.com", "http://a:b@example.com/v1/health", "http://a:xxxxx@example.com"},
	}
	for _, tt := range tests {
		base, err := parseAddress(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if at, text := base.base.JoinPath(contract.PathHealth).String(), base.String(); at != tt.at || text != tt.text {
			t.Errorf("%q is called at %q and shown as %q, want %q and %q", tt.in, at, text, tt.at, tt.text)
		}
	}
}

// TestParseAddressRefuses checks that an error names the flag and shows no password.
func TestParseAddressRefuses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "localhost:8080", "127.0.0.1:8080", "ftp://example.com", "http://", "http://:8080", "http://example.com?", "http://example.com/#top",
		"http://me:secret@exa mple/", "file://me:secret@example.com",
	} {
		if _, err := parseAddress(in); err == nil || !strings.Contains(err.Error(), "--url") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want an error with the flag's name and without the password", in, err)
		}
	}
}
