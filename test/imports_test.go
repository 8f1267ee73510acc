package test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

var rooms = [][]string{
	{"contract"},
	{"internal/payload", "internal/disk", "internal/i18n", "internal/span"},
	{"content", "internal/records", "mailer", "internal/limits", "internal/signing", "internal/certificates"},
	{"internal/images"},
	{"internal/backup", "internal/outbox", "internal/notify", "internal/model", "internal/quota"},
	{"faq/text"},
	{"faq/encoder"},
	{"faq/lexical"},
	{"faq/semantic"},
	{"faq", "internal/questions", "internal/pilot", "internal/discovery", "internal/site"},
	{"handlers", "mcpserver", "middleware"},
	{"internal/owner"},
	{"routes", "internal/config", "internal/metrics"},
	{"internal/server", "internal/live"},
	{"internal/admin"},
	{"internal/app"},
	{"internal/doctor"},
	{"internal/command"},
	{"desk"},
	{"."},
}

// apart lists packages outside the rows: they import only the packages listed here.
var apart = map[string][]string{
	// A separate module that measures the built program from outside.
	"bench":                {"bench/load", "bench/peers/recorded", "bench/report", "bench/server"},
	"bench/load":           {},
	"bench/peers/gosdk":    {"bench/peers/recorded"},
	"bench/peers/mcpgo":    {"bench/peers/recorded"},
	"bench/peers/recorded": {},
	"bench/peers/replay":   {"bench/load", "bench/peers/recorded"},
	"bench/report":         {},
	"bench/server":         {"bench/load"},

	"conform":         {"contract"},
	"conform/checks":  {"conform", "contract"},
	"faq/evaluation":  {},
	"internal/client": {"contract", "internal/payload"},
	"internal/curation": {
		"content", "contract", "faq", "internal/disk", "internal/questions", "internal/records", "mailer",
	},
	"internal/importer": {"content", "contract"},
	"faq/train/encoder": {"faq/encoder", "faq/train/encoder/weightfile"},
	"faq/train/selector": {
		"content", "faq", "faq/encoder", "faq/evaluation", "faq/lexical", "faq/semantic", "faq/text",
		"faq/train/encoder/weightfile",
	},

	"faq/train/encoder/weightfile": {"faq/encoder"},
}

// forTests lists packages that only tests import.
var forTests = []string{
	"conform/mutants", "internal/expect", "internal/golden", "internal/model/modeltest", "internal/programs",
	"mailer/mailtest", "mcpserver/fixture", "test/faults", "test/harness",
}

func row(room string) int {
	return slices.IndexFunc(rooms, func(row []string) bool { return slices.Contains(row, room) })
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	for room, imported := range imports(t) {
		allowed, isApart := apart[room]
		isForTests := slices.Contains(forTests, room)
		if !isApart && !isForTests && row(room) < 0 {
			t.Errorf("package %s has no place: add it to this test and to docs/ARCHITECTURE.md", room)
			continue
		}
		for _, other := range imported {
			switch {
			case isForTests:
			case slices.Contains(forTests, other):
				t.Errorf("%s imports %s, which is for tests", room, other)
			case isApart && !slices.Contains(allowed, other):
				t.Errorf("%s imports %s; it may import only %v", room, other, allowed)
			case !isApart && room != "." && row(other) >= row(room):
				t.Errorf("%s imports %s, which is not in a lower row", room, other)
			}
		}
	}
}

// docs/ARCHITECTURE.md has every package, and
// its picture every package of a row.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	page := expect.File(t, "docs/ARCHITECTURE.md")
	picture := expect.File(t, "docs/rooms.svg")
	for room := range imports(t) {
		folder, _, _ := strings.Cut(room, "/")
		if room == "." || folder == "bench" || folder == "test" { // one row for each of these folders
			continue
		}
		expect.Holds(t, "docs/ARCHITECTURE.md", page, "`"+room+"`")
		if row(room) >= 0 && room != "faq/encoder" {
			expect.Holds(t, "docs/rooms.svg", picture, ">"+path.Base(room)+"</text>")
		}
	}
}

func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	expect.OK(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "testdata" || name == "node_modules" || file != "." && name[0] == '.'):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		room := path.Dir(filepath.ToSlash(file))
		names := found[room]
		for _, spec := range source.Imports {
			if name, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), contract.Product+"/"); ours {
				names = append(names, name)
			}
		}
		found[room] = names
		return nil
	}))
	return found
}
