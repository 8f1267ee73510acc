package content

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/currency"
	"golang.org/x/text/unicode/norm"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

// signLines lists, for each currency, spellings beside its code and i18n.Signs. A spelling may mean several currencies.
// Each may have a dot behind it; "Fr." must have one in a text, where "Fr 8–12" is Friday.
const signLines = `EUR euro euros
GBP pound pounds
USD US$ dollar dollars
CAD C$ CA$ dollar dollars
AUD A$ AU$ dollar dollars
NZD NZ$ dollar dollars
SGD S$ dollar dollars
HKD HK$ dollar dollars
MXN MX$ peso pesos
ARS peso pesos
CLP peso pesos
COP peso pesos
DOP peso pesos
PHP peso pesos
UYU peso pesos
BRL real reais
JPY 円 yen
CNY 元 yuan
CHF fr. sfr franken
SEK kronor :-
NOK kroner
DKK kroner
ISK krónur
PLN zl złoty złotych
BGN лв
TRY tl
UAH грн
RUB руб
INR rs
KRW 원
KWD kd
VND đ`

// signs maps the spellings, in lower case, and the codes to ISO 4217 codes.
var signs = sync.OnceValue(func() map[string][]string {
	signs := map[string][]string{}
	add := func(code string, all ...string) {
		for _, sign := range all {
			if sign = strings.ToLower(sign); !slices.Contains(signs[sign], code) {
				signs[sign] = append(signs[sign], code)
			}
		}
	}
	for line := range strings.Lines(signLines) {
		words := strings.Fields(line)
		add(words[0], words[1:]...)
	}
	for _, code := range Currencies("") {
		add(code, i18n.Signs(code)...)
		signs[code] = []string{code}
	}
	return signs
})

// currencyOf returns the sign or code that a word with or without a dot is; empty for other words.
func currencyOf(word string) string {
	for _, word := range []string{word, strings.TrimSuffix(word, ".")} {
		if codesOf(word) != nil {
			return word
		}
	}
	return ""
}

// codesOf returns the ISO 4217 codes of the currencies that are written so.
func codesOf(sign string) []string {
	if codes := signs()[sign]; codes != nil {
		return codes
	}
	return signs()[strings.ToLower(sign)]
}

