// Package programs finds and starts the real programs that tests need beside Go.
// A test whose program is missing is skipped with a line that says what to install;
// with CI=true it fails, so that nothing is skipped there unseen.
package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Find returns the path of a program, looked for on the PATH and in further places
// (patterns of filepath.Glob; the last match counts, so that the newest version of
// several wins). install is the command that would install it.
func Find(t testing.TB, name, install string, places ...string) string {
	t.Helper()
	for _, place := range slices.Backward(places) {
		if found, _ := filepath.Glob(place); len(found) > 0 {
			return found[len(found)-1]
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name, install)
	}
	return path
}

// Missing ends a test whose program or file is not there: skipped, or failed in CI.
func Missing(t testing.TB, name, install string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing, and CI needs it: %s", name, install)
	}
	t.Skipf("%s is missing: %s", name, install)
}
