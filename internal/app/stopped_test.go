package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

// Files that were edited while no service ran are one row of the history at the next start, in the language of the
// business. A start without an edit has none.
func TestEditedWhileStopped(t *testing.T) {
	t.Parallel()
	dir, data := harness.SmallContent(t), filepath.Join(t.TempDir(), "missing", "data")
	catalog := expect.File(t, filepath.Join(dir, "catalog.yaml"))
	harness.Edit(t, dir, "catalog.yaml", strings.Replace(catalog, "languages: [en]", "languages: [pt]", 1))
	faq := filepath.Join(dir, "faq.yaml")
	before := expect.File(t, faq)
	run := func(name, edit string, n int) (list []records.Change) {
		t.Run(name, func(t *testing.T) {
			d := harness.Start(t, func(s *config.Settings) { s.Content, s.Data = dir, data })
			expect.Same(t, "mode of the data folder", fs.ModeDir|0o700, expect.Value(os.Stat(data))(t).Mode())
			if edit != "" {
				harness.Edit(t, dir, "faq.yaml", strings.Replace(before, "Always.", edit, 1))
			}
			harness.Eventually(t, func() bool {
				list = expect.Value(d.Store().Changes(t.Context(), records.Page{Limit: 9}))(t)
				return len(list) >= n
			})
		})
		return list
	}
	first := run("edited while it runs", "From nine.", 1)[0]
	expect.Same(t, "the line of an edit while it runs", "Editado: faq.yaml", first.Summary)
	harness.Edit(t, dir, "faq.yaml", strings.Replace(before, "Always.", "From ten.", 1))
	list := run("edited while it was stopped", "", 2)
	if got := list[0]; got.From != first.To || got.To == got.From || got.Source != records.ByFile || got.Diff != "" || got.Summary != "Editado enquanto o serviço estava parado" {
		t.Errorf("the history has %+v", got)
	}
	list = run("not edited", "From eleven.", 3)
	if len(list) != 3 || list[0].From != list[1].To || !strings.Contains(list[0].Diff, "From eleven.") {
		t.Errorf("the history has %+v", list)
	}
}
