package contract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	expect.Holds(t, "the guide", guide, wanted...)
	for tool, fields := range map[string][]string{
		contract.ToolListServices: nil, contract.ToolGetService: {contract.FieldID}, contract.ToolAskFAQ: payload.QuestionFields,
		contract.ToolRequestPilot: payload.PilotFields, contract.ToolStartTrial: payload.TrialFields,
	} {
		row := regexp.MustCompile("(?m)^\\| `" + tool + "` \\|.*$").FindString(guide)
		if row == "" {
			t.Errorf("the guide lacks a row for %s", tool)
		}
		for _, field := range fields {
			expect.Holds(t, "the row of "+tool, row, "`"+field+"`")
		}
	}
}
