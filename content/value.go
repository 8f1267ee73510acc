package content

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nyaruka/phonenumbers"
	"go.yaml.in/yaml/v4"
	"golang.org/x/text/currency"

	"frontdesk/contract"
)

var (
	idForm       = regexp.MustCompile(`^[a-z0-9-]+$`)
	amountForm   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(?:\.([0-9]+))?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
	placeForm    = regexp.MustCompile(`^[1-9][0-9]?$`)
	phoneForm    = regexp.MustCompile(`^[+(]?[0-9][0-9 ()./-]{3,30}[0-9]$`)
	// signalForm matches the signals of robots.txt, and the word that leaves them out.
	signalForm = regexp.MustCompile(`^(?:off|[a-z-]+=(?:yes|no)(?:, ?[a-z-]+=(?:yes|no))*)$`)
)

// form checks the texts of a Kind by is or isOf. A text that is refused "is not" what, says its fault. isOf also
// returns the end of the hint, which is the second value of the fault, if there is any.
type form struct {
	what, code, hint string // what is "valid" if nothing else is said
	is               func(text string) bool
	isOf             func(o object, k Key, text string) (isValid bool, more string)
}

// forms are those of the kinds that have one.
var forms = map[Kind]form{
	KindID:       {hint: "only a-z, 0-9 and the hyphen", is: idForm.MatchString},
	KindPlace:    {hint: "its place in the header, such as 1", is: placeForm.MatchString},
	KindSignal:   {code: "content.signal", hint: "off, or signals such as " + defaultSignal, is: signalForm.MatchString},
	KindCurrency: {what: "a currency", code: "content.currency", hint: "an ISO 4217 code such as EUR", is: isCurrency},
	KindAddress: {what: "an address", code: "content.address", hint: "https://... or a path of this site such as /pricing",
		is: isAddress},
	KindWeb:     {what: "a web address", code: "content.web", hint: "https://...", is: isWebAddress},
	KindEmail:   {what: "an e-mail address", code: "content.email", hint: "such as hello@example.org", is: IsMail},
	KindDate:    {what: "a date", code: "content.date", hint: "year, month and day such as 2027-06-01", is: isDay},
	KindCountry: {what: "a country", code: "content.country", hint: "two capital letters such as DE", is: isCountry},
	KindPhone:   {code: "content.phone", hint: "digits with spaces, such as +49 761 123456", isOf: isPhone},
	KindZone: {what: "a time zone", code: "content.zone", hint: "a name such as ",
		isOf: func(o object, _ Key, text string) (bool, string) { return isTimeZone(text), zoneOf(text, o.country()) }},
	KindType: {what: "a kind of business", isOf: func(_ object, _ Key, text string) (bool, string) {
		return slices.Contains(kinds, text),
			cmp.Or(suggestNear(text, kinds), "a type of schema.org below LocalBusiness, such as Bakery or Dentist")
	}},
	KindChoice: {hint: "known: ", isOf: func(_ object, k Key, text string) (bool, string) {
		return slices.Contains(k.Options, text), strings.Join(k.Options, ", ")
	}},
	KindLanguage: {what: "a language of the business", code: "content.language", hint: "business.languages: ",
		isOf: func(o object, _ Key, text string) (bool, string) {
			return o.siteLanguages == nil || slices.Contains(o.siteLanguages, text), strings.Join(o.siteLanguages, ", ")
		}},
	KindNumber: {code: "content.number", hint: "a number in the range ",
		isOf: func(_ object, k Key, text string) (bool, string) {
			number, err := numberOf(text)
			return err == nil && k.Least <= number && number <= k.Most, fmt.Sprintf("%v … %v", k.Least, k.Most)
		}},
}

// text reads the text of a key by its kind; empty if it has none in the language that is read.
func (o object) text(name string) string {
	k := o.of.key(name)
	read := o.lineOf
	switch k.Kind {
	case KindText:
		read = func(node *yaml.Node, what string) string { return strings.TrimSpace(o.verbatimOf(node, what)) }
	case KindVerbatim:
		read = o.verbatimOf
	}
	text := o.localized(name, read)
	f, isChecked := forms[k.Kind]
	if text == "" || !isChecked {
		return text
	}
	isValid, values, more := false, []any{text}, ""
	if f.is != nil {
		isValid = f.is(text)
	} else if isValid, more = f.isOf(o, k, text); more != "" {
		values = append(values, more)
	}
	if !isValid {
		o.fault(o.value(name), f.hint+more, "%s %q is not %s", name, text, cmp.Or(f.what, "valid")).
			as(f.code, values...)
	}
	return text
}

