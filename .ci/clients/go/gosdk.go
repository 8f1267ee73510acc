package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK is the client of the official Go SDK.
type goSDK struct{ *mcp.ClientSession }

func connectGoSDK(ctx context.Context, url string) (session, string, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "frontdesk-ci", Version: "1"}, nil)
	s, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		return nil, "", err
	}
	return goSDK{s}, s.InitializeResult().ProtocolVersion, nil
}

func (s goSDK) tools(ctx context.Context) (names []string, err error) {
	list, err := s.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (s goSDK) resources(ctx context.Context) (map[string]string, error) {
	list, err := s.ListResources(ctx, nil)
	if err != nil {
		return nil, err
	}
	uris := map[string]string{}
	for _, resource := range list.Resources {
		uris[resource.Name] = resource.URI
	}
	return uris, nil
}

func (s goSDK) read(ctx context.Context, uri string) (string, error) {
	result, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	return result.Contents[0].Text, nil
}

func (s goSDK) call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", err
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		text = "isError: " + text
	}
	return text, nil
}
