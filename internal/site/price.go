package site

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// Price formats a band: "€49–99 per month", "from €390 per month" when it has no upper end, or "free".
func (e *edition) Price(band contract.PricingBand) string {
	if e.begin == "" {
		return content.PriceOf(e.words, band)
	}
	return strings.TrimSpace(fmt.Sprint(e.mark(e.amount(band), true), " ", e.per(band)))
}

func (e *edition) amount(band contract.PricingBand) string {
	return e.words.Price(band.Currency, string(band.From), string(band.To))
}

// per returns what the amount is for, such as "per month"; empty if the band is free or has no unit.
func (e *edition) per(band contract.PricingBand) any {
	if content.IsFree(band) || band.Unit == "" {
		return ""
	}
	return e.marked("price.per", "", band.Unit)
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

// pricesOf lists the amounts of the bands, by currency.
func pricesOf(bands []contract.PricingBand) map[string][]string {
	prices := map[string][]string{}
	for _, band := range bands {
		prices[band.Currency] = append(prices[band.Currency], string(band.From), string(band.To))
		for _, option := range band.Options {
			prices[band.Currency] = append(prices[band.Currency], string(option.Price))
		}
	}
	return prices
}

func (e *edition) offered(band contract.PricingBand) (services []contract.Service) {
	for _, service := range e.Services {
		if service.PricingBand == band.ID {
			services = append(services, service)
		}
	}
	return services
}

// remarks returns the note of a band, after its summary unless a service beside it already says the same.
func (e *edition) remarks(band contract.PricingBand, services []contract.Service) string {
	said := func(service contract.Service) bool { return service.Summary == band.Summary }
	if slices.ContainsFunc(services, said) {
		return band.Note
	}
	return strings.TrimSpace(band.Summary + " " + band.Note)
}

// pricing is the page of services and prices.
func (e *edition) pricing(now time.Time) Page {
	title, text, isOwn := e.title(namePricing, "pricing.title")
	shown := data{
		"Intro": text, "Bands": e.Bands, "Statements": e.Statements,
		"CatalogURL": e.site.Base + contract.PathCatalog,
	}
	return e.page(view{
		Plain: contract.PathPricing, Title: title, IsOwn: isOwn, Description: e.t("pricing.about", e.Name), Now: now,
		Template: "pricing", Shown: shown, Data: e.businessData(now),
	}, e.linked(execute(e.text, "pricing.md", shown)))
}
