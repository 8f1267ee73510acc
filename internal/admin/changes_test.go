package admin

import (
	"os"
	"syscall"
	"testing"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/live"
)

func TestObstacle(t *testing.T) {
	t.Parallel()
	folder, hold := t.TempDir(), make(chan struct{})
	t.Cleanup(func() { close(hold) })
	build := func(approved content.FAQ, golden []content.GoldenQuestion, resolve func(string) string) *faq.Answerer {
		<-hold
		return faq.New(approved, golden, resolve)
	}
	encoding := live.New(live.Config{Builder: live.Builder{BuildAnswerer: build}})
	encoding.Patience = 1
	expect.OK(t, encoding.Load(t.Context()), encoding.Start(t.Context()))
	own, loading := config.Settings{Content: folder}, live.New(live.Config{})
	shared := own
	shared.DatabaseURL = "postgres://db"
	for _, tt := range []struct {
		settings config.Settings
		content  *live.Content
		want     string
	}{
		{config.Settings{}, loading, "owner.obstacle.sample"},
		{shared, loading, "owner.obstacle.shared"},
		{config.Settings{Content: folder + "/none"}, loading, "owner.obstacle.folder"},
		{own, encoding, "owner.obstacle.reading"},
		{own, loading, ""},
	} {
		a := &Admin{Config: Config{Settings: config.Service{Settings: tt.settings}, Live: tt.content}}
		expect.Same(t, "the obstacle", tt.want, a.obstacle())
	}
	expect.Same(t, "a full disk", "owner.reason.full", obstacleOf(syscall.ENOSPC))
	expect.Same(t, "files that the check has left", 0, len(expect.Value(os.ReadDir(folder))(t)))
}