func (o object) id(taken seen) string {
	id := o.text("id")
	if idForm.MatchString(id) {
		o.once(taken, id, "the id", id, o.value("id"))
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
	digits, _ := currency.Standard.Rounding(unit)
	written, why := ParseAmount(node.Value, unit.String())
	message, hint := key+" must be an amount", "digits with a point, such as 490 or 4.80, and no currency"
	if why == nil {
		hint = fmt.Sprintf("write %s for %q", written, node.Value)
	}
	parts := amountForm.FindStringSubmatch(node.Value)
	switch tag := node.ShortTag(); {
	case parts == nil || tag != "!!int" && tag != "!!float":
	case len(parts[2]) > digits:
		message = fmt.Sprintf("%s %s has too many digits after the point", key, node.Value)
		hint = fmt.Sprintf("%v has %d", unit, digits)
	case parts[2] == "":
		return contract.Amount(parts[1])
	default:
		return contract.Amount(node.Value + strings.Repeat("0", digits-len(parts[2])))
	}
	why = cmp.Or(why, &Diagnostic{Code: "content.amount"})
	o.fault(node, hint, "%s", message).as(why.Code, why.Values...)
	return ""
}

func (o object) currency() currency.Unit {
	unit, _ := currency.ParseISO(o.text("currency")) // o.text has reported invalid text
	return unit
}

func isCurrency(text string) bool {
	_, err := currency.ParseISO(text)
	return err == nil && currencyForm.MatchString(text)
}

// date reads a day of the business. It is zero when there is none; o.text reports invalid text.
func (o object) date(key string) time.Time { return startOf(o.text(key), o.now.Location()) }

// startOf returns the start of a day in a zone, and the zero time for text that is no day.
func startOf(text string, zone *time.Location) time.Time {
	noon, err := time.ParseInLocation(time.DateOnly+" 15", text+" 12", zone) // not every day has a midnight
	if err != nil {
		return time.Time{}
	}
	return TimeOn(noon, 0, 0, 0)
}

// Day returns the day that a text names, or the zero time if it names none.
func Day(text string) time.Time {
	day, _ := time.Parse(time.DateOnly, text)
	return day
}

// isDay reports whether text is a date from the year 2000 on: browsers send year 0027 for a two-digit year.
func isDay(text string) bool { return Day(text).Year() >= 2000 }

// number reads a number, with a point or a comma before its fraction.
func (o object) number(key string) float64 {
	number, _ := numberOf(o.text(key)) // o.text has reported invalid text
	return number
}

func numberOf(text string) (float64, error) {
	return strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
}

// flag reads true or false, or the default of the key.
func (o object) flag(name string) bool {
	key, node := o.of.key(name), o.value(name)
	switch {
	case node == nil:
		return key.Default
	case node.ShortTag() != "!!bool":
		o.fault(node, "", "%s must be true or false", name)
		return key.Default
	}
	return strings.EqualFold(node.Value, "true")
}

// webAddress reads an address outside the site, and gives its name in ASCII.
func (o object) webAddress(key string) string { return asciiAddress(o.text(key)) }

// isWebAddress reports whether a text is an address outside the site, https or http.
func isWebAddress(text string) bool { return asciiAddress(text) != "" }

func asciiAddress(text string) string {
	parsed, err := url.Parse(text)
	if err != nil || !parsed.IsAbs() || !isAddress(text) {
		return ""
	}
	name, err := contract.ASCIIHost(parsed.Hostname())
	if err != nil {
		return ""
	}
	return strings.Replace(text, parsed.Hostname(), name, 1)
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

// isPhone reports whether a text is a phone number. With the country of the business it may be one within that country.
func isPhone(o object, _ Key, text string) (isValid bool, more string) {
	number, err := phonenumbers.Parse(text, o.country())
	return phoneForm.MatchString(text) && (err == phonenumbers.ErrInvalidCountryCode && !strings.HasPrefix(text, "+") ||
		err == nil && phonenumbers.IsPossibleNumber(number)), ""
}
