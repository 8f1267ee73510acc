package i18n

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Amount writes a sum of money as the language does: "€4.80", "4,80 €". It keeps the
// number of digits of decimal, or has those of AllAlike.
func (p *Printer) Amount(code, decimal string) string {
	return p.withSign(code, p.decimal(decimal, p.fraction(code, decimal)))
}

// Price formats a price or a range of prices: "€49–99", "from €390" without an upper end, "€80" if both are the
// same, "free" if both are zero.
func (p *Printer) Price(code, from, to string) string {
	if to == "" {
		return p.Text("price.from", p.Amount(code, from))
	}
	digits := max(p.fraction(code, from), p.fraction(code, to))
	least, most := p.decimal(from, digits), p.decimal(to, digits)
	if least == most {
		return p.Exact(code, from)
	}
	return p.withSign(code, least+"–"+most)
}

// Exact formats an exact price: "€80", "free".
func (p *Printer) Exact(code, price string) string {
	if strings.Trim(price, "0.") == "" {
		return p.Text("price.free")
	}
	return p.Amount(code, price)
}

// Per adds what a price is paid for, which may be empty: "€80 per month".
func (p *Printer) Per(price, unit string) string {
	if unit == "" {
		return price
	}
	return p.Text("price.per", price, unit)
}

// Hours writes a time in which a business is open: "10:00–18:00".
func (p *Printer) Hours(opens, closes string) string { return p.onOneLine(opens + "–" + closes) }

// ForHTML returns a printer that keeps amounts, ranges and French punctuation from breaking across lines.
func (p *Printer) ForHTML() *Printer {
	html := *p
	html.html = true
	if p.Language == "fr" {
		html.messages = maps.Clone(p.messages)
		for key, text := range p.messages {
			html.messages[key] = frenchMarks.Replace(text)
		}
	}
	return &html
}

// AllAlike returns a printer that writes every amount of a currency with at least the digits after the point that
// prices have, which are decimals by currency: in a list, €32.00 beside €29 looks like an oversight.
func (p *Printer) AllAlike(prices map[string][]string) *Printer {
	alike := *p
	alike.digits = map[string]int{}
	for code, decimals := range prices {
		for _, decimal := range decimals {
			alike.digits[code] = max(alike.digits[code], p.fraction(code, decimal))
		}
	}
	return &alike
}

var (
	plain    = strings.NewReplacer("\u00a0", " ", "\u202f", " ")
	unbroken = strings.NewReplacer(" ", "\u00a0", "–", "\u2060–\u2060")
	// frenchMarks makes the spaces around French punctuation no-break spaces.
	frenchMarks = strings.NewReplacer("« ", "«\u00a0", " »", "\u00a0»", " :", "\u00a0:", " ;", "\u00a0;",
		" !", "\u00a0!", " ?", "\u00a0?")
)

// onOneLine writes an amount or a range for HTML with no-break characters, else with plain ones.
func (p *Printer) onOneLine(text string) string {
	if p.html && IsRightToLeft(p.tag) { // there the numbers around a dash would swap places
		text = strings.ReplaceAll(text, "–", "\u200e–")
	}
	if p.html {
		return unbroken.Replace(text)
	}
	return plain.Replace(text)
}

// before are the languages and countries that put the sign before the number where the
// language puts it behind, with what is between (CLDR).
var before = map[string]string{
	"de-AT": " ", "de-CH": " ", "de-LI": " ", "it-CH": " ", "pt-BR": " ",
	"es-AR": " ", "es-CO": " ", "es-PE": " ", "es-UY": " ", "es-CL": "", "es-MX": "", "es-US": "",
}

// withSign puts the sign of a currency where the language has it. A space separates a
// sign of letters from the number.
func (p *Printer) withSign(code, number string) string {
	sign := p.sign(code)
	text := p.Text("price.amount", sign, number)
	if space, ok := before[p.tag]; ok {
		text = sign + space + number
	}
	if last, _ := utf8.DecodeLastRuneInString(sign); unicode.IsLetter(last) {
		text = strings.Replace(text, sign+number, sign+" "+number, 1)
	}
	return p.onOneLine(text)
}

// sign is the usual sign of a currency.
func (p *Printer) sign(code string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return code
	}
	return p.printer.Sprint(currency.NarrowSymbol(unit))
}

// Signs are the signs of a currency in the languages of the messages.
func Signs(code string) (signs []string) {
	for _, tag := range Languages() {
		p := Printer{printer: message.NewPrinter(language.Make(tag))}
		if sign := p.sign(code); sign != code {
			signs = append(signs, sign)
		}
	}
	return signs
}

// Currency returns the code of a currency with its sign, and with the country or union that the code begins with, if
// there are any.
func (p *Printer) Currency(code string) string {
	name := code
	if sign := p.sign(code); sign != code {
		name += " " + sign
	}
	of, _ := language.ParseRegion(code[:2]) // the zero region, and XA, which no one lives in, have no name
	if country := display.Regions(p.plurals).Name(of); country != "" {
		name += " (" + country + ")"
	}
	return name
}

// fraction is how many digits an amount has after the point.
func (p *Printer) fraction(code, decimal string) int {
	_, digits, _ := strings.Cut(decimal, ".")
	return max(len(digits), p.digits[code])
}

func (p *Printer) decimal(decimal string, digits int) string {
	value, _ := strconv.ParseFloat(decimal, 64) // a decimal of the catalog
	return p.printer.Sprint(number.Decimal(value, number.Scale(digits)))
}

// Date writes a day: "24 December 2026".
func (p *Printer) Date(day time.Time) string {
	number := strconv.Itoa(day.Day())
	if day.Day() == 1 {
		number = p.Text("date.first")
	}
	return p.Text("date.full", number, p.List("date.months")[day.Month()-1], day.Format("2006"))
}

