package admin

import (
	"os"
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
	encoding := live.New(live.Config{Builder: live.Builder{BuildAnswerer: func(approved content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *faq.Answerer {
		<-hold
		return faq.New(approved, unanswered, resolveURL)
	}}})
	encoding.Patience = 1
	expect.OK(t, encoding.Load(t.Context()), encoding.Start(t.Context()))
	own, loading := config.Settings{Content: folder}, live.New(live.Config{})
	for _, tt := range []struct {
		name     string
		settings config.Settings
		content  *live.Content
		want     string
	}{
		{"the sample", config.Settings{}, loading, "owner.obstacle.sample"},
		{"several instances", config.Settings{Content: folder, DataFolder: config.DataFolder{DatabaseURL: "postgres://db"}}, loading, "owner.obstacle.shared"},
		{"a missing folder", config.Settings{Content: folder + "/none"}, loading, "owner.obstacle.folder"},
		{"content that is still being read", own, encoding, "owner.obstacle.reading"},
		{"a folder of one instance", own, loading, ""},
	} {
		a := &Admin{Config: Config{Settings: config.Service{Settings: tt.settings}, Live: tt.content}}
		expect.Same(t, tt.name, tt.want, a.obstacle())
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the check has left %v, %v", left, err)
	}
}
