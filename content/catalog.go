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

// records hold the catalog in all languages.
type records struct {
	name, summary localized // of the business
	request       localized // the name of a pilot request; may be empty
	services      []serviceRecord
	bands         []bandRecord
	statements    localizedLines
	areaServed    localizedLines
	payment       localizedLines
	profiles      []profileRecord
}

type profileRecord struct {
	name localized
	url  string
}

type serviceRecord struct {
	id, band, lang                       string
	name, summary, description, audience localized
	includes                             localizedLines
	picture                              *Image
	pictureAlt                           localized
	booking                              string
	line                                 int
}

type bandRecord struct {
	contract.PricingBand // the same in every language
	name, summary        localized
	unit, note           localized
	options              []optionRecord
	line                 int
}

type optionRecord struct {
	name, unit localized // unit is empty for that of the band
	price      contract.Amount
}

func (c *catalogReader) read(root *yaml.Node, into *Content) {
	catalog, ok := c.object(root, "the catalog", catalogKeys)
	if !ok {
		return
	}
	if node := catalog.value("business"); node != nil {
		into.Business = c.readBusiness(node, &into.records)
	}
	// The texts that follow may be in any of these languages.
	c.business = &into.Business
	for _, node := range catalog.filledList("pricing_bands") {
		if band, ok := c.band(node); ok {
			into.records.bands = append(into.records.bands, band)
		}
	}
	services := seen{}
	for _, node := range catalog.filledList("services") {
		if service, ok := c.service(node, services); ok {
			into.records.services = append(into.records.services, service)
		}
	}
	into.records.statements = catalog.localLines("statements")
	if node := catalog.value("brand"); node != nil {
		into.Brand = c.brand(node)
	}
	into.AskBusiness = true
	if node := catalog.value("requests"); node != nil {
		if requests, ok := c.object(node, "requests", requestKeys); ok {
			into.records.request = requests.localLine("name")
			into.AskBusiness = requests.flag("ask_business", true)
		}
	}
	into.Trials = catalog.flag("trials", true)
	into.ContentSignal = cmp.Or(catalog.formed("content_signal", signalForm, "off, or signals such as "+defaultSignal), defaultSignal)
}

func (c *catalogReader) band(node *yaml.Node) (bandRecord, bool) {
	band, ok := c.object(node, "a pricing band", bandKeys)
	if !ok {
		return bandRecord{}, false
	}
	unit := band.currency("currency")
	read := bandRecord{
		PricingBand: contract.PricingBand{
			ID: band.id(c.bands), Currency: unit.String(),
			From: band.amount("from", unit), To: band.amount("to", unit),
		},
		name: band.localLine("name"), summary: band.localText("summary"),
		unit: band.localLine("unit"), note: band.localText("note"), line: node.Line,
	}
	if read.To != "" && read.To.Float() < read.From.Float() {
		c.fault(band.at("to"), fmt.Sprintf("to %s is less than from %s", read.To, read.From), "")
	}
	for _, node := range band.list("options") {
		if option, ok := c.object(node, "an option", optionKeys); ok {
			read.options = append(read.options, optionRecord{option.localLine("name"), option.localLine("unit"), c.price(option, unit, &read.PricingBand)})
		}
	}
	return read, true
}

// price reads the price of an option, which must be within its band.
func (c *catalogReader) price(option object, unit currency.Unit, band *contract.PricingBand) contract.Amount {
	price := option.amount("price", unit)
	if price != "" && (price.Float() < band.From.Float() || band.To != "" && price.Float() > band.To.Float()) {
		c.fault(option.at("price"), fmt.Sprintf("the price %s is outside the pricing band", price), "change from and to of the band, or the price")
	}
	return price
}

func (c *catalogReader) service(node *yaml.Node, ids seen) (serviceRecord, bool) {
	service, ok := c.object(node, "a service", serviceKeys)
	if !ok {
		return serviceRecord{}, false
	}
	if service.value("picture") != nil && service.value("picture_alt") == nil {
		service.fault(service.at("picture"), "the service has a picture without picture_alt", altHint)
	}
	return serviceRecord{
		picture:     service.image("picture"),
		pictureAlt:  service.localLine("picture_alt"),
		booking:     service.webAddress("booking"),
		id:          service.id(ids),
		band:        c.bandOf(service),
		lang:        service.oneOfLanguages("lang"),
		name:        service.localLine("name"),
		summary:     service.localText("summary"),
		description: service.localText("description"),
		audience:    service.localText("audience"),
		includes:    service.localLines("includes"),
		line:        node.Line,
	}, true
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