// Currencies returns the codes of all currencies in use, those of country first. country may be empty.
func Currencies(country string) (codes []string) {
	var own []string
	for all := currency.Query(); all.Next(); {
		code := all.Unit().String()
		if codes = append(codes, code); all.Region().String() == country {
			own = append(own, code)
		}
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	return append(own, slices.DeleteFunc(codes, func(code string) bool { return slices.Contains(own, code) })...)
}

// freeWords are what people write for a price of zero.
var freeWords = strings.Fields("free gratis kostenlos umsonst gratuit gratuito gratuita grátis bezpłatnie " +
	"bezpłatne darmowe 無料")

// Parts of the patterns below. A number may have groups of three digits, or of two as in India, and
// a fraction; a range has two of them.
const (
	number = `\d{1,3}(?:[.,'’\x{a0}\x{202f} ]\d{3})+(?:[.,]\d{1,3})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?|` +
		`\d+(?:[.,]\d{1,3})?`
	symbol = `(?:\b[A-Z]{1,2})?[\p{Sc}円元원]`
	gap    = `[ \x{a0}\x{202f}]?`
	to     = `[-–—]|to|bis|and|und|al?|à|alle|às`
	upTo   = `\s*(?:` + to + `|tot|do)\s*`
)

// amountBefore and amountBehind find amounts with the currency, or any word, before or behind
// them: "EUR 49 to 99", "49–99 €". millions follows a number that is no price: "£5 million".
var (
	amountBehind = regexp.MustCompile(`(?:\b(` + number + `)\b` + upTo + `)?\b(` + number + `)(?:[.,][-–—])?` + gap +
		`(` + symbol + `|\pL+\.?|:-)`)
	amountBefore = regexp.MustCompile(`(` + symbol + `|\pL+\.?)` + gap + `(` + number + `)\b` +
		`(?:\s*(?:` + to + `)\s*(?:` + symbol + ` ?)?(` + number + `)\b)?`) // "€ 38 tot 20 ramen" has one amount
	millions = regexp.MustCompile(`(?i)^[ \x{a0}]?(?:mi(?:l[lihj]\pL*|o)|billion\pL*|mln|mrd|bn|m|k)\b`)
)

// amount is a sum of money as a text writes it. prefix is the currency and any space after it, if they precede the
// value.
type amount struct{ value, currency, prefix string }

func (a amount) String() string {
	if a.prefix != "" {
		return a.prefix + a.value
	}
	return a.value + " " + a.currency
}

func amountsIn(text string) []amount {
	var found []amount
	add := func(value, currency, prefix string) {
		if value != "" && currency != "" && !slices.ContainsFunc(found, func(a amount) bool {
			return a.value == value && a.currency == currency
		}) {
			found = append(found, amount{value, currency, prefix})
		}
	}
	for _, m := range amountBehind.FindAllStringSubmatch(text, -1) {
		sign := currencyOf(m[3])
		add(m[1], sign, "")
		add(m[2], sign, "")
	}
	for rest := text; ; {
		at := amountBefore.FindStringSubmatchIndex(rest)
		if at == nil {
			return found
		}
		m := func(group int) string { return rest[max(0, at[2*group]):max(0, at[2*group+1])] }
		sign, end := currencyOf(m(1)), at[1]
		if sign == "" {
			end = at[5] // what follows the first number may be an amount: "between 5 and $9"
		} else if !millions.MatchString(rest[end:]) {
			prefix := rest[at[2]:at[4]]
			add(m(2), sign, prefix)
			add(m(3), sign, prefix)
		}
		rest = rest[end:]
	}
}

// shortWord is how many bytes a sign has at most that may well be another word, as in 12 ft.
const shortWord = 2

// codes returns the ISO 4217 codes that a written currency may mean. Letters count only if the currency is a known or a
// common one, and short words only if it is known.
func (a amount) codes(known []string) []string {
	codes := codesOf(a.currency)
	switch {
	case strings.ContainsFunc(a.currency, func(r rune) bool { return unicode.Is(unicode.Sc, r) }):
		return codes
	case len(a.currency) > shortWord: // zł, 円
		known = slices.Concat(known, commonCurrencies)
	}
	upper := strings.ToUpper(a.currency)
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		isOther := upper != a.currency && slices.Contains(i18n.Signs(code), upper) // km is not KM, and l not L
		return isOther || !slices.Contains(known, code)
	})
}

// commonCurrencies are recognized even if no pricing band uses them; other words of
// three capital letters are not.
var commonCurrencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK"}

// in returns what the amount may be in a currency.
func (a amount) in(code string) (values []float64) {
	unit, _ := currency.ParseISO(code) // valid: a band's currency, or one that a form offers
	digits, _ := currency.Standard.Rounding(unit)
	for _, reading := range readings(a.value, digits) {
		values = append(values, contract.Float(contract.Amount(reading)))
	}
	return values
}

var (
	separators = regexp.MustCompile(`[^0-9]`)
	grouped    = regexp.MustCompile(`^(?:[1-9]\d{0,2}(?:\D\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3})$`)
)

// readings returns what a written number may be, as catalog.yaml writes it, in a currency that has so
// many digits after the point: none for a number that is not understood, two for 4,500 with three
// digits, where the comma may be either.
func readings(text string, digits int) []string {
	signs := separators.FindAllString(text, -1)
	if len(signs) == 0 {
		return []string{withoutZeros(text)}
	}
	last := signs[len(signs)-1]
	at := strings.LastIndex(text, last)
	whole, behind := text[:at], text[at+len(last):]
	var found []string
	isPoint := (last == "." || last == ",") && strings.Count(text, last) == 1
	isWhole := len(signs) == 1 || grouped.MatchString(whole) && isUniform(signs[:len(signs)-1])
	switch isZero := strings.Trim(behind, "0") == ""; {
	case !isPoint || !isWhole:
	case isZero && len(behind) <= 2 && len(behind) > digits:
		found = append(found, withoutZeros(separators.ReplaceAllString(whole, "")))
	case len(behind) <= digits:
		found = append(found, withoutZeros(separators.ReplaceAllString(whole, ""))+"."+behind+
			strings.Repeat("0", digits-len(behind)))
	}
	isEnglish := digits == len(behind) && last == "." // as the currencies of three digits are written at home
	if grouped.MatchString(text) && isUniform(signs) && !(isEnglish && len(found) > 0) {
		found = append(found, separators.ReplaceAllString(text, ""))
	}
	return found
}

func isUniform(signs []string) bool { return len(slices.Compact(slices.Clone(signs))) == 1 }

