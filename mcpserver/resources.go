package mcpserver

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
)

// Documents returns the documents and pages of one snapshot of the content by path.
type Documents interface {
	Document(path string) *discovery.Document
	Page(path string) *discovery.Page
}

// addResources registers the resources of the website (section 4), under the addresses at
// which HTTP serves the same bytes, and returns these. mcp-go reads each once, when the
// answers are prepared.
func addResources(registry *server.MCPServer, baseURL string, documents Documents) (uris []string) {
	for _, r := range []struct {
		path, name, description string
		document                *discovery.Document
	}{
		{contract.PathLLMS, contract.ResourceLLMS, "The guide for language models: what this service is and where everything is.",
			documents.Document(contract.PathLLMS)},
		{contract.PathOpenAPI, contract.ResourceOpenAPI, "The OpenAPI description of the HTTP API.",
			documents.Document(contract.PathOpenAPI)},
		{contract.PathCatalogAlias, contract.ResourceAgents, "The catalog: services, prices, how to get in touch.",
			documents.Document(contract.PathCatalog)},
		{contract.PathPricing, contract.ResourcePricing, "The prices, as Markdown.",
			documents.Page(contract.PathPricing).Markdown},
		{contract.PathDevelopers, contract.ResourceDevelopers, "The developer page, as Markdown: endpoints, bounds, limits and errors.",
			documents.Page(contract.PathDevelopers).Markdown},
	} {
		uri := baseURL + r.path
		mediaType, _, _ := strings.Cut(r.document.ContentType, ";")
		contents := []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: mediaType, Text: string(r.document.Body.Bytes)}}
		registry.AddResource(
			mcp.NewResource(uri, r.name, mcp.WithResourceDescription(r.description), mcp.WithMIMEType(mediaType)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { return contents, nil })
		uris = append(uris, uri)
	}
	return uris
}
