package app

import (
	"os"
	"testing"

	"frontdesk/internal/config"
)

// TestObstacle: the page says why it cannot change the files.
func TestObstacle(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, settings := range map[string]config.Settings{
		"the sample":        {},
		"several instances": {Content: folder, DataFolder: config.DataFolder{DatabaseURL: "postgres://db"}},
		"a missing folder":  {Content: folder + "/none"},
	} {
		if (&corrections{&Service{settings: settings}}).Obstacle() == "" {
			t.Errorf("%s could be changed", name)
		}
	}
	if obstacle := (&corrections{&Service{settings: config.Settings{Content: folder}}}).Obstacle(); obstacle != "" {
		t.Errorf("a folder of one instance: %s", obstacle)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the check has left %v, %v", left, err)
	}
}
