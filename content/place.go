package content

import (
	"cmp"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

var phoneSigns = regexp.MustCompile(`[^+0-9]`)

// Dial returns the phone number of a business as devices dial it: +442079460123 for "+44 (0)20 7946 0123". A
// number without a country code is within the country; without an address, its digits are dialled.
func Dial(facts *contract.Facts) string {
	country := ""
	if facts.Address != nil {
		country = facts.Address.Country
	}
	number, err := phonenumbers.Parse(facts.Phone, country)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return phoneSigns.ReplaceAllString(facts.Phone, "")
	}
	return phonenumbers.Format(number, phonenumbers.E164)
}

// countryOf returns the ISO 3166 code of a country, which may be written as another code of it or by its
// name in a language of package i18n; "" for other texts.
func countryOf(text string) string {
	if region, err := language.ParseRegion(text); err == nil && region.Canonicalize().IsCountry() {
		return region.Canonicalize().String()
	}
	if text == "" {
		return ""
	}
	for _, region := range language.Supported.Regions() {
		if !region.IsCountry() || region.Canonicalize() != region {
			continue
		}
		for _, tag := range i18n.Languages() {
			if strings.EqualFold(display.Regions(language.Make(tag)).Name(region), text) {
				return region.String()
			}
		}
	}
	return ""
}

// zones are the time zones of countries that have only one, or where nearly everyone lives in it.
var zones = map[string]string{
	"AT": "Europe/Vienna", "BE": "Europe/Brussels", "CH": "Europe/Zurich", "CZ": "Europe/Prague", "DE": exampleZone,
	"DK": "Europe/Copenhagen", "ES": "Europe/Madrid", "FR": "Europe/Paris", "GB": "Europe/London", "IE": "Europe/Dublin",
	"IT": "Europe/Rome", "JP": "Asia/Tokyo", "LI": "Europe/Zurich", "LU": "Europe/Luxembourg", "NL": "Europe/Amsterdam",
	"NO": "Europe/Oslo", "PL": "Europe/Warsaw", "PT": "Europe/Lisbon", "SE": "Europe/Stockholm",
}

const exampleZone = "Europe/Berlin"

func isCountry(text string) bool { return countryOf(text) != "" }

// isTimeZone reports whether a text is the IANA name of a time zone.
func isTimeZone(text string) bool {
	_, err := time.LoadLocation(text)
	return err == nil && (strings.Contains(text, "/") || text == "UTC")
}

// zoneOf returns the time zone that is named after a city, else the one of a country.
func zoneOf(city, country string) string {
	plain, _, _ := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), city) // never fails
	words := strings.Fields(strings.ToLower(plain))
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	for continent := range strings.FieldsSeq("Europe America Asia Africa Australia Pacific Atlantic Indian") {
		if zone := continent + "/" + strings.Join(words, "_"); isTimeZone(zone) {
			return zone
		}
	}
	return cmp.Or(zones[country], exampleZone)
}
