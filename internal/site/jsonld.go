package site

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// Data for search engines (schema.org, as JSON-LD).

type object map[string]any

// tidy removes what is empty.
func (o object) tidy() object {
	maps.DeleteFunc(o, func(_ string, value any) bool {
		v := reflect.ValueOf(value)
		return !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	})
	return o
}

const schemaOrg = "https://schema.org"

// businessData describes the business with its offers.
func (e *edition) businessData(now time.Time) object {
	base, brand := e.site.Base, &e.site.Content.Brand
	offers := []object{}
	for _, service := range e.Details() {
		offers = append(offers, e.offer(service))
	}
	var same []string
	for _, profile := range e.Profiles {
		same = append(same, profile.URL)
	}
	kind, address := cmp.Or(e.Kind, "Organization"), object(nil)
	if a := e.Address; a != nil {
		kind = cmp.Or(e.Kind, "LocalBusiness")
		address = object{"@type": "PostalAddress", "addressLocality": a.City, "streetAddress": a.Street,
			"postalCode": a.PostalCode, "addressCountry": a.Country}.tidy()
	}
	image := func(image *content.Image) string {
		if image == nil {
			return ""
		}
		return base + e.site.assets.pictures[image.Name].Path
	}
	data := object{
		"@context": schemaOrg, "@type": kind, "@id": base + "/#business",
		"name": e.Name, "description": e.Summary, "url": base + e.path(contract.PathHome), "image": image(brand.Photo),
		"logo": image(brand.Logo),
		"contactPoint": object{"@type": "ContactPoint", "contactType": "customer service",
			"url": base + e.path(contract.PathContactPage)},
		"knowsLanguage":   e.site.Content.SiteLanguages,
		"telephone":       e.Phone,
		"email":           e.Email,
		"address":         address,
		"areaServed":      e.AreaServed,
		"sameAs":          same,
		"potentialAction": reserve(e.Booking),
	}
	// Only a LocalBusiness has opening hours and a place; an Organization has none.
	if kind != "Organization" {
		data["openingHoursSpecification"], data["specialOpeningHoursSpecification"] = e.hoursData(now)
		data["paymentAccepted"] = strings.Join(e.Payment, ", ")
		if c := e.Coordinates; c != nil {
			data["geo"] = object{"@type": "GeoCoordinates", "latitude": c.Latitude, "longitude": c.Longitude}
		}
	}
	data.tidy()["makesOffer"] = offers // even none
	return data
}

// hoursData are the opening hours of the weekdays, and those of single days.
func (e *edition) hoursData(now time.Time) (open, special []object) {
	facts := content.Ahead(e.Facts, now.In(e.site.Zone))
	for _, hours := range e.Hours {
		var days []string
		for _, day := range hours.Days {
			days = append(days, time.Weekday((slices.Index(content.Weekdays, day)+1)%7).String())
		}
		open = append(open, object{"@type": "OpeningHoursSpecification", "dayOfWeek": days, "opens": hours.Opens,
			"closes": closing(hours.Closes)})
	}
	otherwise := func(days contract.Days, opens, closes string) {
		special = append(special, object{
			"@type": "OpeningHoursSpecification", "validFrom": days.From, "validThrough": days.To, "opens": opens,
			"closes": closes,
		})
	}
	for _, days := range facts.Closed {
		otherwise(days, "00:00", "00:00")
	}
	for _, hours := range facts.SpecialHours {
		otherwise(hours.Days, hours.Opens, closing(hours.Closes))
	}
	return open, special
}

// closing writes a closing time for search engines, which expect 23:59 for the end of a day.
func closing(clock string) string { return strings.Replace(clock, "24:00", "23:59", 1) }

func (e *edition) offer(service contract.ServiceDetail) object {
	band := object{
		"@type": "UnitPriceSpecification", "priceCurrency": service.Pricing.Currency,
		"minPrice": service.Pricing.From, "maxPrice": service.Pricing.To, "unitText": service.Pricing.Unit,
	}.tidy()
	prices := []object{band}
	for _, option := range service.Pricing.Options {
		prices = append(prices, object{
			"@type": "UnitPriceSpecification", "name": option.Name, "priceCurrency": service.Pricing.Currency,
			"price": option.Price, "unitText": option.Unit,
		}.tidy())
	}
	offered := object{"@type": "Service", "name": service.Name, "description": service.Summary,
		"potentialAction": reserve(service.Booking)}
	if service.Picture != nil {
		offered["image"] = e.resolve(service.Picture.URL)
	}
	offer := object{"@type": "Offer", "priceSpecification": prices, "url": e.site.Base + e.path(contract.PathPricing) +
		"#" + service.ID, "itemOffered": offered.tidy()}
	if len(prices) == 1 {
		offer["priceSpecification"] = band
	}
	if content.IsFree(service.Pricing) {
		delete(offer, "priceSpecification")
		offer["price"], offer["priceCurrency"] = service.Pricing.To, service.Pricing.Currency
	}
	return offer
}

// reserve says where people book; nil for nowhere.
func reserve(booking string) object {
	if booking == "" {
		return nil
	}
	return object{"@type": "ReserveAction", "target": object{"@type": "EntryPoint", "urlTemplate": booking}}
}

func (e *edition) faqData(entries []*content.Entry) object {
	questions := []object{}
	for _, entry := range entries {
		questions = append(questions, object{
			"@type": "Question", "name": entry.Question,
			"acceptedAnswer": object{"@type": "Answer", "text": entry.Answer},
		})
	}
	return object{"@context": schemaOrg, "@type": "FAQPage", "inLanguage": e.Language, "mainEntity": questions}
}
