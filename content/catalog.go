package content

import (
	"cmp"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/currency"

	"frontdesk/contract"
)

var (
	catalogKeys = keys{
		required: []string{"business", "services", "pricing_bands"},
		optional: []string{"statements", "brand", "requests", "trials", "content_signal"},
	}
	serviceKeys = keys{
		required: []string{"id", "name", "summary", "description", "pricing_band"},
		optional: []string{"includes", "audience", "lang", "picture", "picture_alt", "booking"},
	}
	bandKeys = keys{
		required: []string{"id", "name", "summary", "currency", "from", "unit"},
		optional: []string{"to", "note", "options"},
	}
	optionKeys  = keys{required: []string{"name", "price"}, optional: []string{"unit"}}
	requestKeys = keys{optional: []string{"name", "ask_business"}}
)

// defaultSignal lets search and answers use the site, but not the training of models
// (contentsignals.org).
const defaultSignal = "search=yes, ai-input=yes, ai-train=no"

// signalForm matches the signals of robots.txt, and the word that leaves them out.
var signalForm = regexp.MustCompile(`^(?:off|[a-z-]+=(?:yes|no)(?:, ?[a-z-]+=(?:yes|no))*)$`)

// catalogReader reads catalog.yaml.
type catalogReader struct {
	*source
	bands seen // ids of the pricing bands
}

// read reads the catalog in each language of the business.
func (c *catalogReader) read(root *yaml.Node, into *Content) {
	catalog, ok := c.object(root, "the catalog", catalogKeys)
	if !ok {
		return
	}
	c.edition(catalog, into) // in the first language, which it finds out
	for _, language := range into.Languages()[1:] {
		c.language, c.muted = language, true
		c.edition(catalog, into)
	}
}

// edition reads the catalog in one language, and the facts that are the same in all.
func (c *catalogReader) edition(catalog object, into *Content) {
	var edition Edition
	if node := catalog.value("business"); node != nil {
		into.Business = c.readBusiness(node, &edition)
	}
	// The texts that follow may be in any of these languages.
	c.business, c.language = &into.Business, cmp.Or(c.language, into.Language())
	for _, node := range catalog.filledList("pricing_bands") {
		if band, ok := c.object(node, "a pricing band", bandKeys); ok {
			edition.Bands, edition.bandLines = append(edition.Bands, c.band(band)), append(edition.bandLines, node.Line)
		}
	}
	ids := seen{}
	for _, node := range catalog.filledList("services") {
		if service, ok := c.object(node, "a service", serviceKeys); ok {
			edition.Services, edition.serviceLines = append(edition.Services, c.service(service, ids)), append(edition.serviceLines, node.Line)
		}
	}
	edition.Statements = catalog.localLines("statements")
	if node := catalog.value("brand"); node != nil {
		into.Brand = c.brand(node, &edition)
	}
	into.AskBusiness = true
	if node := catalog.value("requests"); node != nil {
		if requests, ok := c.object(node, "requests", requestKeys); ok {
			edition.Request = requests.localLine("name")
			into.AskBusiness = requests.flag("ask_business", true)
		}
	}
	into.Trials = catalog.flag("trials", true)
	into.ContentSignal = cmp.Or(catalog.formed("content_signal", signalForm, "off, or signals such as "+defaultSignal), defaultSignal)
	edition.Language = c.language
	into.editions = append(into.editions, edition)
}

func (c *catalogReader) band(o object) contract.PricingBand {
	unit := o.currency("currency")
	band := contract.PricingBand{
		ID: o.id(c.bands), Currency: unit.String(), From: o.amount("from", unit), To: o.amount("to", unit),
		Name: o.localLine("name"), Summary: o.localText("summary"), Unit: o.localLine("unit"), Note: o.localText("note"),
	}
	if band.To != "" && band.To.Float() < band.From.Float() {
		c.fault(o.at("to"), fmt.Sprintf("to %s is less than from %s", band.To, band.From), "")
	}
	for _, node := range o.list("options") {
		if option, ok := c.object(node, "an option", optionKeys); ok {
			band.Options = append(band.Options, contract.PriceOption{
				Name: option.localLine("name"), Unit: cmp.Or(option.localLine("unit"), band.Unit), Price: c.price(option, unit, &band),
			})
		}
	}
	return band
}

// price reads the price of an option, which must be within its band.
func (c *catalogReader) price(option object, unit currency.Unit, band *contract.PricingBand) contract.Amount {
	price := option.amount("price", unit)
	if price != "" && (price.Float() < band.From.Float() || band.To != "" && price.Float() > band.To.Float()) {
		c.fault(option.at("price"), fmt.Sprintf("the price %s is outside the pricing band", price), "change from and to of the band, or the price")
	}
	return price
}

// service reads a service: in its only language, or in the one that is read.
func (c *catalogReader) service(o object, ids seen) contract.Service {
	defer func(language string) { c.language = language }(c.language)
	if o.value("picture") != nil && o.value("picture_alt") == nil {
		c.fault(o.at("picture"), "the service has a picture without picture_alt", altHint)
	}
	image := o.image("picture")
	service := contract.Service{
		Booking: o.webAddress("booking"), ID: o.id(ids), PricingBand: c.bandOf(o), Lang: o.oneOfLanguages("lang"),
	}
	c.language = cmp.Or(service.Lang, c.language)
	if alt := o.localLine("picture_alt"); image != nil {
		service.Picture = &contract.Picture{URL: image.Path(), Alt: alt}
	}
	service.Name, service.Summary, service.Description = o.localLine("name"), o.localText("summary"), o.localText("description")
	service.Audience, service.Includes = o.localText("audience"), o.localLines("includes")
	return service
}

// bandOf reads the pricing band of a service.
func (c *catalogReader) bandOf(service object) string {
	id := service.line("pricing_band")
	if id == "" {
		return ""
	}
	if _, known := c.bands[id]; !known {
		c.fault(service.at("pricing_band"), fmt.Sprintf("unknown pricing_band %q", id), suggest(id, c.bands.keys()))
	}
	return id
}
