package contract_test

import (
	"fmt"
	"regexp"
	"testing"

	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/payload"
)

func TestMCPGuide(t *testing.T) {
	t.Parallel()
	guide := expect.File(t, "docs/mcp.md")
	expect.Holds(t, "the guide", guide, append(contract.MCPVersions, contract.PathMCP, contract.PathWorkspaceMCP,
		fmt.Sprint(contract.CapMCP, " bytes"), contract.HeaderRetryAfter, contract.ResourceLLMS, contract.ResourceOpenAPI,
		contract.ResourceAgents, contract.ResourcePricing, contract.ResourceDevelopers,
		contract.AskPolicy.Header(), contract.ContactPolicy.Header(), contract.TrialPolicy.Header())...)
	for tool, fields := range map[string][]string{
		contract.ToolListServices: nil, contract.ToolGetService: {contract.FieldID},
		contract.ToolAskFAQ: payload.QuestionFields, contract.ToolRequestPilot: payload.PilotFields,
		contract.ToolStartTrial: payload.TrialFields,
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