// On writes a day with the words that the language puts before it: "on 24 December 2026".
func (p *Printer) On(day time.Time) string { return p.Contracted(p.Text("date.on", p.Date(day))) }

// FromTo writes days in a row: "from 24 December 2026 to 6 January 2027", "from 24 to 26 December 2026".
func (p *Printer) FromTo(from, to time.Time) string {
	return p.Contracted(p.Text("date.range", p.beginning(from, to), p.Date(to)))
}

// Period writes days in a row without words: "24 December 2026 – 6 January 2027", "24–26 December 2026".
func (p *Printer) Period(from, to time.Time) string {
	if from.Equal(to) {
		return p.onOneLine(p.Date(from))
	}
	first, last := p.onOneLine(p.beginning(from, to)), p.onOneLine(p.Date(to))
	if strings.ContainsAny(first, " \u00a0") {
		return first + " – " + last
	}
	return first + "–" + last
}

// beginning writes the first of days in a row without the year and the month that the last day has, too.
func (p *Printer) beginning(from, to time.Time) string {
	first, last := strings.Split(p.Date(from), " "), strings.Split(p.Date(to), " ")
	for i := 1; from.Year() == to.Year() && first[len(first)-1] == last[len(last)-i]; i++ {
		first = first[:len(first)-1]
	}
	return strings.Join(first, " ")
}

// contractions are prepositions with the article that the next word takes: Italian before otto, undici and one o'clock,
// Portuguese before midnight and one o'clock, Spanish before one o'clock.
var contractions = map[string]*strings.Replacer{
	"es": strings.NewReplacer("las 01:", "la 01:"),
	"it": strings.NewReplacer("dal 8 ", "dall’8 ", "dal 11 ", "dall’11 ", "al 8 ", "all’8 ", "al 11 ", "all’11 ",
		"il 8 ", "l’8 ", "il 11 ", "l’11 ", "dalle 1:", "dall’1:", "alle 1:", "all’1:"),
	"pt": strings.NewReplacer("das 0h", "da 0h", "às 0h", "à 0h", "das 1h", "da 1h", "às 1h", "à 1h",
		"às 01:", "à 01:"),
}

// Contracted returns text with the form of each preposition and article that the time or day after it requires.
func (p *Printer) Contracted(text string) string {
	if words := contractions[p.Language]; words != nil {
		return words.Replace(text)
	}
	return text
}

// Time writes a day and the time of day.
func (p *Printer) Time(at time.Time) string { return p.Date(at) + at.Format(", 15:04") }

// Number writes a number with the signs that the language has between its digits.
func (p *Printer) Number(n any) string { return p.printer.Sprint(number.Decimal(n)) }

// Span writes the time between two in a sentence: "9:00–17:30", "de 9h00 à 17h30".
func (p *Printer) Span(opens, closes string) string {
	return p.Contracted(p.Text("fact.span", p.clock(opens), p.clock(closes)))
}

// clock writes a time of the day in a sentence: "9:00", "9h00".
func (p *Printer) clock(clock string) string {
	hour, minute, _ := strings.Cut(clock, ":")
	if len(hour) > 1 {
		hour = strings.TrimPrefix(hour, "0")
	}
	return p.Text("fact.clock", hour, minute)
}

// Series lists what belongs together in a sentence: "a, b and c".
func (p *Printer) Series(items []string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	and := p.Text("fact.and", "", "")
	if p.Language == "es" && vowelI.MatchString(items[last]) {
		and = " e "
	}
	return strings.Join(items[:last], ", ") + and + items[last]
}

// vowelI matches words before which the Spanish "and" is e: they begin with the vowel i, not as hielo or iPhone do.
var vowelI = regexp.MustCompile(`^(?:[IÍí]|i\P{Lu}|(?i:hí|hi[^ae]))`)

// Weekdays writes days of the week in a sentence, 0 being Monday: "Monday to Friday", "Monday,
// Tuesday and Thursday", "every day".
func (p *Printer) Weekdays(days []int) string {
	on, from, to := p.List("fact.days.on"), p.List("fact.days.from"), p.List("fact.days.to")
	if len(days) == len(on) {
		return p.Text("fact.days.every")
	}
	return p.Series(daysAndRanges(days, on, func(first, last int) string { return from[first] + " " + to[last] }))
}

// Days writes days of the week, 0 being Monday: "Mon", "Tue–Fri", "Sat, Sun".
func (p *Printer) Days(days []int) string {
	names := p.List("date.days")
	return strings.Join(daysAndRanges(days, names, func(first, last int) string {
		return p.onOneLine(names[first] + "–" + names[last])
	}), ", ")
}

// daysAndRanges writes at least three days in a row as a range, and other days each by its name.
func daysAndRanges(days []int, names []string, written func(first, last int) string) (parts []string) {
	for i := 0; i < len(days); i++ {
		last := i
		for last+1 < len(days) && days[last+1] == days[last]+1 {
			last++
		}
		if last-i < 2 {
			parts = append(parts, names[days[i]])
			continue
		}
		parts = append(parts, written(days[i], days[last]))
		i = last
	}
	return parts
}

// InCountry returns a language as a country writes amounts in it: "pt" in Portugal is
// pt-PT. English is left alone in Europe, where CLDR writes 1.240 for 1,240: whoever reads
// English reads that as little more than one. An empty country changes nothing.
func InCountry(tag, country string) string {
	parsed := language.Make(tag)
	if _, confidence := parsed.Region(); confidence == language.Exact || country == "" {
		return tag
	}
	local, err := language.Compose(parsed, language.MustParseRegion(country)) // content has checked the country
	if err != nil || local.Parent() == language.MustParse("en-150") {
		return tag
	}
	return local.String()
}
