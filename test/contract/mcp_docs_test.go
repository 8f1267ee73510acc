package contract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/payload"
)

func TestMCPGuide(t *testing.T) {
	t.Parallel()
	text := expect.Value(os.ReadFile(filepath.Join("docs", "mcp.md")))(t)
	guide := string(text)
	wanted := []string{contract.PathMCP, contract.PathWorkspaceMCP, fmt.Sprint(contract.CapMCP, " bytes"), contract.HeaderRetryAfter,
		contract.ResourceLLMS, contract.ResourceOpenAPI, contract.ResourceAgents, contract.ResourcePricing, contract.ResourceDevelopers}
	for _, policy := range []contract.Policy{contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy} {
		wanted = append(wanted, policy.Header())
	}
	wanted = append(wanted, contract.MCPVersions...)
	for _, text := range wanted {
		if !strings.Contains(guide, text) {
			t.Errorf("the guide lacks %s", text)
		}
	}
	for tool, fields := range map[string][]string{
		contract.ToolListServices: nil, contract.ToolGetService: {contract.FieldID}, contract.ToolAskFAQ: payload.QuestionFields,
		contract.ToolRequestPilot: payload.PilotFields, contract.ToolStartTrial: payload.TrialFields,
	} {
		row := regexp.MustCompile("(?m)^\\| `" + tool + "` \\|.*$").FindString(guide)
		if row == "" {
			t.Errorf("the guide lacks a row for %s", tool)
		}
		for _, field := range fields {
			if !strings.Contains(row, "`"+field+"`") {
				t.Errorf("the row of %s lacks %s: %s", tool, field, row)
			}
		}
	}
}
