package contract

// Catalog is the body of /v1/catalog and /agents.json (decisions).
type Catalog struct {
	Name         string        `json:"name" jsonschema:"The business."`
	Summary      string        `json:"summary" jsonschema:"What it does, in a sentence or two."`
	URL          string        `json:"url" format:"uri" jsonschema:"The service's base address."`
	Revision     string        `json:"revision" jsonschema:"Changes when anything in the catalog does."`
	Services     []Service     `json:"services" jsonschema:"What the business offers."`
	PricingBands []PricingBand `json:"pricing_bands" jsonschema:"The services' price ranges."`
	Contact      ContactAction `json:"contact" jsonschema:"How to file a pilot request over HTTP; request_pilot does the same."`
	Links        Links         `json:"links" jsonschema:"The service's other faces and documents."`
	Statements   []string      `json:"statements" jsonschema:"What the service does not do."`

	// The owner may omit the following members.
	Kind    string         `json:"kind,omitempty" jsonschema:"What kind of business it is: a schema.org type below LocalBusiness."`
	Address *Address       `json:"address,omitempty" jsonschema:"Where the business is."`
	Phone   string         `json:"phone,omitempty" jsonschema:"Its phone number."`
	Email   string         `json:"email,omitempty" format:"email" jsonschema:"Its e-mail address."`
	Hours   []OpeningHours `json:"hours,omitempty" jsonschema:"When it is open. A day in none of these is closed."`
	Closed  []ClosedDays   `json:"closed,omitempty" jsonschema:"Days on which it is closed."`
}

// Address is where the business is.
type Address struct {
	Street     string `json:"street,omitempty" jsonschema:"Street and number."`
	PostalCode string `json:"postal_code,omitempty" jsonschema:"Postal code."`
	City       string `json:"city" jsonschema:"City."`
	Country    string `json:"country,omitempty" jsonschema:"ISO 3166-1 alpha-2 code of the country."`
}

// OpeningHours are days on which the business is open between two times. A day with a
// break is in two of them.
type OpeningHours struct {
	Days   []string `json:"days" jsonschema:"mon to sun."`
	Opens  string   `json:"opens" jsonschema:"Such as 06:30, in the time of the business."`
	Closes string   `json:"closes" jsonschema:"Up to 24:00."`
}

// ClosedDays are days on which the business is closed, the last one included.
type ClosedDays struct {
	From string `json:"from" format:"date" jsonschema:"The first closed day."`
	To   string `json:"to" format:"date" jsonschema:"The last closed day."`
}

// Service is one thing the business offers.
type Service struct {
	ID          string   `json:"id" jsonschema:"Stable id; the argument of get_service."`
	Name        string   `json:"name" jsonschema:"The name of the service."`
	Summary     string   `json:"summary" jsonschema:"The service in a sentence."`
	Description string   `json:"description" jsonschema:"The service in full."`
	Includes    []string `json:"includes" jsonschema:"What the service includes."`
	Audience    string   `json:"audience" jsonschema:"Who it is for; empty if nothing is said."`
	PricingBand string   `json:"pricing_band" jsonschema:"The id of its pricing band."`
	Lang        string   `json:"lang,omitempty" jsonschema:"The only language in which it is offered."`
}

// PricingBand is a range of prices in units of the currency (ISO 4217). A band
// without To has no upper end.
type PricingBand struct {
	ID       string `json:"id" jsonschema:"Stable id."`
	Name     string `json:"name" jsonschema:"The name of the band."`
	Summary  string `json:"summary" jsonschema:"The band in a sentence."`
	Currency string `json:"currency" jsonschema:"ISO 4217 code of the currency."`
	From     Amount `json:"from" jsonschema:"The lower end, in units of the currency."`
	To       Amount `json:"to,omitempty" jsonschema:"The upper end; without it the band is open."`
	Unit     string `json:"unit" jsonschema:"What is paid for, such as a month."`
	Note     string `json:"note,omitempty" jsonschema:"What else to know."`
}

// ServiceDetail is one service with its pricing band, as `frontdesk service`
// prints it and the MCP tool get_service returns it.
type ServiceDetail struct {
	Service
	Pricing PricingBand `json:"pricing" jsonschema:"A range of prices."`
}

// ContactAction describes how to file a pilot request.
type ContactAction struct {
	Method       string   `json:"method" jsonschema:"The HTTP method."`
	URL          string   `json:"url" format:"uri" jsonschema:"Where a pilot request is posted."`
	ContentTypes []string `json:"content_types" jsonschema:"The types of body that it takes."`
	Required     []string `json:"required" jsonschema:"The fields that it must have."`
	Optional     []string `json:"optional" jsonschema:"The fields that it may have."`
	DryRun       bool     `json:"dry_run" jsonschema:"Whether it can be tried without sending."`
}

// Links are the addresses of the service's other faces and documents.
type Links struct {
	Ask           string  `json:"ask" format:"uri" jsonschema:"The ask endpoint."`
	MCP           string  `json:"mcp" format:"uri" jsonschema:"The MCP server of the website."`
	WorkspaceMCP  *string `json:"workspace_mcp" format:"uri" jsonschema:"The MCP server of the workspace application, where trials start; null when no trials are offered."`
	OpenAPI       string  `json:"openapi" format:"uri" jsonschema:"The OpenAPI description."`
	Documentation string  `json:"documentation" format:"uri" jsonschema:"The developer page."`
	Pricing       string  `json:"pricing" format:"uri" jsonschema:"The prices, for people."`
	FAQ           string  `json:"faq" format:"uri" jsonschema:"All approved answers."`
}

// Workspace is the address of the workspace application's MCP server, or empty when no
// trials are offered.
func (l Links) Workspace() string {
	if l.WorkspaceMCP == nil {
		return ""
	}
	return *l.WorkspaceMCP
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

// Details returns all services with their pricing bands, in the catalog's order.
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
