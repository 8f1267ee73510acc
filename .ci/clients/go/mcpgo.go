package main

import (
	"context"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGo is the client of mark3labs/mcp-go.
type mcpGo struct{ *client.Client }

func connectMCPGo(ctx context.Context, url string) (_ session, version string, err error) {
	c, err := client.NewStreamableHttpClient(url)
	if err != nil {
		return nil, "", err
	}
	if err := c.Start(ctx); err != nil {
		return nil, "", err
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "frontdesk-ci", Version: "1"}
	result, err := c.Initialize(ctx, hello)
	if err != nil {
		return nil, "", err
	}
	return mcpGo{c}, result.ProtocolVersion, nil
}

func (c mcpGo) tools(ctx context.Context) (names []string, err error) {
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (c mcpGo) resources(ctx context.Context) (map[string]string, error) {
	list, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		return nil, err
	}
	uris := map[string]string{}
	for _, resource := range list.Resources {
		uris[resource.Name] = resource.URI
	}
	return uris, nil
}

func (c mcpGo) read(ctx context.Context, uri string) (string, error) {
	var request mcp.ReadResourceRequest
	request.Params.URI = uri
	result, err := c.ReadResource(ctx, request)
	if err != nil {
		return "", err
	}
	return result.Contents[0].(mcp.TextResourceContents).Text, nil
}

func (c mcpGo) call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := c.CallTool(ctx, request)
	if err != nil {
		return "", err
	}
	text := result.Content[0].(mcp.TextContent).Text
	if result.IsError {
		text = "isError: " + text
	}
	return text, nil
}
