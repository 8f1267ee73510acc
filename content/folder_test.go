package content

import (
	"errors"
	"io/fs"
	"maps"
	"testing"
	"testing/fstest"
)

// goodCatalog and goodFAQ are the least that Load accepts.
const (
	goodCatalog = `business: {name: Acme, summary: We make things.}
services:
  - {id: making, name: Making, summary: We make it., description: In full., pricing_band: small}
pricing_bands:
  - {id: small, name: Small, summary: Little., currency: EUR, from: 10, unit: piece}
`
	goodFAQ = `fallback: Ask a person.
entries:
  - {id: hours, question: When are you open?, answer: Always.}
`
)

// files are the files of a content folder by name; folder adds the required ones.
type files map[string]string

func folder(changed files) fs.FS {
	all := files{catalogFile: goodCatalog, faqFile: goodFAQ}
	maps.Copy(all, changed)
	fsys := fstest.MapFS{}
	for name, text := range all {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func mustLoad(t testing.TB, fsys fs.FS) *Content {
	t.Helper()
	loaded, err := Load(fsys)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return loaded
}

// faultsOf loads a folder and returns its faults as text, none when it is good.
func faultsOf(t testing.TB, fsys fs.FS) []string {
	t.Helper()
	_, err := Load(fsys)
	if err == nil {
		return nil
	}
	faults, ok := errors.AsType[Faults](err)
	if !ok {
		t.Fatalf("Load returned %T, not Faults: %v", err, err)
	}
	return texts(faults)
}

func texts(faults []Fault) []string {
	var all []string
	for _, fault := range faults {
		all = append(all, fault.String())
	}
	return all
}
