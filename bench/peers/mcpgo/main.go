// Command mcpgo is the peer with mcp-go, which frontdesk also uses, and its own
// Streamable HTTP transport, without sessions. It has no log, limits or origin check, and
// always gives the recorded answer.
package main

import (
	"context"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/bench/peers/recorded"
)

func main() {
	log.Fatal(run())
}

func run() error {
	answers, err := recorded.Read()
	if err != nil {
		return err
	}
	s := server.NewMCPServer("mcp-go", "1.0.0", server.WithToolCapabilities(false))
	list := mcp.NewTool("list_services", mcp.WithDescription("Lists the services of the catalog."))
	ask := mcp.NewTool("ask_faq", mcp.WithDescription("Answers from approved text."), mcp.WithString("q", mcp.Required()))
	for scenario, tool := range map[string]mcp.Tool{recorded.ListServices: list, recorded.AskFAQ: ask} {
		result, err := answers.Result(scenario)
		if err != nil {
			return err
		}
		s.AddTool(tool, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer := mcp.NewToolResultText(result.Content[0].Text)
			if result.StructuredContent != nil {
				answer.StructuredContent = result.StructuredContent
			}
			return answer, nil
		})
	}
	return recorded.Serve(server.NewStreamableHTTPServer(s, server.WithStateLess(true), server.WithDisableStreaming(true)))
}
