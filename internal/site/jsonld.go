package site

import (
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
)

// Data for search engines (schema.org, as JSON-LD).

type object map[string]any

func (o object) put(key, value string) {
	if value != "" {
		o[key] = value
	}
}

const schemaOrg = "https://schema.org"

// schemaDays are the days of the week by their names in the catalog.
var schemaDays = map[string]string{
	"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
}

// businessData describes the business with its offers.
func (e *edition) businessData() object {
	catalog, base := &e.catalog, e.site.Base
	offers := []object{}
	for _, service := range catalog.Details() {
		offers = append(offers, e.offer(service))
	}
	kind := catalog.Kind
	switch {
	case kind != "":
	case catalog.Address != nil:
		kind = "LocalBusiness"
	default:
		kind = "Organization"
	}
	data := object{
		"@context": schemaOrg, "@type": kind, "@id": base + "/#business",
		"name": e.Name, "description": e.Summary, "url": base + e.path(contract.PathHome), "makesOffer": offers,
		"contactPoint": object{"@type": "ContactPoint", "contactType": "customer service", "url": base + e.path(contract.PathContactPage)},
	}
	if languages := e.site.Content.Business.Languages; len(languages) > 0 {
		data["knowsLanguage"] = languages
	}
	data.put("telephone", catalog.Phone)
	data.put("email", catalog.Email)
	if len(e.Profiles) > 0 {
		var same []string
		for _, profile := range e.Profiles {
			same = append(same, profile.URL)
		}
		data["sameAs"] = same
	}
	if len(e.AreaServed) > 0 {
		data["areaServed"] = e.AreaServed
	}
	data.reserve(catalog.Booking)
	if a := catalog.Address; a != nil {
		address := object{"@type": "PostalAddress", "addressLocality": a.City}
		address.put("streetAddress", a.Street)
		address.put("postalCode", a.PostalCode)
		address.put("addressCountry", a.Country)
		data["address"] = address
	}
	for key, image := range map[string]*content.Image{"image": e.site.Content.Brand.Photo, "logo": e.site.Content.Brand.Logo} {
		if image != nil {
			data[key] = base + e.site.assets.pictures[image.Name].Path
		}
	}
	// Only a LocalBusiness has opening hours and a place; an Organization has none.
	if kind != "Organization" {
		e.hoursData(data)
		data.put("paymentAccepted", strings.Join(e.Payment, ", "))
		if c := catalog.Coordinates; c != nil {
			data["geo"] = object{"@type": "GeoCoordinates", "latitude": c.Latitude, "longitude": c.Longitude}
		}
	}
	return data
}

func (e *edition) hoursData(data object) {
	var open, special []object
	for _, hours := range e.catalog.Hours {
		var days []string
		for _, day := range hours.Days {
			days = append(days, schemaDays[day])
		}
		open = append(open, object{"@type": "OpeningHoursSpecification", "dayOfWeek": days, "opens": hours.Opens, "closes": hours.Closes})
	}
	otherwise := func(days contract.Days, opens, closes string) {
		special = append(special, object{
			"@type": "OpeningHoursSpecification", "validFrom": days.From, "validThrough": days.To, "opens": opens, "closes": closes,
		})
	}
	for _, days := range e.catalog.Closed {
		otherwise(days, "00:00", "00:00")
	}
	for _, hours := range e.catalog.SpecialHours {
		otherwise(hours.Days, hours.Opens, hours.Closes)
	}
	if open != nil {
		data["openingHoursSpecification"] = open
	}
	if special != nil {
		data["specialOpeningHoursSpecification"] = special
	}
}

func (e *edition) offer(service contract.ServiceDetail) object {
	band := object{
		"@type": "UnitPriceSpecification", "priceCurrency": service.Pricing.Currency,
		"minPrice": service.Pricing.From, "unitText": service.Pricing.Unit,
	}
	if service.Pricing.To != "" {
		band["maxPrice"] = service.Pricing.To
	}
	var prices any = band
	if len(service.Pricing.Options) > 0 {
		prices = append([]object{band}, options(service.Pricing)...)
	}
	offered := object{"@type": "Service", "name": service.Name, "description": service.Summary}
	if service.Picture != nil {
		offered["image"] = e.site.resolve(service.Picture.URL)
	}
	offered.reserve(service.Booking)
	return object{
		"@type": "Offer", "priceSpecification": prices, "url": e.site.Base + e.path(contract.PathPricing) + "#" + service.ID,
		"itemOffered": offered,
	}
}

func options(band contract.PricingBand) (prices []object) {
	for _, option := range band.Options {
		prices = append(prices, object{
			"@type": "UnitPriceSpecification", "name": option.Name, "priceCurrency": band.Currency,
			"price": option.Price, "unitText": option.Unit,
		})
	}
	return prices
}

// reserve says where people book.
func (o object) reserve(booking string) {
	if booking != "" {
		o["potentialAction"] = object{"@type": "ReserveAction", "target": object{"@type": "EntryPoint", "urlTemplate": booking}}
	}
}

// faqData describes the page /faq.
func (e *edition) faqData(entries []answered) object {
	questions := []object{}
	for _, entry := range entries {
		questions = append(questions, object{
			"@type": "Question", "name": entry.Question,
			"acceptedAnswer": object{"@type": "Answer", "text": entry.Answer},
		})
	}
	return object{"@context": schemaOrg, "@type": "FAQPage", "inLanguage": e.Language, "mainEntity": questions}
}
