package content

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/currency"

	"frontdesk/contract"
)

var (
	catalogShape = shape{"the catalog", "business services pricing_bands",
		"currency statements brand requests trials content_signal"}
	serviceShape = shape{"a service", "id name summary description pricing_band",
		"includes audience lang picture picture_alt booking"}
	priceShape    = shape{"a price", "from", "to unit note options"}
	bandShape     = shape{"a pricing band", "id name summary currency from unit", "to note options"}
	optionShape   = shape{"an option", "name price", "unit"}
	requestsShape = shape{"requests", "", "name ask_business"}
)

// priced returns a shape in which another key is required in place of one, or none if that is empty.
func (s shape) priced(instead, key string) shape {
	s.required = strings.Join(strings.Fields(strings.Replace(s.required, instead, key, 1)), " ")
	if key == "" {
		s.optional += " " + instead
	}
	return s
}

// hasPrice reports whether the node of a service holds its price itself.
func hasPrice(service *yaml.Node) bool {
	_, price := member(service, "price")
	return price != nil
}

// free is the price of what costs nothing.
const free = "free"

// defaultSignal lets search and answers use the site, but not the training of models
// (contentsignals.org).
const defaultSignal = "search=yes, ai-input=yes, ai-train=no"

// signalForm matches the signals of robots.txt, and the word that leaves them out.
var signalForm = regexp.MustCompile(`^(?:off|[a-z-]+=(?:yes|no)(?:, ?[a-z-]+=(?:yes|no))*)$`)

// catalog reads the catalog in each language of the business.
func (s *source) catalog(root *yaml.Node) {
	of := catalogShape
	if _, services := member(root, "services"); services != nil && slices.ContainsFunc(services.Content, hasPrice) {
		of = of.priced("pricing_bands", "")
	}
	catalog, ok := s.object(root, of)
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
	bands := maps.Clone(o.ids)
	for _, node := range o.list("services") {
		of := serviceShape
		if hasPrice(node) {
			of = of.priced("pricing_band", "price")
		}
		item, ok := o.object(node, of)
		if !ok {
			continue
		}
		service := item.service(ids)
		if item.value("price") != nil {
			if line, taken := bands[service.ID]; taken {
				o.fault(line, fmt.Sprintf("the pricing band %q has the id of a service that holds its price itself", service.ID),
					"give the band another id, or delete price").as("content.twice", service.ID)
			}
			service.PricingBand = service.ID
			edition.Bands = append(edition.Bands, item.ownBand(o, service))
			edition.bandLines = append(edition.bandLines, node.Line)
			edition.own = append(edition.own, service.ID)
		}
		edition.Services, edition.serviceLines = append(edition.Services, service), append(edition.serviceLines, node.Line)
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
	return o.prices(unit, contract.PricingBand{ID: o.id(o.ids), Name: o.localLine("name"), Summary: o.localText("summary"),
		Currency: unit.String()})
}

// ownBand reads the price that a service holds itself: free, an amount, or a band without its own texts.
func (o object) ownBand(catalog object, service contract.Service) contract.PricingBand {
	defer func(language string) { o.language = language }(o.language)
	o.language = cmp.Or(service.Lang, o.language)
	band := contract.PricingBand{ID: service.ID, Name: service.Name, Summary: service.Summary}
	unit, price := catalog.currency("currency"), o.value("price")
	if catalog.value("currency") == nil {
		o.fault(price.Line, "the catalog has no currency for the price", "write currency: EUR at the top of the file").
			as("content.missing", "currency")
	}
	band.Currency = unit.String()
	if price.Kind == yaml.MappingNode {
		if of, ok := o.object(price, priceShape); ok {
			return of.prices(unit, band)
		}
		return band
	}
	if price.Value == free {
		band.From = "0"
	} else {
		band.From = o.amount("price", unit)
	}
	band.To = band.From
	return band
}

// prices reads the amounts of a band, and what belongs to them.
func (o object) prices(unit currency.Unit, band contract.PricingBand) contract.PricingBand {
	band.From, band.To, band.Unit, band.Note = o.amount("from", unit), o.amount("to", unit), o.localLine("unit"),
		o.localText("note")
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
