package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// LintManPage checks a man page with the two programs that read such pages, in parallel
// subtests.
func LintManPage(t *testing.T, page []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.1")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	for program, args := range map[string][]string{
		"mandoc": {"-T", "lint", "-W", "warning"},
		"groff":  {"-ww", "-z", "-man", "-Tutf8"},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			reader := Find(t, program, "apt-get install "+program)
			if out, err := exec.Command(reader, append(args, path)...).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