func withoutZeros(digits string) string { return cmp.Or(strings.TrimLeft(digits, "0"), "0") }

// typedAmount finds the number in an amount as people type it, and what is around it.
var typedAmount = regexp.MustCompile(`^(\D*?) *(\d(?:[.,'’ ]?\d)*)(?:[.,:]?[-–—]+)? *(\D*?)$`)

// ParseAmount reads an amount of a currency as people type it, such as "4,80 €", "CHF 1'200.-" or
// "free", and returns it as catalog.yaml writes it, or why it is not one.
func ParseAmount(text, code string) (written string, why *Diagnostic) {
	refuse := func(reason, message string, understood ...any) (string, *Diagnostic) {
		values := append([]any{text, code}, understood...)
		return "", &Diagnostic{Message: fmt.Sprintf(message, values...), Code: reason, Values: values}
	}
	none := func() (string, *Diagnostic) { return refuse("reason.amount", "%q is not an amount of %s") }
	typed := strings.TrimSpace(norm.NFKC.String(text))
	if slices.Contains(freeWords, strings.ToLower(typed)) {
		return "0", nil
	}
	parts := typedAmount.FindStringSubmatch(typed)
	unit, err := currency.ParseISO(code)
	isRaised := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.No, r) }) // 4⁹⁹ would be 499
	if parts == nil || err != nil || isRaised {
		return none()
	}
	for _, sign := range []string{strings.ToUpper(parts[1]), strings.ToUpper(parts[3])} {
		bare := strings.TrimSuffix(sign, ".")
		codes := slices.Concat(codesOf(bare), codesOf(bare+"."))
		switch {
		case sign == "" || sign == code || slices.Contains(codes, code): // the code may be an old one
		case codes == nil:
			return none()
		default:
			if len(codes) == 1 {
				sign = codes[0]
			}
			return refuse("reason.amount.currency", "%q is in %[3]s, but the price is in %[2]s", sign)
		}
	}
	digits, _ := currency.Standard.Rounding(unit)
	found := readings(parts[2], digits)
	switch exact := readings(parts[2], mostDigits); {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return refuse("reason.amount.either", "%q may be %[3]s or %[4]s of %[2]s", found[0], found[1])
	case len(exact) > 0:
		return refuse("reason.amount.digits", "%q reads as %[3]s, but %[2]s has %[4]s digits after the point",
			strings.TrimRight(exact[0], "0"), strconv.Itoa(digits))
	}
	return none()
}

// mostDigits is more than any currency has after the point.
const mostDigits = 9

// SaysAmount reports whether a text says an amount of a currency, as catalog.yaml writes it.
func SaysAmount(text, written, code string) bool {
	return slices.ContainsFunc(amountsIn(text), func(a amount) bool {
		return slices.Contains(a.in(code), contract.Float(contract.Amount(written))) &&
			slices.Contains(a.codes([]string{code}), code)
	})
}

func (a amount) isZero() bool { return strings.Trim(a.value, "0.,") == "" }

// isWithin reports whether the amount, in one of these currencies, is one of a pricing band.
func (a amount) isWithin(band contract.PricingBand, codes []string) bool {
	from, to := contract.Float(band.From), contract.Float(band.To)
	return slices.Contains(codes, band.Currency) && slices.ContainsFunc(a.in(band.Currency), func(value float64) bool {
		return value == from || band.To != "" && from <= value && value <= to
	})
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
	for entry := range c.FAQ.own() {
		for _, a := range amountsIn(entry.Answer) {
			codes := a.codes(known)
			isStray := len(codes) > 0 && !a.isZero() && entry.Prices != PricesFree
			for _, band := range c.Bands {
				if a.isWithin(band, codes) {
					used[band.ID], isStray = true, false
				}
			}
			if isStray {
				warnings = append(warnings, entry.Fault(
					fmt.Sprintf("the answer of %q says %s, which is in no pricing band", entry.ID, a),
					"change the answer, add it to the bands in "+CatalogFile+", or write prices: free in the entry",
					"warning.amount", entry.ID, a.String()))
			}
		}
	}
	for _, band := range c.Bands {
		if !used[band.ID] {
			warnings = append(warnings, faultIn(CatalogFile, c.bandLines[band.ID],
				fmt.Sprintf("no service or answer uses the pricing band %q", band.ID), "", "warning.band", band.ID))
		}
	}
	return warnings
}
