package content

import (
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

func stateOf(fsys fs.FS) State {
	_, state, _ := LoadState(fsys) // of bad folders too
	return state
}

// TestState checks which changes give a folder another state.
func TestState(t *testing.T) {
	t.Parallel()
	without := folder(nil).(fstest.MapFS)
	delete(without, catalogFile)
	states := map[string]State{
		"good":             stateOf(folder(nil)),
		"other text":       stateOf(folder(files{faqFile: strings.Replace(goodFAQ, "Always", "Never", 1)})),
		"a comment":        stateOf(folder(files{faqFile: goodFAQ + "# later\n"})),
		"a page":           stateOf(folder(files{"pages/a.md": "A"})),
		"a page renamed":   stateOf(folder(files{"pages/b.md": "A"})),
		"golden":           stateOf(folder(files{goldenFile: "unanswered: [Why?]\n"})),
		"broken":           stateOf(folder(files{faqFile: "entries: ["})),
		"no catalog":       stateOf(without),
		"a page of no use": stateOf(folder(files{"pages/a.txt": "A"})),
		"nothing":          stateOf(fstest.MapFS{}),
	}
	seen := map[State]string{}
	for name, state := range states {
		if other, ok := seen[state]; ok {
			t.Errorf("%s and %s are one state", name, other)
		}
		seen[state] = name
		if revision := state.Revision(); len(revision) != revisionDigits {
			t.Errorf("%s: revision %q", name, revision)
		}
	}
	if stateOf(folder(nil)) != states["good"] || stateOf(folder(files{faqFile: "entries: ["})) != states["broken"] {
		t.Error("the same files are another state")
	}
	if stateOf(folder(files{".faq.yaml.swp": "x"})) != states["good"] {
		t.Error("a file that is not read makes another state")
	}
}

// TestBounds exceeds the bounds of a folder.
func TestBounds(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("x", maxFile)
	many := files{}
	for _, name := range []string{"a", "b", "c", "d"} {
		many["pages/"+name+pageEnding] = page
	}
	tests := map[string]struct {
		fsys fs.FS
		want string
	}{
		"one file": {folder(files{faqFile: page + "x"}), "faq.yaml: the file is larger than 16 MiB"},
		"all":      {folder(many), "pages/d.md: with this file the folder is larger than 64 MiB"},
		"a pipe": {fstest.MapFS{catalogFile: {Data: []byte(goodCatalog)}, faqFile: {Mode: fs.ModeNamedPipe}},
			"faq.yaml: the file cannot be read: it is not a regular file"},
		"no permission": {denied{folder(nil)}, "faq.yaml: the file cannot be read: open faq.yaml: permission denied"},
	}
	for name, tt := range tests {
		if faults := faultsOf(t, tt.fsys); !slices.Contains(faults, tt.want) {
			t.Errorf("%s: faults = %q, want %q", name, faults, tt.want)
		}
	}
}

// denied is a folder whose entries cannot be opened.
type denied struct{ fs.FS }

func (d denied) Open(name string) (fs.File, error) {
	if name == faqFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EACCES}
	}
	return d.FS.Open(name)
}
