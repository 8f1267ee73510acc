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
	obstacle := func(settings config.Settings, now *snapshot) string {
		s := &Service{config: config.Service{Settings: settings}, live: &live{}}
		s.live.current.Store(now)
		return s.obstacle()
	}
	for name, settings := range map[string]config.Settings{
		"the sample":        {},
		"several instances": {Content: folder, DataFolder: config.DataFolder{DatabaseURL: "postgres://db"}},
		"a missing folder":  {Content: folder + "/none"},
	} {
		if obstacle(settings, &snapshot{}) == "" {
			t.Errorf("%s could be changed", name)
		}
	}
	own := config.Settings{Content: folder}
	if obstacle(own, &snapshot{untried: true}) == "" {
		t.Error("content that is still being read could be changed")
	}
	if got := obstacle(own, &snapshot{}); got != "" {
		t.Errorf("a folder of one instance: %s", got)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the check has left %v, %v", left, err)
	}
}
