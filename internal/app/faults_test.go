package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/app"
	"frontdesk/internal/config"
	"frontdesk/internal/control"
	"frontdesk/test/harness"
)

// TestFaultKeys: each message that has words for the owner is logged somewhere.
func TestFaultKeys(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for _, folder := range []string{"internal", "middleware"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || filepath.Base(path) == "faults.go" {
				return err
			}
			text, err := os.ReadFile(path)
			source.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for message := range app.FaultKeys {
		if !strings.Contains(source.String(), `"`+message+`"`) {
			t.Errorf("nothing logs %q", message)
		}
	}
}

// TestTwoServices: two services on one data folder are warned of in the log of the second,
// on the page of the state and in doctor, until one of them ends.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	first := harness.Start(t, harness.WithAdmin)
	first.WaitReady(t)
	inFirst := func(s *config.Settings) { s.Data = first.Settings.Data }
	if control.Shared(t.Context(), first.Settings.Dir()) {
		t.Error("one service counts as two")
	}
	t.Run("two", func(t *testing.T) {
		second := harness.Start(t, inFirst)
		second.Log.Wait(t, "two services run on one data folder", 1)
		if _, page := openPages(t, first).get(t, "/owner/state"); !strings.Contains(page, "Two desks run on one data folder now") {
			t.Errorf("the state does not show it:\n%s", page)
		}
		if _, out, _ := harness.Command(t, "doctor", "--data", first.Settings.Dir()); !strings.Contains(out, "two services run on") {
			t.Errorf("doctor: %s", out)
		}
	})
	if control.Shared(t.Context(), first.Settings.Dir()) {
		t.Error("a service that has ended still counts")
	}
}
