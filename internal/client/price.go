package client

import (
	"fmt"

	"frontdesk/contract"
)

// price formats a band, such as "EUR 90–240 / month", or "from EUR 400 / project"
// when it has no upper end. A band that is missing in the catalog has the price "–".
func price(band contract.PricingBand) string {
	if band.ID == "" {
		return "–"
	}
	switch {
	case band.To == "":
		return "from " + amount(band)
	case band.To == band.From:
		return amount(band)
	default:
		return fmt.Sprintf("%s %s–%s%s", band.Currency, band.From, band.To, perUnit(band))
	}
}

// priceFrom formats only the lower end of a band, for a table of many services.
func priceFrom(band contract.PricingBand) string {
	band.To = ""
	return price(band)
}

func amount(band contract.PricingBand) string {
	return fmt.Sprintf("%s %s%s", band.Currency, band.From, perUnit(band))
}

func perUnit(band contract.PricingBand) string {
	if band.Unit == "" {
		return ""
	}
	return " / " + band.Unit
}
