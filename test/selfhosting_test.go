package test

import (
	"os"
	"slices"
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
	var tables strings.Builder
	rows := map[string]string{}
	for _, one := range (config.Settings{}).WithDefaults().Describe() {
		if !strings.HasSuffix(one.Name, config.FileSuffix) {
			unset := one.Default
			if one.Value != "" {
				unset = "`" + one.Value + "`"
			}
			semantic, _, _ := strings.Cut(one.Help, " Default: ")
			rows[one.Group] += "| " + strings.Join([]string{"`" + one.Name + "`", semantic, unset}, " | ") + " |\n"
		}
	}
	for _, group := range config.Groups {
		tables.WriteString("\n### " + group.Title + "\n\n| variable | meaning | default |\n|---|---|---|\n" + rows[group.Key])
	}
	golden.Check(t, path, []byte(before+"<!-- settings"+mark+"\n"+tables.String()+"\n<!-- end of settings -->"+after))
}

// TestSelfHostingFlags checks the page's rule for making a flag from a variable's name.
func TestSelfHostingFlags(t *testing.T) {
	t.Parallel()
	_, script, _ := harness.Command(t, "completion", "bash") // which has the flags that help does not list
	for _, setting := range (config.Settings{}).Describe() {
		flag := "--" + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting.Name, config.Prefix), "_", "-"))
		if !slices.Contains(strings.Fields(script), flag) {
			t.Errorf("%s is not the flag %s", setting.Name, flag)
		}
	}
}
