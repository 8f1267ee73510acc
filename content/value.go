package content

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/currency"

	"frontdesk/contract"
)

var (
	idForm       = regexp.MustCompile(`^[a-z0-9-]+$`)
	amountForm   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(?:\.([0-9]+))?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
)

// checked returns the text at key, of one line. If is(text) is false, it reports message with the
// text as %q, the hint, and the code, which may be empty.
func (o object) checked(key string, is func(text string) bool, code, message, hint string) string {
	text := o.line(key)
	if text != "" && !is(text) {
		o.fault(o.at(key), fmt.Sprintf(message, text), hint).as(code, text)
	}
	return text
}

// formed reads a text of one line that must match form.
func (o object) formed(key string, form *regexp.Regexp, code, hint string) string {
	return o.checked(key, form.MatchString, code, key+" %q is not valid", hint)
}

func (o object) id(taken seen) string {
	id := o.formed("id", idForm, "", "only a-z, 0-9 and the hyphen")
	if id != "" {
		o.once(taken, id, "the id", id, o.at("id"))
	}
	return id
}

// amount reads an amount with at most as many digits after the point as the currency
// has. Missing digits are added, so that 4.8 becomes 4.80; 490 stays 490. It is empty
// when there is no amount.
func (o object) amount(key string, unit currency.Unit) contract.Amount {
	node := o.value(key)
	if node == nil {
		return ""
	}
	parts := amountForm.FindStringSubmatch(node.Value)
	if tag := node.ShortTag(); parts == nil || tag != "!!int" && tag != "!!float" {
		hint := "digits with a point, such as 490 or 4.80, and no currency"
		if written, why := ParseAmount(node.Value, unit.String()); why == nil {
			hint = fmt.Sprintf("write %s for %q", written, node.Value)
		}
		o.fault(node.Line, key+" must be an amount", hint).as("content.amount")
		return ""
	}
	digits, _ := currency.Standard.Rounding(unit)
	whole, fraction := parts[1], parts[2]
	switch {
	case len(fraction) > digits:
		o.fault(node.Line, fmt.Sprintf("%s %s has too many digits after the point", key, node.Value),
			fmt.Sprintf("%v has %d", unit, digits)).as("content.amount")
		return ""
	case fraction == "":
		return contract.Amount(whole)
	}
	return contract.Amount(whole + "." + fraction + strings.Repeat("0", digits-len(fraction)))
}

// currency reads an ISO 4217 code.
func (o object) currency(key string) currency.Unit {
	text := o.formed(key, currencyForm, "content.currency", "three capital letters such as EUR")
	unit, err := currency.ParseISO(text)
	if err != nil && currencyForm.MatchString(text) {
		o.fault(o.at(key), fmt.Sprintf("%q is not a currency", text), "an ISO 4217 code such as EUR").as("content.currency",
			text)
	}
	return unit
}

// date reads a day as 00:00 UTC. It is zero when there is none.
func (o object) date(key string) (day time.Time) {
	o.checked(key, func(text string) (ok bool) {
		var err error
		day, err = time.Parse(time.DateOnly, text)
		return err == nil
	}, "content.date", key+" %q is not a date", "year, month and day such as 2027-06-01")
	return day
}

// number reads a number, with a point or a comma before its fraction.
func (o object) number(key string, least, most float64, code, message, hint string) (number float64) {
	o.checked(key, func(text string) bool {
		var err error
		number, err = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		return err == nil && least <= number && number <= most
	}, code, message, hint)
	return number
}

// webAddress reads an address outside the site, https or http, and gives its name in ASCII.
func (o object) webAddress(key string) (address string) {
	o.checked(key, func(text string) bool {
		parsed, err := url.Parse(text)
		if err != nil || text[0] == '/' || !isAddress(text) {
			return false
		}
		name, err := contract.ASCIIHost(parsed.Hostname())
		address = strings.Replace(text, parsed.Hostname(), name, 1)
		return err == nil
	}, "content.web", key+" %q is not a web address", "https://...")
	return address
}

// isAddress refuses "//host", which browsers read as another site.
func isAddress(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil || strings.ContainsAny(text, " \\") {
		return false
	}
	if parsed.Scheme == "http" || parsed.Scheme == "https" {
		return parsed.Host != ""
	}
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}
