package site

import (
	"fmt"

	"frontdesk/contract"
)

// Price words a band: "EUR 49–99 per month", or "from EUR 390 per month" when it
// has no upper end.
func Price(band contract.PricingBand) string { return amount(band) + " per " + band.Unit }

func amount(band contract.PricingBand) string {
	if band.To == "" || band.To == band.From {
		return amountFrom(band)
	}
	return fmt.Sprintf("%s %s–%s", band.Currency, band.From, band.To)
}

// amountFrom words the lower end of a band, for the list of services.
func amountFrom(band contract.PricingBand) string {
	if band.To != "" && band.To == band.From {
		return fmt.Sprintf("%s %s", band.Currency, band.From)
	}
	return fmt.Sprintf("from %s %s", band.Currency, band.From)
}
