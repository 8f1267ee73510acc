package app

import (
	"os"
	"testing"
)

// TestObstacle: the page says why it cannot change the files.
func TestObstacle(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, c := range map[string]*corrections{
		"the sample":        {},
		"several instances": {folder: folder, shared: true},
		"a missing folder":  {folder: folder + "/none"},
	} {
		if c.Obstacle() == "" {
			t.Errorf("%s could be changed", name)
		}
	}
	if obstacle := (&corrections{folder: folder}).Obstacle(); obstacle != "" {
		t.Errorf("a folder of one instance: %s", obstacle)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the check has left %v, %v", left, err)
	}
}
