package test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/golden"
	"frontdesk/test/harness"
)

// TestSelfHostingSettings compares the table of docs/self-hosting.md with the settings;
// -update rewrites it.
func TestSelfHostingSettings(t *testing.T) {
	t.Parallel()
	const path = "docs/self-hosting.md"
	text := expect.Value(os.ReadFile(path))(t)
	before, rest, begun := strings.Cut(string(text), "<!-- settings")
	mark, rest, _ := strings.Cut(rest, "\n")
	_, after, ended := strings.Cut(rest, "<!-- end of settings -->")
	if !begun || !ended {
		t.Fatalf("%s has no place for the table of settings", path)
	}
	table := "\n| variable | meaning | default |\n|---|---|---|\n" + strings.Join(settingRows(reflect.TypeFor[config.Settings]()), "")
	golden.Check(t, path, []byte(before+"<!-- settings"+mark+"\n"+table+"\n<!-- end of settings -->"+after))
}

// settingRows returns the settings as rows of a Markdown table, in their order.
func settingRows(settings reflect.Type) []string {
	var rows []string
	for field := range settings.Fields() {
		if field.Anonymous {
			rows = append(rows, settingRows(field.Type)...)
			continue
		}
		if _, obsolete := field.Tag.Lookup("hidden"); obsolete {
			continue
		}
		meaning, unset, _ := strings.Cut(field.Tag.Get("help"), " Default: ")
		if set := field.Tag.Get("default"); set != "" {
			unset = "`" + set + "`"
		}
		cells := []string{"`" + field.Tag.Get("env") + "`", meaning, strings.TrimSuffix(unset, ".")}
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |\n")
	}
	return rows
}

// TestSelfHostingFlags checks the page's rule for making a flag from a variable's name.
func TestSelfHostingFlags(t *testing.T) {
	t.Parallel()
	_, help, _ := harness.Command(t, "serve", "--help")
	for _, setting := range (config.Settings{}).Describe() {
		flag := "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting.Name, config.Prefix), "_", "-"))
		if !strings.Contains(help, flag+"=") && flag != "--answered-rows" { // obsolete, so no help lists it
			t.Errorf("%s is not the flag %s", setting.Name, flag)
		}
	}
}
