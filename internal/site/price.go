package site

import (
	"frontdesk/content"
	"frontdesk/contract"
)

// Price formats a band: "€49–99 per month", "from €390 per month" when it has no upper end, or "free".
func (e *edition) Price(band contract.PricingBand) string { return content.PriceOf(e.words, band) }

func (e *edition) amount(band contract.PricingBand) string {
	return e.words.Price(band.Currency, string(band.From), string(band.To))
}

// per is what an amount is paid for; empty if it says so itself.
func (e *edition) per(band contract.PricingBand) string {
	if content.IsFree(band) {
		return ""
	}
	return e.words.Per("", band.Unit)
}

// lowest formats the lower end of a band, for the list of services.
func (e *edition) lowest(band contract.PricingBand) string {
	if band.To != band.From {
		band.To = ""
	}
	return e.amount(band)
}

// option formats an exact price of a band.
func (e *edition) option(band contract.PricingBand, option contract.PriceOption) string {
	return content.OptionOf(e.words, band, option)
}

func (e *edition) offered(band contract.PricingBand) (services []contract.Service) {
	for _, service := range e.catalog.Services {
		if service.PricingBand == band.ID {
			services = append(services, service)
		}
	}
	return services
}

// pricing is the page of services and prices.
func (e *edition) pricing() Page {
	intro := e.intros[namePricing]
	title, text := splitTitle(intro.Markdown, e.t("pricing.title"))
	shown := data{
		"Title": title, "Intro": e.toHTML(text), "Source": text, "Bands": e.catalog.PricingBands, "Statements": e.Statements,
		"CatalogURL": e.site.Base + contract.PathCatalog, "CTA": e.invitation(),
	}
	return e.page(view{
		Plain: contract.PathPricing, Title: title, Description: e.t("pricing.about", e.Name),
		Body: e.execute("pricing", shown), Data: e.businessData(),
	}, e.markdown(title, e.executeMarkdown("pricing", shown)))
}
