// Command gosdk is the peer with the official Go SDK of MCP, without sessions and with
// JSON answers. It has no log, limits or origin check, and always gives the recorded
// answer.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"frontdesk/bench/peers/recorded"
)

type noArguments struct{}

type question struct {
	Q string `json:"q" jsonschema:"the question"`
}

func main() {
	log.Fatal(run())
}

func run() error {
	answers, err := recorded.Read()
	if err != nil {
		return err
	}
	listed, err := answers.Result(recorded.ListServices)
	if err != nil {
		return err
	}
	answered, err := answers.Result(recorded.AskFAQ)
	if err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "list_services", Description: "Lists the services of the catalog."},
		giving[noArguments](listed))
	mcp.AddTool(s, &mcp.Tool{Name: "ask_faq", Description: "Answers from approved text."}, giving[question](answered))
	return recorded.Serve(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
}

// giving returns a tool that gives a recorded result.
func giving[In any](result recorded.Result) mcp.ToolHandlerFor[In, any] {
	return func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, any, error) {
		answer := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: result.Content[0].Text}}}
		if result.StructuredContent != nil {
			answer.StructuredContent = result.StructuredContent
		}
		return answer, nil, nil
	}
}
