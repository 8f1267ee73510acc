package mcpserver

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
)

// Documents returns the documents and pages of one snapshot of the content by path, nil
// if there is none.
type Documents interface {
	Document(path string) *discovery.Document
	Page(path string) *discovery.Page
}

// resource is one published document as an MCP resource.
type resource struct {
	uri, name, description string
	document               *discovery.Document
}

type resources []resource

// published lists the existing resources of the website (section 4), under the addresses
// at which HTTP serves the same bytes.
func published(baseURL string, documents Documents) resources {
	all := resources{
		{baseURL + contract.PathLLMS, contract.ResourceLLMS,
			"The guide for language models: what this service is and where everything is.",
			documents.Document(contract.PathLLMS)},
		{baseURL + contract.PathOpenAPI, contract.ResourceOpenAPI,
			"The OpenAPI description of the HTTP API.",
			documents.Document(contract.PathOpenAPI)},
		{baseURL + contract.PathCatalogAlias, contract.ResourceAgents,
			"The catalog: services, prices, how to get in touch.",
			documents.Document(contract.PathCatalog)},
		{baseURL + contract.PathPricing, contract.ResourcePricing,
			"The prices, as Markdown.",
			markdown(documents.Page(contract.PathPricing))},
		{baseURL + contract.PathDevelopers, contract.ResourceDevelopers,
			"The developer page, as Markdown: endpoints, bounds, limits and errors.",
			markdown(documents.Page(contract.PathDevelopers))},
	}
	existing := all[:0]
	for _, r := range all {
		if r.document != nil {
			existing = append(existing, r)
		}
	}
	return existing
}

func markdown(page *discovery.Page) *discovery.Document {
	if page == nil {
		return nil
	}
	return page.Markdown
}

func (all resources) list() []string {
	uris := make([]string, len(all))
	for i, r := range all {
		uris[i] = r.uri
	}
	return uris
}

// addResources registers resources. mcp-go reads each once, when the answers are
// prepared.
func addResources(registry *server.MCPServer, all resources) {
	for _, r := range all {
		mediaType, _, _ := strings.Cut(r.document.ContentType, ";")
		contents := []mcp.ResourceContents{mcp.TextResourceContents{
			URI: r.uri, MIMEType: mediaType, Text: string(r.document.Body.Bytes),
		}}
		registry.AddResource(
			mcp.NewResource(r.uri, r.name, mcp.WithResourceDescription(r.description), mcp.WithMIMEType(mediaType)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { return contents, nil })
	}
}
