package content

import (
	"cmp"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/currency"

	"frontdesk/contract"
)

// free is the price of what costs nothing.
const free = "free"

// defaultSignal lets search and answers use the site, but not the training of models
// (contentsignals.org).
const defaultSignal = "search=yes, ai-input=yes, ai-train=no"

// catalog reads the catalog in each language of the business.
func (s *source) catalog(root *yaml.Node) {
	catalog, ok := s.object(root, &catalogGroup)
	if !ok {
		return
	}
	catalog.edition(s.content) // in the first language, which it finds out
	for _, language := range s.content.Languages()[1:] {
		catalog.source = s.in(language)
		catalog.edition(s.content)
	}
}

// edition reads the catalog in one language, and the facts that are the same in all.
func (o object) edition(into *Content) {
	var edition Edition
	if business, ok := o.within("business"); ok {
		business.business(into, &edition)
	}
	o.source = o.in(cmp.Or(o.language, into.Language()))
	o.ids = seen{}
	for _, band := range o.objects("pricing_bands") {
		edition.Bands = append(edition.Bands, band.band())
	}
	ids, unit := seen{}, o.currency()
	edition.bandLines, edition.serviceLines = o.ids, ids
	for _, item := range o.objects("services") {
		service := item.service(ids)
		if price := item.value("price"); price != nil {
			if line, taken := o.ids[service.ID]; taken {
				o.faultAt(line, "give the band another id, or delete price",
					"the pricing band %q has the id of a service that holds its price itself", service.ID).
					as("content.twice", service.ID)
			}
			if o.value("currency") == nil {
				o.fault(price, "write currency: EUR at the top of the file", "the catalog has no currency for the price").
					as("content.missing", "currency")
			}
			service.PricingBand = service.ID
			edition.Bands = append(edition.Bands, item.ownBand(unit, service))
		}
		edition.Services = append(edition.Services, service)
	}
	edition.Statements = o.lines("statements")
	if brand, ok := o.within("brand"); ok {
		into.Brand = brand.brand(&edition)
	}
	into.AskBusiness = true
	if requests, ok := o.within("requests"); ok {
		edition.Request, into.AskBusiness = requests.text("name"), requests.flag("ask_business")
	}
	into.Trials = o.flag("trials")
	into.ContentSignal = cmp.Or(o.text("content_signal"), defaultSignal)
	edition.Language = o.language
	into.editions = append(into.editions, edition)
}

func (o object) band() contract.PricingBand {
	unit := o.currency()
	return o.prices(unit, contract.PricingBand{ID: o.id(o.ids), Name: o.text("name"), Summary: o.text("summary"),
		Currency: unit.String()})
}

// ownBand reads the price that a service holds itself: free, an amount, or a band without its own texts.
func (o object) ownBand(unit currency.Unit, service contract.Service) contract.PricingBand {
	o.source = o.in(cmp.Or(service.Lang, o.language))
	band := contract.PricingBand{ID: service.ID, Name: service.Name, Summary: service.Summary, Currency: unit.String()}
	switch price := o.value("price"); {
	case price.Kind == yaml.MappingNode:
		if of, ok := o.within("price"); ok {
			return of.prices(unit, band)
		}
	case price.Value == free:
		band.From = "0"
	default:
		band.From = o.amount("price", unit)
	}
	band.To = band.From
	return band
}

// prices reads the amounts of a band, and what belongs to them.
func (o object) prices(unit currency.Unit, band contract.PricingBand) contract.PricingBand {
	band.From, band.To, band.Unit, band.Note = o.amount("from", unit), o.amount("to", unit), o.text("unit"), o.text("note")
	if band.To != "" && contract.Float(band.To) < contract.Float(band.From) {
		o.fault(o.value("to"), "", "to %s is less than from %s", band.To, band.From).as("content.range")
	}
	for _, option := range o.objects("options") {
		name, per, price := option.text("name"), option.text("unit"), option.amount("price", unit)
		if price != "" && (contract.Float(price) < contract.Float(band.From) || band.To != "" &&
			contract.Float(price) > contract.Float(band.To)) {
			o.fault(option.value("price"), "change from and to of the band, or the price",
				"the price %s is outside the pricing band", price).as("content.outside", string(price))
		}
		band.Options = append(band.Options, contract.PriceOption{
			Name: name, Unit: cmp.Or(per, band.Unit), Price: price,
		})
	}
	return band
}

// service reads a service: in its only language, or in the one that is read.
func (o object) service(ids seen) contract.Service {
	o.needsAlt("picture")
	image := o.image("picture")
	service := contract.Service{Booking: o.webAddress("booking"), ID: o.id(ids), PricingBand: o.text("pricing_band"),
		Lang: o.text("lang")}
	switch band := o.value("pricing_band"); {
	case band == nil:
	case o.value("price") != nil:
		o.fault(band, "delete one of them", "the service has price and pricing_band").as("content.twice", "pricing_band")
	case service.PricingBand != "" && o.ids[service.PricingBand] == 0:
		o.fault(band, suggest(service.PricingBand, o.ids.keys()), "unknown pricing_band %q", service.PricingBand).
			as("content.band")
	}
	o.source = o.in(cmp.Or(service.Lang, o.language))
	if alt := o.text("picture_alt"); image != nil {
		service.Picture = &contract.Picture{URL: image.Path(), Alt: alt}
	}
	service.Name, service.Summary, service.Description = o.text("name"), o.text("summary"), o.text("description")
	service.Audience, service.Includes = o.text("audience"), o.lines("includes")
	return service
}
