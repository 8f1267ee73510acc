package i18n

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/number"
)

// Amount writes a sum of money as the language does: "€4.80", "4,80 €". It keeps the
// number of digits of decimal.
func (p *Printer) Amount(code, decimal string) string {
	return p.withSign(code, p.decimal(decimal, fraction(decimal)))
}

// Range writes a range of sums: "€49–99", "49–99 €".
func (p *Printer) Range(code, from, to string) string {
	digits := max(fraction(from), fraction(to))
	return p.withSign(code, p.decimal(from, digits)+"–"+p.decimal(to, digits))
}

// noBreak is a space at which no line ends.
const noBreak = "\u00a0"

// withSign puts the sign of a currency where the language has it. A space separates a
// sign of letters from the number.
func (p *Printer) withSign(code, number string) string {
	sign := p.sign(code)
	text := p.Text("price.amount", sign, number)
	if last, _ := utf8.DecodeLastRuneInString(sign); unicode.IsLetter(last) {
		text = strings.Replace(text, sign+number, sign+noBreak+number, 1)
	}
	return text
}

// sign is the usual sign of a currency.
func (p *Printer) sign(code string) string {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return code
	}
	return p.printer.Sprint(currency.NarrowSymbol(unit))
}

// fraction is how many digits a decimal has after the point.
func fraction(decimal string) int {
	_, digits, _ := strings.Cut(decimal, ".")
	return len(digits)
}

func (p *Printer) decimal(decimal string, digits int) string {
	value, _ := strconv.ParseFloat(decimal, 64) // a decimal of the catalog
	return p.printer.Sprint(number.Decimal(value, number.Scale(digits)))
}

// Date writes a day: "24 December 2026".
func (p *Printer) Date(day time.Time) string {
	return p.Text("date.full", day.Day(), p.List("date.months")[day.Month()-1], day.Format("2006"))
}

// Time writes a day and the time of day.
func (p *Printer) Time(at time.Time) string { return p.Date(at) + at.Format(", 15:04") }

// Number writes a number with the signs that the language has between its digits.
func (p *Printer) Number(n any) string { return p.printer.Sprint(number.Decimal(n)) }

// Days writes days of the week, 0 being Monday: "Mon", "Tue–Fri", "Sat, Sun".
func (p *Printer) Days(days []int) string {
	names := p.List("date.days")
	var parts []string
	for i := 0; i < len(days); {
		last := i
		for last+1 < len(days) && days[last+1] == days[last]+1 {
			last++
		}
		switch last - i {
		case 0:
			parts = append(parts, names[days[i]])
		case 1:
			parts = append(parts, names[days[i]], names[days[last]])
		default:
			parts = append(parts, names[days[i]]+"–"+names[days[last]])
		}
		i = last + 1
	}
	return strings.Join(parts, ", ")
}
