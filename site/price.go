package site

import (
	"fmt"

	"frontdesk/contract"
)

// Price words a band: "EUR 49–99 per month", or "from EUR 390 per month" when it
// has no upper end.
func Price(band contract.PricingBand) string {
	switch {
	case band.To == nil:
		return fmt.Sprintf("from %s %d per %s", band.Currency, band.From, band.Unit)
	case *band.To == band.From:
		return fmt.Sprintf("%s %d per %s", band.Currency, band.From, band.Unit)
	}
	return fmt.Sprintf("%s %d–%d per %s", band.Currency, band.From, *band.To, band.Unit)
}

// priceFrom words the lower end of a band, for the list of services.
func priceFrom(band contract.PricingBand) string {
	if band.To != nil && *band.To == band.From {
		return fmt.Sprintf("%s %d", band.Currency, band.From)
	}
	return fmt.Sprintf("from %s %d", band.Currency, band.From)
}
