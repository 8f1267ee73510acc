package contract

// Catalog is the body of /v1/catalog and /agents.json (decisions).
type Catalog struct {
	Name         string        `json:"name"`
	Summary      string        `json:"summary"`
	URL          string        `json:"url"`
	Revision     string        `json:"revision"`
	Services     []Service     `json:"services"`
	PricingBands []PricingBand `json:"pricing_bands"`
	Contact      ContactAction `json:"contact"`
	Links        Links         `json:"links"`
	Statements   []string      `json:"statements"`
}

// Service is one thing the business offers.
type Service struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Summary     string   `json:"summary"`
	Description string   `json:"description"`
	Includes    []string `json:"includes"`
	Audience    string   `json:"audience"`
	PricingBand string   `json:"pricing_band"`
}

// PricingBand is a range of prices. From and To are whole units of the currency
// (ISO 4217); a band without To has no upper end.
type PricingBand struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Summary  string `json:"summary"`
	Currency string `json:"currency"`
	From     int    `json:"from"`
	To       *int   `json:"to,omitempty"`
	Unit     string `json:"unit"`
	Note     string `json:"note,omitempty"`
}

// ServiceDetail is one service with its pricing band, as `frontdesk service`
// prints it and the MCP tool get_service returns it.
type ServiceDetail struct {
	Service
	Pricing PricingBand `json:"pricing"`
}

// ContactAction tells how to file a pilot request.
type ContactAction struct {
	Method       string   `json:"method"`
	URL          string   `json:"url"`
	ContentTypes []string `json:"content_types"`
	Required     []string `json:"required"`
	Optional     []string `json:"optional"`
	DryRun       bool     `json:"dry_run"`
}

// Links are the addresses of the service's other faces and documents.
type Links struct {
	Ask           string `json:"ask"`
	MCP           string `json:"mcp"`
	WorkspaceMCP  string `json:"workspace_mcp"`
	OpenAPI       string `json:"openapi"`
	Documentation string `json:"documentation"`
	Pricing       string `json:"pricing"`
	FAQ           string `json:"faq"`
}

// Service returns the service with the given id and its pricing band.
func (c *Catalog) Service(id string) (ServiceDetail, bool) {
	for _, service := range c.Services {
		if service.ID == id {
			return ServiceDetail{Service: service, Pricing: c.band(service.PricingBand)}, true
		}
	}
	return ServiceDetail{}, false
}

// Details are all services with their pricing bands, in the catalog's order. Service
// looks through the catalog for one; who needs each of them asks here.
func (c *Catalog) Details() []ServiceDetail {
	bands := make(map[string]PricingBand, len(c.PricingBands))
	for _, band := range c.PricingBands {
		bands[band.ID] = band
	}
	details := make([]ServiceDetail, len(c.Services))
	for i, service := range c.Services {
		details[i] = ServiceDetail{Service: service, Pricing: bands[service.PricingBand]}
	}
	return details
}

// ServiceIDs lists the ids of all services, in the catalog's order.
func (c *Catalog) ServiceIDs() []string {
	ids := make([]string, len(c.Services))
	for i, service := range c.Services {
		ids[i] = service.ID
	}
	return ids
}

func (c *Catalog) band(id string) PricingBand {
	for _, band := range c.PricingBands {
		if band.ID == id {
			return band
		}
	}
	return PricingBand{}
}
