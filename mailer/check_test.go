package mailer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

const checkedFrom = "desk@desk.example"

func TestCheckOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	expect.OK(t, os.WriteFile(file, nil, 0o600))
	missing := filepath.Join(dir, "missing")
	for _, good := range []string{dir, missing} {
		if err := (&Folder{dir: good}).Check(t.Context(), checkedFrom); err != nil {
			t.Error(err)
		}
	}
	checkFailure(t, (&Folder{dir: file}).Check(t.Context(), checkedFrom), stageFile)
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("a check leaves %v behind", left)
	}
}

// checkFailure fails unless the error names the stage and has a hint for the owner.
func checkFailure(t *testing.T, err error, stage string) {
	t.Helper()
	failure, ok := errors.AsType[*Error](err)
	if !ok || failure.Stage != stage || failure.Hint() == "" {
		t.Errorf("error = %v, want one at %s with a hint", err, stage)
	}
}
