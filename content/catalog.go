package content

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
)

var (
	catalogKeys = keys{
		required: []string{"business", "services", "pricing_bands"},
		optional: []string{"statements"},
	}
	businessKeys = keys{
		required: []string{"name", "summary"},
		optional: []string{"languages"},
	}
	serviceKeys = keys{
		required: []string{"id", "name", "summary", "description", "pricing_band"},
		optional: []string{"includes", "audience"},
	}
	bandKeys = keys{
		required: []string{"id", "name", "summary", "currency", "from", "unit"},
		optional: []string{"to", "note"},
	}
)

// catalogReader reads catalog.yaml.
type catalogReader struct {
	*source
	bands seen            // ids of the pricing bands
	used  map[string]bool // ids of the bands that a service has
}

func (c *catalogReader) read(root *yaml.Node, into *Content) {
	catalog, ok := c.object(root, "the catalog", catalogKeys)
	if !ok {
		return
	}
	if business := catalog.value("business"); business != nil {
		into.Business = c.business(business)
	}
	for _, node := range catalog.filledList("pricing_bands") {
		into.Bands = append(into.Bands, c.band(node))
	}
	services := seen{}
	for _, node := range catalog.filledList("services") {
		into.Services = append(into.Services, c.service(node, services))
	}
	into.Statements = catalog.lines("statements")
	into.notes = append(into.notes, c.idleBands()...)
}

func (c *catalogReader) business(node *yaml.Node) Business {
	business, ok := c.object(node, "the business", businessKeys)
	if !ok {
		return Business{}
	}
	languages := business.lines("languages")
	for i, item := range business.list("languages") {
		if languages[i] != "" && !languageForm.MatchString(languages[i]) {
			c.fault(item.Line, fmt.Sprintf("%q is no language", languages[i]), "a language tag such as en, de or pt-BR")
		}
	}
	return Business{Name: business.line("name"), Summary: business.text("summary"), Languages: languages}
}

func (c *catalogReader) band(node *yaml.Node) contract.PricingBand {
	band, ok := c.object(node, "a pricing band", bandKeys)
	if !ok {
		return contract.PricingBand{}
	}
	read := contract.PricingBand{
		ID:       band.id(c.bands),
		Name:     band.line("name"),
		Summary:  band.text("summary"),
		Currency: band.formed("currency", currencyForm, "three capital letters such as EUR"),
		To:       band.amount("to"),
		Unit:     band.line("unit"),
		Note:     band.text("note"),
	}
	if from := band.amount("from"); from != nil {
		read.From = *from
		if read.To != nil && *read.To < *from {
			c.fault(band.at("to"), fmt.Sprintf("to %d is less than from %d", *read.To, *from), "")
		}
	}
	return read
}

func (c *catalogReader) service(node *yaml.Node, ids seen) contract.Service {
	service, ok := c.object(node, "a service", serviceKeys)
	if !ok {
		return contract.Service{}
	}
	return contract.Service{
		ID:          service.id(ids),
		Name:        service.line("name"),
		Summary:     service.text("summary"),
		Description: service.text("description"),
		Includes:    service.lines("includes"),
		Audience:    service.text("audience"),
		PricingBand: c.bandOf(service),
	}
}

// bandOf reads which pricing band a service has.
func (c *catalogReader) bandOf(service object) string {
	id := service.line("pricing_band")
	if id == "" {
		return ""
	}
	if _, known := c.bands[id]; !known {
		c.fault(service.at("pricing_band"), fmt.Sprintf("unknown pricing_band %q", id), suggest(id, c.bands.keys()))
	}
	c.used[id] = true
	return id
}

// idleBands notes the bands that no service has.
func (c *catalogReader) idleBands() (notes []Fault) {
	for id, line := range c.bands {
		if !c.used[id] {
			notes = append(notes, Fault{File: c.name, Line: line, Message: fmt.Sprintf("no service has the pricing band %q", id)})
		}
	}
	return notes
}
