package test

import (
	"fmt"
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
	const path, begin, end = "docs/self-hosting.md", "<!-- settings", "<!-- end of settings -->"
	text := expect.File(t, path)
	expect.Holds(t, path, text, begin, end)
	before, rest, _ := strings.Cut(text, begin)
	mark, rest, _ := strings.Cut(rest, "\n")
	_, after, _ := strings.Cut(rest, end)
	var tables strings.Builder
	rows := map[string]string{}
	for _, one := range (config.Settings{}).WithDefaults().Describe() {
		if !strings.HasSuffix(one.Name, config.FileSuffix) {
			unset := one.Default
			if one.Value != "" {
				unset = "`" + one.Value + "`"
			}
			semantic, _, _ := strings.Cut(one.Help, " Default: ")
			rows[one.Group] += fmt.Sprintf("| `%s` | %s | %s |\n", one.Name, semantic, unset)
		}
	}
	for _, group := range config.Groups {
		tables.WriteString("\n### " + group.Title + "\n\n| variable | meaning | default |\n|---|---|---|\n" + rows[group.Key])
	}
	golden.Check(t, path, []byte(before+begin+mark+"\n"+tables.String()+"\n"+end+after))
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
