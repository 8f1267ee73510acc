package content

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"frontdesk/contract"
)

// signs are currencies by how else they are written than by their ISO 4217 code. A
// dollar may be one of several: any of them will do.
var signs = map[string][]string{
	"€": {"EUR"}, "euro": {"EUR"}, "euros": {"EUR"},
	"$": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"}, "dollar": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD"},
	"dollars": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD"},
	"£":       {"GBP"}, "pound": {"GBP"}, "pounds": {"GBP"},
	"¥": {"JPY", "CNY"}, "円": {"JPY"}, "yen": {"JPY"}, "zł": {"PLN"}, "fr.": {"CHF"},
}

// Parts of the patterns below. A number may have groups of three digits and a
// fraction; a range has two of them.
const (
	number   = `\d{1,3}(?:[.,'’\x{a0}\x{202f} ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`
	currency = `[A-Z]{3}\b|€|\$|£|¥|円|zł|(?i:euros?|dollars?|pounds?|yen)\b|Fr\.`
	upTo     = `\s*(?:[-–—]|to|bis|and|und|a|à|al?)\s*`
)

// amountBefore and amountBehind find amounts with the currency before or behind
// them: "EUR 49 to 99", "49–99 €".
var (
	amountBehind = regexp.MustCompile(`(?:\b(` + number + `)` + upTo + `)?\b(` + number + `)[ \x{a0}\x{202f}]?(` + currency + `)`)
	amountBefore = regexp.MustCompile(`(?:\b([A-Z]{3})|(€|\$|£|¥))[ \x{a0}\x{202f}]?(` + number + `)(?:` + upTo + `(?:[€$£¥] ?)?(` + number + `)\b)?`)
)

// amount is a sum as it is written.
type amount struct{ value, currency string }

// amountsIn are the sums of money of a text.
func amountsIn(text string) []amount {
	var found []amount
	add := func(value, currency string) {
		if value != "" && !slices.Contains(found, amount{value, currency}) {
			found = append(found, amount{value, currency})
		}
	}
	for _, m := range amountBehind.FindAllStringSubmatch(text, -1) {
		add(m[1], m[3])
		add(m[2], m[3])
	}
	for _, m := range amountBefore.FindAllStringSubmatch(text, -1) {
		add(m[3], m[1]+m[2])
		add(m[4], m[1]+m[2])
	}
	return found
}

// codes are the ISO 4217 codes that a written currency may mean, among those that
// are known: three capital letters may be anything.
func (a amount) codes(known []string) []string {
	if codes := signs[strings.ToLower(a.currency)]; codes != nil {
		return codes
	}
	if slices.Contains(known, a.currency) || slices.Contains(commonCurrencies, a.currency) {
		return []string{a.currency}
	}
	return nil
}

// commonCurrencies are told from other words of three capital letters also when no
// band is in them.
var commonCurrencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK"}

// fraction is the part of a written number behind its whole units, and group what
// stands between its digits.
var (
	fraction = regexp.MustCompile(`[.,](\d{1,2})$`)
	group    = regexp.MustCompile(`\D`)
)

// whole is the amount in whole units, as digits; it is false for one with a fraction
// other than zero.
func (a amount) whole() (string, bool) {
	digits := a.value
	if m := fraction.FindStringSubmatch(digits); m != nil {
		if strings.Trim(m[1], "0") != "" {
			return "", false
		}
		digits = digits[:len(digits)-len(m[0])]
	}
	return group.ReplaceAllString(digits, ""), true
}

// isPublished reports whether a pricing band begins or ends with the amount. What
// costs nothing needs no band.
func (a amount) isPublished(bands []contract.PricingBand, codes []string) bool {
	whole, ok := a.whole()
	if strings.Trim(whole, "0") == "" && ok {
		return true
	}
	return ok && slices.ContainsFunc(bands, func(band contract.PricingBand) bool {
		return slices.Contains(codes, band.Currency) &&
			(whole == fmt.Sprint(band.From) || band.To != nil && whole == fmt.Sprint(*band.To))
	})
}

// strayAmounts warns of amounts in answers that stand in no pricing band: most
// likely a price that was changed in one place only.
func (c *Content) strayAmounts() (warnings []Fault) {
	var known []string
	for _, band := range c.Bands {
		known = append(known, band.Currency)
	}
	for i := range c.FAQ.Entries {
		entry := &c.FAQ.Entries[i]
		for _, a := range amountsIn(entry.Answer) {
			codes := a.codes(known)
			if codes == nil || a.isPublished(c.Bands, codes) {
				continue
			}
			warnings = append(warnings, entry.Fault(
				fmt.Sprintf("the answer of %q says %s %s, which no pricing band has", entry.ID, a.value, a.currency),
				"change the answer, or the band in "+catalogFile))
		}
	}
	return warnings
}
