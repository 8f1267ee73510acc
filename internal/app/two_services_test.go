package app_test

import (
	"testing"

	"frontdesk/internal/admin"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// Two services on one data folder are warned of in the log of the second, on the page of the state and in doctor.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	first := harness.Start(t, harness.WithAdmin)
	first.WaitReady(t)
	inFirst := func(s *config.Settings) { s.Data = first.Settings.Data }
	if admin.IsShared(t.Context(), first.Settings.Dir()) {
		t.Error("one service counts as two")
	}
	t.Run("two", func(t *testing.T) {
		second := harness.Start(t, inFirst)
		second.Log.Wait(t, "two services run on one data folder", 1)
		openPages(t, first).get(t, "/owner/state", 200, "Two copies of the desk are using the same data folder")
		_, out, _ := harness.Command(t, "doctor", "--data", first.Settings.Dir())
		expect.Holds(t, "doctor", out, "two services run on")
	})
	if admin.IsShared(t.Context(), first.Settings.Dir()) {
		t.Error("a service that has ended still counts")
	}
}
