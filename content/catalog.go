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
	catalogShape = shape{"the catalog", "business services pricing_bands",
		"statements brand requests trials content_signal"}
	serviceShape = shape{"a service", "id name summary description pricing_band",
		"includes audience lang picture picture_alt booking"}
	bandShape     = shape{"a pricing band", "id name summary currency from unit", "to note options"}
	optionShape   = shape{"an option", "name price", "unit"}
	requestsShape = shape{"requests", "", "name ask_business"}
)

// defaultSignal lets search and answers use the site, but not the training of models
// (contentsignals.org).
const defaultSignal = "search=yes, ai-input=yes, ai-train=no"

// signalForm matches the signals of robots.txt, and the word that leaves them out.
var signalForm = regexp.MustCompile(`^(?:off|[a-z-]+=(?:yes|no)(?:, ?[a-z-]+=(?:yes|no))*)$`)

// catalog reads the catalog in each language of the business.
func (s *source) catalog(root *yaml.Node) {
	catalog, ok := s.object(root, catalogShape)
	if !ok {
		return
	}
	catalog.edition(s.content) // in the first language, which it finds out
	for _, s.language = range s.content.Languages()[1:] {
		catalog.edition(s.content)
	}
}

// edition reads the catalog in one language, and the facts that are the same in all.
func (o object) edition(into *Content) {
	var edition Edition
	if node := o.value("business"); node != nil {
		into.Business = o.business(node, &edition)
	}
	o.siteLanguages = into.Languages()
	o.language = cmp.Or(o.language, into.Language())
	o.ids = seen{}
	for _, band := range o.objects("pricing_bands", bandShape) {
		edition.Bands, edition.bandLines = append(edition.Bands, band.band()), append(edition.bandLines, band.node.Line)
	}
	ids := seen{}
	for _, service := range o.objects("services", serviceShape) {
		edition.Services, edition.serviceLines = append(edition.Services, service.service(ids)),
			append(edition.serviceLines, service.node.Line)
	}
	edition.Statements = o.localLines("statements")
	if brand, ok := o.within("brand", brandShape); ok {
		into.Brand = brand.brand(&edition)
	}
	into.AskBusiness = true
	if requests, ok := o.within("requests", requestsShape); ok {
		edition.Request = requests.localLine("name")
		into.AskBusiness = requests.flag("ask_business", true)
	}
	into.Trials = o.flag("trials", true)
	into.ContentSignal = cmp.Or(o.formed("content_signal", signalForm, "content.signal", "off, or signals such as "+
		defaultSignal), defaultSignal)
	edition.Language = o.language
	into.editions = append(into.editions, edition)
}

func (o object) band() contract.PricingBand {
	unit := o.currency("currency")
	band := contract.PricingBand{
		ID: o.id(o.ids), Currency: unit.String(), From: o.amount("from", unit), To: o.amount("to", unit),
		Name: o.localLine("name"), Summary: o.localText("summary"), Unit: o.localLine("unit"), Note: o.localText("note"),
	}
	if band.To != "" && contract.Float(band.To) < contract.Float(band.From) {
		o.fault(o.at("to"), fmt.Sprintf("to %s is less than from %s", band.To, band.From), "").as("content.range")
	}
	for _, option := range o.objects("options", optionShape) {
		band.Options = append(band.Options, contract.PriceOption{
			Name: option.localLine("name"), Unit: cmp.Or(option.localLine("unit"), band.Unit), Price: option.price(unit, &band),
		})
	}
	return band
}

// price reads the price of an option, which must be within its band.
func (o object) price(unit currency.Unit, band *contract.PricingBand) contract.Amount {
	price := o.amount("price", unit)
	if price != "" && (contract.Float(price) < contract.Float(band.From) || band.To != "" &&
		contract.Float(price) > contract.Float(band.To)) {
		o.fault(o.at("price"), fmt.Sprintf("the price %s is outside the pricing band", price),
			"change from and to of the band, or the price")
	}
	return price
}

// service reads a service: in its only language, or in the one that is read.
func (o object) service(ids seen) contract.Service {
	defer func(language string) { o.language = language }(o.language)
	o.needsAlt("the service", "picture")
	image := o.image("picture")
	service := contract.Service{Booking: o.webAddress("booking"), ID: o.id(ids), PricingBand: o.line("pricing_band"),
		Lang: o.oneOfLanguages("lang")}
	if band := service.PricingBand; band != "" && o.ids[band] == 0 {
		o.fault(o.at("pricing_band"), fmt.Sprintf("unknown pricing_band %q", band),
			suggest(band, o.ids.keys())).as("content.band")
	}
	o.language = cmp.Or(service.Lang, o.language)
	if alt := o.localLine("picture_alt"); image != nil {
		service.Picture = &contract.Picture{URL: image.Path(), Alt: alt}
	}
	service.Name, service.Summary, service.Description = o.localLine("name"), o.localText("summary"),
		o.localText("description")
	service.Audience, service.Includes = o.localText("audience"), o.localLines("includes")
	return service
}
