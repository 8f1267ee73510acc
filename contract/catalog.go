package contract

import (
	"encoding/json"
	"slices"
	"strings"
)

// Catalog is the body of /v1/catalog and /agents.json (decisions).
type Catalog struct {
	Name         string        `json:"name"` // the business
	Summary      string        `json:"summary"`
	URL          string        `json:"url"`      // the service's base address
	Revision     string        `json:"revision"` // changes when anything in the catalog does
	Services     []Service     `json:"services"`
	PricingBands []PricingBand `json:"pricing_bands"`
	// how to file a pilot request over HTTP; request_pilot does the same
	Contact    ContactAction `json:"contact"`
	Links      Links         `json:"links"`
	Statements []string      `json:"statements"` // what the service does not do
	Facts
}

// Facts are what a business says about itself besides its name. The owner may omit each.
type Facts struct {
	// what kind of business it is: a schema.org type below LocalBusiness.
	Kind    string         `json:"kind,omitempty"`
	Address *Address       `json:"address,omitempty"`
	Phone   string         `json:"phone,omitempty"`
	Email   string         `json:"email,omitempty"`
	Hours   []OpeningHours `json:"hours,omitempty"` // when it is open. A day in none of these is closed.
	Closed  []Days         `json:"closed,omitempty"`

	SpecialHours []SpecialHours `json:"special_hours,omitempty"`
	TimeZone     string         `json:"time_zone,omitempty"` // IANA name of the time zone of all these times
	Coordinates  *Coordinates   `json:"coordinates,omitempty"`
	AreaServed   []string       `json:"area_served,omitempty"` // where it works or delivers
	Payment      []string       `json:"payment,omitempty"`
	Profiles     []Profile      `json:"profiles,omitempty"`
	Booking      string         `json:"booking,omitempty"` // where people book by themselves
}

// Address is where the business is.
type Address struct {
	Street     string `json:"street,omitempty"` // street and number
	PostalCode string `json:"postal_code,omitempty"`
	City       string `json:"city"`
	Country    string `json:"country,omitempty"` // ISO 3166-1 alpha-2 code of the country
}

// CityLine is city and postal code in a line, in the order of the country.
func (a Address) CityLine() string {
	line := []string{a.PostalCode, a.City}
	if slices.Contains([]string{"AU", "CA", "GB", "IE", "IN", "NZ", "US"}, a.Country) {
		slices.Reverse(line)
	}
	return strings.TrimSpace(strings.Join(line, " "))
}

// OpeningHours are days on which the business is open between two times. A day with a
// break is in two of them.
type OpeningHours struct {
	Days   []string `json:"days"`   // mon to sun
	Opens  string   `json:"opens"`  // such as 06:30, in the time of the business
	Closes string   `json:"closes"` // up to 24:00; a time before Opens is on the next day
}

// Days are days in a row, the last one included.
type Days struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// SpecialHours are days on which the business is open between two times, whatever its
// OpeningHours are; the last day is included. A day with a break is in two of them.
type SpecialHours struct {
	Days
	Opens  string `json:"opens"`
	Closes string `json:"closes"`
}

// Coordinates are where the business is, in degrees (WGS 84).
type Coordinates struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Profile is an address of the business elsewhere: WhatsApp, Instagram, a map.
type Profile struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Picture is a picture of the owner's.
type Picture struct {
	URL string `json:"url"`
	Alt string `json:"alt"` // what it shows
}

// Service is one thing the business offers.
type Service struct {
	ID          string   `json:"id"` // stable id; the argument of get_service
	Name        string   `json:"name"`
	Summary     string   `json:"summary"`     // the service in a sentence
	Description string   `json:"description"` // the service in full
	Includes    []string `json:"includes"`
	Audience    string   `json:"audience"`       // who it is for; empty if nothing is said
	PricingBand string   `json:"pricing_band"`   // the id of its pricing band
	Lang        string   `json:"lang,omitempty"` // the only language in which it is offered
	Picture     *Picture `json:"picture,omitempty"`
	// where people book it; without it, where they book everything
	Booking string `json:"booking,omitempty"`
}

// PricingBand is a range of prices in units of the currency (ISO 4217). A band
// without To has no upper end.
type PricingBand struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Summary  string `json:"summary"`  // the band in a sentence
	Currency string `json:"currency"` // ISO 4217 code
	From     Amount `json:"from"`
	To       Amount `json:"to,omitempty"` // without it the band has no upper end
	Unit     string `json:"unit"`         // what is paid for, such as a month
	Note     string `json:"note,omitempty"`

	Options []PriceOption `json:"options,omitempty"` // exact prices within the range
}

// Amount is a sum of money as a decimal in units of its currency: "49", "4.80". Its JSON
// is a number with exactly these digits. The empty Amount means no amount.
type Amount = json.Number

// Float returns an amount as a floating-point number, for comparisons; 0 for no amount.
func Float(a Amount) float64 {
	value, _ := a.Float64() // its form makes it a number
	return value
}

// PriceOption is one exact price of a pricing band, in its currency.
type PriceOption struct {
	Name  string `json:"name"`
	Price Amount `json:"price"`
	Unit  string `json:"unit"` // what is paid for
}

// ServiceDetail is one service with its pricing band, as `frontdesk service`
// prints it and the MCP tool get_service returns it.
type ServiceDetail struct {
	Service
	Pricing PricingBand `json:"pricing"`
}

// ContactAction describes how to file a pilot request.
type ContactAction struct {
	Method       string   `json:"method"`
	URL          string   `json:"url"`           // where a pilot request is posted
	ContentTypes []string `json:"content_types"` // the types of body that it takes
	Required     []string `json:"required"`      // the names of fields
	Optional     []string `json:"optional"`
	DryRun       bool     `json:"dry_run"` // whether it can be tried without sending
}

// Links are the addresses of the service's other faces and documents.
type Links struct {
	Ask string `json:"ask"`
	MCP string `json:"mcp"` // the MCP server of the website
	// the MCP server of the workspace application, where trials start; null when no trials are offered
	WorkspaceMCP  *string `json:"workspace_mcp"`
	OpenAPI       string  `json:"openapi"`
	Documentation string  `json:"documentation"` // the developer page
	Pricing       string  `json:"pricing"`       // the prices, for people
	FAQ           string  `json:"faq"`           // all approved answers
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
	for _, detail := range c.Details() {
		if detail.ID == id {
			return detail, true
		}
	}
	return ServiceDetail{}, false
}

// Details returns all services with their pricing bands, in the catalog's order.
func (c *Catalog) Details() []ServiceDetail {
	details := make([]ServiceDetail, len(c.Services))
	for i, service := range c.Services {
		details[i].Service = service
		for _, band := range c.PricingBands {
			if band.ID == service.PricingBand {
				details[i].Pricing = band
			}
		}
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
