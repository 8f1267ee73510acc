package content

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"

	"frontdesk/contract"
)

// dollars are the currencies that a dollar may be.
var dollars = []string{"USD", "CAD", "AUD", "NZD", "SGD", "HKD"}

// signs maps other spellings to ISO 4217 codes. One that may be several currencies may be any
// of them.
var signs = map[string][]string{
	"€": {"EUR"}, "euro": {"EUR"}, "euros": {"EUR"}, "£": {"GBP"}, "pound": {"GBP"}, "pounds": {"GBP"},
	"$": append(slices.Clip(dollars), "MXN"), "dollar": dollars, "dollars": dollars,
	"¥": {"JPY", "CNY"}, "円": {"JPY"}, "yen": {"JPY"}, "zł": {"PLN"}, "fr.": {"CHF"},
}

// Parts of the patterns below. A number may have groups of three digits and a
// fraction; a range has two of them.
const (
	number = `\d{1,3}(?:[.,'’\x{a0}\x{202f} ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`
	sign   = `[A-Z]{3}\b|€|\$|£|¥|円|zł|(?i:euros?|dollars?|pounds?|yen)\b|Fr\.`
	upTo   = `\s*(?:[-–—]|to|bis|and|und|a|à|al?)\s*`
)

// amountBefore and amountBehind find amounts with the currency before or behind
// them: "EUR 49 to 99", "49–99 €".
var (
	amountBehind = regexp.MustCompile(`(?:\b(` + number + `)` + upTo + `)?\b(` + number + `)[ \x{a0}\x{202f}]?(` + sign +
		`)`)
	amountBefore = regexp.MustCompile(`(?:\b([A-Z]{3})|(€|\$|£|¥))[ \x{a0}\x{202f}]?(` + number + `)(?:` + upTo +
		`(?:[€$£¥] ?)?(` + number + `)\b)?`)
)

// amount is a sum of money as it is written.
type amount struct{ value, currency string }

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

// codes returns the ISO 4217 codes that a written currency may mean. Three capital
// letters count only if they are a known code.
func (a amount) codes(known []string) []string {
	if codes := signs[strings.ToLower(a.currency)]; codes != nil {
		return codes
	}
	if slices.Contains(known, a.currency) || slices.Contains(commonCurrencies, a.currency) {
		return []string{a.currency}
	}
	return nil
}

// commonCurrencies are recognized even if no pricing band uses them; other words of
// three capital letters are not.
var commonCurrencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK"}

// fraction matches the decimal part of a written number, group the separators between
// its digits.
var (
	fraction = regexp.MustCompile(`[.,](\d{1,2})$`)
	group    = regexp.MustCompile(`\D`)
)

// number returns the amount as a number, written with a point or a comma.
func (a amount) number() float64 {
	digits, behind := a.value, ""
	if m := fraction.FindStringSubmatch(digits); m != nil {
		digits, behind = digits[:len(digits)-len(m[0])], "."+m[1]
	}
	value, _ := strconv.ParseFloat(group.ReplaceAllString(digits, "")+behind, 64) // the pattern makes it a number
	return value
}

// typedAmount matches an amount as people type it.
var typedAmount = regexp.MustCompile(`^(?i:(` + sign + `)\s*)?(` + number + `)(?:[.,][-–—]+)?(?i:\s*(` + sign +
	`))?$`)

// ParseAmount reads an amount of a currency as people type it, such as "4,80 €" or "CHF
// 1'200.-", and returns it as catalog.yaml writes it. ok is false for any other text.
func ParseAmount(text, code string) (written string, ok bool) {
	parts := typedAmount.FindStringSubmatch(strings.TrimSpace(text))
	unit, err := currency.ParseISO(code)
	if parts == nil || err != nil {
		return "", false
	}
	for _, sign := range []string{parts[1], parts[3]} {
		a := amount{currency: strings.ToUpper(sign)}
		if sign != "" && strings.ToUpper(sign) != code && !slices.Contains(a.codes(nil), code) {
			return "", false
		}
	}
	digits, _ := currency.Standard.Rounding(unit)
	whole, behind := parts[2], ""
	if m := regexp.MustCompile(fmt.Sprintf(`[.,](\d{1,%d})$`, max(digits, 1))).FindStringSubmatch(whole); m != nil {
		whole, behind = whole[:len(whole)-len(m[0])], "."+m[1]+strings.Repeat("0", max(0, digits-len(m[1])))
	}
	return cmp.Or(strings.TrimLeft(group.ReplaceAllString(whole, ""), "0"), "0") + behind, true
}

// SaysAmount reports whether a text says an amount of a currency, as catalog.yaml writes it.
func SaysAmount(text, written, code string) bool {
	return slices.ContainsFunc(amountsIn(text), func(a amount) bool {
		return a.number() == contract.Float(contract.Amount(written)) && slices.Contains(a.codes([]string{code}), code)
	})
}

// isWithin reports whether the amount, in one of these currencies, is one of a pricing band.
func (a amount) isWithin(band contract.PricingBand, codes []string) bool {
	value := a.number()
	return slices.Contains(codes, band.Currency) &&
		(value == contract.Float(band.From) || band.To != "" && contract.Float(band.From) <= value &&
			value <= contract.Float(band.To))
}

// strayAmounts warns of amounts in answers that are in no pricing band, which are most
// likely prices that were changed in only one place, and of unused bands. Zero needs no band.
func (c *Content) strayAmounts() (warnings []Diagnostic) {
	var known []string
	for _, band := range c.Bands {
		known = append(known, band.Currency)
	}
	used := map[string]bool{}
	for _, service := range c.Services {
		used[service.PricingBand] = true
	}
	for i := range c.FAQ.Entries {
		entry := &c.FAQ.Entries[i]
		for _, a := range amountsIn(entry.Answer) {
			codes := a.codes(known)
			isStray := codes != nil && a.number() != 0 && entry.Prices != PricesFree
			for _, band := range c.Bands {
				if a.isWithin(band, codes) {
					used[band.ID], isStray = true, false
				}
			}
			if isStray {
				warnings = append(warnings, entry.Fault(
					fmt.Sprintf("the answer of %q says %s %s, which is in no pricing band", entry.ID, a.value, a.currency),
					"change the answer, add it to the bands in "+catalogFile+", or write prices: free in the entry",
					"warning.amount", entry.ID, a.value+" "+a.currency))
			}
		}
	}
	for i, band := range c.Bands {
		if !used[band.ID] {
			warnings = append(warnings, Diagnostic{File: catalogFile, Line: c.bandLines[i],
				Message: fmt.Sprintf("no service or answer uses the pricing band %q", band.ID), Code: "warning.band",
				Values: []any{band.ID}})
		}
	}
	return warnings
}
