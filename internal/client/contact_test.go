package client

import (
	"strings"
	"testing"

	"frontdesk/contract"
)

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
