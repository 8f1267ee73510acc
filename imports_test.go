package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"frontdesk/contract"
)

// rooms are the packages from the ground up: a package imports only what stands
// on a lower floor (docs/ARCHITECTURE.md).
var rooms = [][]string{
	{"contract"},
	{"internal/payload", "internal/negotiate", "internal/durable", "internal/watch"},
	{"content", "internal/records", "mailer", "internal/limits", "internal/signing"},
	{"internal/outbox", "internal/model", "internal/quota"},
	{"faq/text"},
	{"faq/lexical"},
	{"faq", "internal/gaps", "internal/pilot", "internal/workspace", "internal/discovery", "internal/site"},
	{"handlers", "mcpserver", "middleware"},
	{"routes", "internal/config", "internal/metrics"},
	{"internal/doctor"},
	{"."},
}

// outside are packages that stand beside the house: they know the listed ones alone.
var outside = map[string][]string{
	// A module of its own that measures the built program from outside.
	"bench":                {"bench/load", "bench/peers/recorded", "bench/report", "bench/server"},
	"bench/load":           {},
	"bench/peers/gosdk":    {"bench/peers/recorded"},
	"bench/peers/mcpgo":    {"bench/peers/recorded"},
	"bench/peers/recorded": {},
	"bench/peers/replay":   {"bench/load", "bench/peers/recorded"},
	"bench/report":         {},
	"bench/server":         {"bench/load"},
	"internal/client":      {"contract"},
	"conform":              {"contract"},
	"test/faults":          {}, // its tests know what they break
	"internal/golden":      {},
	"internal/manual":      {},
	"mailer/mailtest":      {},
	"internal/programs":    {},
	// A program for the tests of others, on our own transport.
	"mcpserver/fixture":        {"contract", "mcpserver", "middleware", "routes"},
	"internal/model/modeltest": {},
	"faq/evaluation":           {},
	"tools/selector":           {"content", "faq", "faq/evaluation", "faq/lexical"},
}

func floor(room string) int {
	return slices.IndexFunc(rooms, func(floor []string) bool { return slices.Contains(floor, room) })
}

// TestImportsRunOneWay fails on an arrow that runs back or sideways, and on a
// package that nobody has given a place.
func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	for room, imported := range imports(t) {
		allowed, isOutside := outside[room]
		if !isOutside && floor(room) < 0 {
			t.Errorf("package %s stands on no floor: give it one in this test and in docs/ARCHITECTURE.md", room)
			continue
		}
		for _, other := range imported {
			switch {
			case isOutside && !slices.Contains(allowed, other):
				t.Errorf("%s imports %s: it may know %v alone", room, other, allowed)
			case !isOutside && room != "." && floor(other) >= floor(room):
				t.Errorf("%s imports %s, which does not stand on a lower floor", room, other)
			}
		}
	}
}

// imports lists, for each package of the module, which others its code imports.
// Tests may import more.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || (file != "." && strings.HasPrefix(entry.Name(), "."))) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		room := path.Dir(filepath.ToSlash(file))
		found[room] = append(found[room], ours(source.Imports)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// ours are the imports of this module, without its name.
func ours(specs []*ast.ImportSpec) []string {
	var names []string
	for _, spec := range specs {
		if name, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), contract.Product+"/"); ok {
			names = append(names, name)
		}
	}
	return names
}
