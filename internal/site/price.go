package site

import (
	"strings"

	"golang.org/x/text/language"

	"frontdesk/contract"
)

// Price formats a band: "€49–99 per month", or "from €390 per month" when it has no
// upper end.
func (e *edition) Price(band contract.PricingBand) string {
	return e.t("price.per", e.amount(band), band.Unit)
}

func (e *edition) amount(band contract.PricingBand) string {
	return e.words.Price(band.Currency, string(band.From), string(band.To))
}

// lowest formats the lower end of a band, for the list of services.
func (e *edition) lowest(band contract.PricingBand) string {
	if band.To != band.From {
		band.To = ""
	}
	return e.amount(band)
}

// option formats an exact price: "€4.20", or "€12 per box" if the unit is not that of the
// band. All options of a band have cents if one has.
func (e *edition) option(band contract.PricingBand, option contract.PriceOption) string {
	price := string(option.Price)
	for _, other := range band.Options {
		if _, cents, has := strings.Cut(string(other.Price), "."); has && !strings.Contains(price, ".") {
			price += "." + strings.Repeat("0", len(cents))
		}
	}
	amount := e.words.Amount(band.Currency, price)
	if option.Unit == band.Unit {
		return amount
	}
	return e.t("price.per", amount, option.Unit)
}

// inCountry returns the language as a country writes amounts in it: "pt" in Portugal is
// pt-PT. English is left alone in Europe, where CLDR writes 1.240 for 1,240: whoever reads
// English reads that as little more than one.
func inCountry(tag string, address *contract.Address) string {
	if address == nil || address.Country == "" {
		return tag
	}
	parsed := language.Make(tag)
	if _, confidence := parsed.Region(); confidence == language.Exact {
		return tag
	}
	local, err := language.Compose(parsed, language.MustParseRegion(address.Country)) // content has checked the country
	if err != nil || local.Parent() == language.MustParse("en-150") {
		return tag
	}
	return local.String()
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
