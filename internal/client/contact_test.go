package client

import (
	"regexp"
	"strings"
	"testing"

	"frontdesk/contract"
)

// TestIdempotencyKeyOnTheWire checks that a real send has a key, a random one by
// default, and that a dry run has none.
func TestIdempotencyKeyOnTheWire(t *testing.T) {
	t.Parallel()
	random := `^[A-Z2-7]{26}$`
	for name, tt := range map[string]struct {
		answer any
		extra  []string
		want   string
	}{
		"real send":   {sampleAccepted, nil, random},
		"with a key":  {sampleAccepted, []string{"--idempotency-key=k-1"}, `^k-1$`},
		"as approved": {sampleAccepted, []string{"--preview=3b7c0d"}, random},
		"dry run":     {samplePreview, []string{"--dry-run", "--idempotency-key=k-1"}, `^$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := answering(t, tt.answer)
			if got := run(t, with(with(contactArgs, tt.extra...), "--url", service.url)...); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			if got := service.header.Get("Idempotency-Key"); !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("the key on the wire is %q, want %s", got, tt.want)
			}
		})
	}
}

// TestKeyToTryAgain checks that the key is shown only after failures that may be retried.
func TestKeyToTryAgain(t *testing.T) {
	t.Parallel()
	for code, advised := range map[contract.Code]bool{
		contract.BadGateway: true, contract.InternalError: true, contract.InvalidRequest: false, contract.RateLimited: false,
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			service := refusing(t, &contract.Error{Code: code, Detail: "No."}, nil)
			got := run(t, with(contactArgs, "--url", service.url)...)
			flat := strings.Join(strings.Fields(got.err), " ")
			advice := "repeat the command with --idempotency-key " + service.header.Get("Idempotency-Key") + ":"
			if got.code != ExitRefused || strings.Contains(flat, advice) != advised {
				t.Errorf("exit code %d, stderr %q; shows %q: want %v", got.code, flat, advice, advised)
			}
		})
	}
	t.Run("a dry run", func(t *testing.T) {
		t.Parallel()
		service := refusing(t, &contract.Error{Code: contract.InternalError, Detail: "No."}, nil)
		if got := run(t, with(contactArgs, "--dry-run", "--url", service.url)...); strings.Contains(got.err, "idempotency") {
			t.Errorf("%+v", got)
		}
	})
}
