package site

import (
	"fmt"

	"frontdesk/contract"
)

// Price words a band: "EUR 49–99 per month", or "from EUR 390 per month" when it
// has no upper end.
func Price(band contract.PricingBand) string { return amount(band) + " per " + band.Unit }

func amount(band contract.PricingBand) string {
	if band.To == nil || *band.To == band.From {
		return amountFrom(band)
	}
	return fmt.Sprintf("%s %d–%d", band.Currency, band.From, *band.To)
}

// amountFrom words the lower end of a band, for the list of services.
func amountFrom(band contract.PricingBand) string {
	if band.To != nil && *band.To == band.From {
		return fmt.Sprintf("%s %d", band.Currency, band.From)
	}
	return fmt.Sprintf("from %s %d", band.Currency, band.From)
}
