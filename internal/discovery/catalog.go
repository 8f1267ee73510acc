package discovery

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Addresses are where the service and its workspace application are published.
type Addresses struct {
	Base string // without a final slash
	App  string // empty without a separate application
}

func (a Addresses) workspace() string { return cmp.Or(a.App, a.Base) }

// Catalog returns the catalog of the content (decisions, Answers), without days that are over. Its revision changes
// whenever anything in it does.
func Catalog(c *content.Content, at Addresses) contract.Catalog {
	catalog := contract.Catalog{
		Name:         c.Name,
		Summary:      c.Summary,
		URL:          at.Base,
		Services:     at.services(c.Services),
		PricingBands: c.Bands,
		Contact: contract.ContactAction{
			Method:       "POST",
			URL:          at.Base + contract.PathContact,
			ContentTypes: []string{contract.TypeJSON, contract.TypeForm},
			Required:     contract.ContactRequired,
			Optional:     contract.ContactOptional,
			DryRun:       true,
		},
		Links: contract.Links{
			Ask:           at.Base + contract.PathAsk,
			MCP:           at.Base + contract.PathMCP,
			OpenAPI:       at.Base + contract.PathOpenAPI,
			Documentation: at.Base + contract.PathDevelopers,
			Pricing:       at.Base + contract.PathPricing,
			FAQ:           at.Base + contract.PathFAQ,
		},
		Statements: c.Statements,
		Facts:      content.Ahead(c.Facts, time.Now().In(c.Zone())),
	}
	if c.Trials {
		catalog.Links.WorkspaceMCP = new(at.workspace() + contract.PathWorkspaceMCP)
	}
	catalog.Revision = Revision(payload.JSON(catalog))
	return catalog
}

// services returns the services with absolute addresses of their pictures.
func (a Addresses) services(services []contract.Service) []contract.Service {
	services = slices.Clone(services)
	for i := range services {
		if picture := services[i].Picture; picture != nil {
			services[i].Picture = &contract.Picture{URL: a.Resolve(picture.URL), Alt: picture.Alt}
		}
	}
	return services
}

// Resolve makes a path of the site an absolute address and leaves addresses unchanged.
func (a Addresses) Resolve(address string) string {
	if strings.HasPrefix(address, "/") {
		return a.Base + address
	}
	return address
}
