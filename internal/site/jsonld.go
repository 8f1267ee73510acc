package site

import "frontdesk/contract"

// What the pages tell search engines (schema.org, as JSON-LD).

type object map[string]any

const schemaOrg = "https://schema.org"

// businessData is the business with its offers.
func (s *Site) businessData() object {
	business := s.Content.Business
	offers := []object{}
	for _, service := range s.Catalog.Details() {
		offers = append(offers, offer(service.ID, service.Name, service.Summary, s.Base, priceData(service.Pricing.Currency,
			service.Pricing.Unit, service.Pricing.From, service.Pricing.To)))
	}
	data := object{
		"@context": schemaOrg, "@type": "Organization", "@id": s.Base + "/#business",
		"name": business.Name, "description": business.Summary, "url": s.Base + "/", "makesOffer": offers,
		"contactPoint": object{"@type": "ContactPoint", "contactType": "sales", "url": s.Base + "/contact"},
	}
	if len(business.Languages) > 0 {
		data["knowsLanguage"] = business.Languages
	}
	return data
}

func offer(id, name, summary, base string, price object) object {
	return object{
		"@type": "Offer", "priceSpecification": price, "url": base + "/pricing#" + id,
		"itemOffered": object{"@type": "Service", "name": name, "description": summary},
	}
}

func priceData(currency, unit string, from, to contract.Amount) object {
	price := object{"@type": "UnitPriceSpecification", "priceCurrency": currency, "minPrice": from, "unitText": unit}
	if to != "" {
		price["maxPrice"] = to
	}
	return price
}

// faqData is the page of questions.
func faqData(entries []answered) object {
	questions := []object{}
	for _, entry := range entries {
		questions = append(questions, object{
			"@type": "Question", "name": entry.Question,
			"acceptedAnswer": object{"@type": "Answer", "text": entry.Answer},
		})
	}
	return object{"@context": schemaOrg, "@type": "FAQPage", "mainEntity": questions}
}
