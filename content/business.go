package content

import (
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // not every system has the time zones: the image has not

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

var (
	businessShape = shape{"the business", "name summary",
		"languages kind address phone email hours closed special_hours time_zone coordinates area_served " +
			"payment profiles booking tone"}
	addressShape     = shape{"the address", "city", "street postal_code country"}
	coordinatesShape = shape{"the coordinates", "latitude longitude", ""}
	profileShape     = shape{"a profile", "name url", ""}
)

var (
	toneForm = regexp.MustCompile(`^(?:` + i18n.Formal + `|` + i18n.Informal + `)$`)
)

// business reads the business. The texts of the catalog may be in its languages.
func (s *source) business(node *yaml.Node, into *Edition) Business {
	o, ok := s.object(node, businessShape)
	if !ok {
		return Business{}
	}
	business := Business{
		Languages: o.languageTags("languages"),
		Tone:      o.formed("tone", toneForm, "", i18n.Formal+" or "+i18n.Informal),
		Facts: contract.Facts{
			Kind:    o.line("kind"),
			Email:   o.checked("email", IsMail, "content.email", "%q is not an e-mail address", "such as hello@example.org"),
			Hours:   o.hours("hours"),
			Closed:  o.closed("closed"),
			Booking: o.webAddress("booking"),
		},
	}
	if kind := business.Kind; kind != "" && !slices.Contains(kinds, kind) {
		o.fault(o.at("kind"), fmt.Sprintf("%q is not a kind of business", kind),
			cmp.Or(suggestNear(kind, kinds), "a type of schema.org below LocalBusiness, such as Bakery or Dentist"))
	}
	business.SpecialHours = o.specialHours("special_hours", &business.Closed)
	s.siteLanguages = business.languages()
	s.language = cmp.Or(s.language, s.siteLanguages[0])
	into.AreaServed, into.Payment = o.localLines("area_served"), o.localLines("payment")
	for _, profile := range o.objects("profiles", profileShape) {
		into.Profiles = append(into.Profiles,
			contract.Profile{Name: profile.localLine("name"), URL: profile.webAddress("url")})
	}
	if at, ok := o.within("coordinates", coordinatesShape); ok {
		business.Coordinates = &contract.Coordinates{Latitude: at.degrees("latitude", 90),
			Longitude: at.degrees("longitude", 180)}
	}
	into.Name, into.Summary = o.inEach("name", o.lineOf), strings.TrimSpace(o.inEach("summary", o.verbatimOf))
	if at, ok := o.within("address", addressShape); ok {
		business.Address = &contract.Address{
			Street: at.line("street"), PostalCode: at.line("postal_code"), City: at.line("city"),
			Country: at.checked("country", func(text string) bool { return countryOf(text) != "" }, "content.country",
				"%q is not a country", "two capital letters such as DE"),
		}
		business.Address.Country = countryOf(business.Address.Country)
	}
	country := countryIn(business.Address)
	business.Phone, business.TimeZone = o.phone("phone", country), o.timeZone("time_zone", country)
	return business
}

// IsMail reports whether a text is an e-mail address and nothing else.
func IsMail(text string) bool {
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Address == text
}

// languageTags reads a list of language tags, each in its canonical form.
func (o object) languageTags(key string) (tags []string) {
	lines := seen{}
	for _, item := range o.list(key) {
		if tag := o.canonicalTag(item, "an item of "+key); tag != "" {
			o.once(lines, tag, "the language", tag, item.Line)
			tags = append(tags, tag)
		}
	}
	return tags
}

// canonicalTag reads a language tag in its canonical form, "" if it is none.
func (s *source) canonicalTag(node *yaml.Node, what string) string {
	text := s.lineOf(node, what)
	tag, err := language.Parse(text)
	switch {
	case text == "":
		return ""
	case err != nil:
		s.fault(node.Line, fmt.Sprintf("%q is not a language", text),
			"a language tag such as en, de or pt-BR").as("content.tag", text)
		return ""
	}
	return tag.String()
}

// oneOfLanguages reads a language of the business, "" if there is none.
func (o object) oneOfLanguages(key string) string {
	return o.checked(key, func(tag string) bool { return o.siteLanguages == nil || slices.Contains(o.siteLanguages, tag) },
		"content.language", "%q is not a language of the business", "business.languages: "+
			strings.Join(o.siteLanguages, ", "))
}

// dayLines yields the lines of hours and of special_hours: days, and times, which may be a
// list.
func (o object) dayLines(key, example string) iter.Seq2[*yaml.Node, *yaml.Node] {
	node := o.value(key)
	if node != nil && node.Kind != yaml.MappingNode {
		o.fault(node.Line, key+" must be days with times", "such as "+example).as("content.hours")
	}
	return pairs(node)
}

// hours reads the opening hours; DaysOf and ParseTimes have the forms.
func (o object) hours(key string) (hours []contract.OpeningHours) {
	given := seen{}
	for day, value := range o.dayLines(key, "tue-fri: 06:30-18:00") {
		open := o.days(day, given)
		spans, _ := o.spans(value)
		for _, span := range spans {
			hours = append(hours, contract.OpeningHours{Days: open, Opens: span[0], Closes: span[1]})
		}
	}
	return hours
}

func (s *source) days(key *yaml.Node, given seen) []string {
	found, ok := DaysOf(key.Value)
	for _, day := range found {
		s.once(given, day, "the day", day, key.Line)
	}
	if !ok {
		s.fault(key.Line, fmt.Sprintf("%q is not a day of the week", key.Value), strings.Join(Weekdays, ", ")+
			"; tue-fri or fri-mon for several, or sat, sun").as("content.hours")
	}
	return found
}

// spans reads the times of a line of hours; isClosed reports the word for a day without.
func (s *source) spans(node *yaml.Node) (spans [][2]string, isClosed bool) {
	if node.Kind == yaml.SequenceNode {
		for _, item := range node.Content {
			of, _ := s.spans(item)
			spans = append(spans, of...)
		}
		return spans, false
	}
	text := s.lineOf(node, "the time")
	if text == "" {
		return nil, false
	}
	spans, why := ParseTimes(text)
	if why != nil {
		s.fault(node.Line, why.Message,
			"such as 06:30-18:00, 08:00-12:00, 14:00-18:00 with a break, 18:00-02:00, 24h or closed").as("content.hours")
	}
	return spans, why == nil && len(spans) == 0
}

// closed reads days on which the business is closed: 2026-12-24, or
// 2026-12-24..2027-01-06.
func (o object) closed(key string) (closed []contract.Days) {
	for _, item := range o.list(key) {
		if days, ok := o.daysOf(item, "an item of "+key); ok {
			closed = append(closed, days)
		}
	}
	return closed
}

// daysOf reads a day or a range of days.
func (s *source) daysOf(node *yaml.Node, what string) (days contract.Days, ok bool) {
	text := s.lineOf(node, what)
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	first, errFirst := time.Parse(time.DateOnly, from)
	last, errLast := time.Parse(time.DateOnly, to)
	switch {
	case text == "":
		return days, false
	case errFirst != nil || errLast != nil || last.Before(first):
		s.fault(node.Line, fmt.Sprintf("%q is not a date or a range of dates", text),
			"2026-12-24, or 2026-12-24..2027-01-06").as("content.date", text)
		return days, false
	}
	return contract.Days{From: from, To: to}, true
}

// specialHours reads days that are open at other times than hours; a line may say that they are closed. No
// day is in two lines, or closed too, so that clients need not know which wins.
func (o object) specialHours(key string, closed *[]contract.Days) (special []contract.SpecialHours) {
	taken := slices.Clone(*closed)
	for day, value := range o.dayLines(key, "2026-12-24: 08:00-12:00") {
		days, ok := o.daysOf(day, "a day of "+key)
		if !ok {
			continue
		}
		// The form of the dates sorts like the days.
		if slices.ContainsFunc(taken, func(t contract.Days) bool { return t.From <= days.To && days.From <= t.To }) {
			o.fault(day.Line, fmt.Sprintf("a day of %q is also in closed, or in another line of %s", day.Value, key),
				"write each day once").as("content.twice", day.Value)
		}
		taken = append(taken, days)
		spans, isClosed := o.spans(value)
		if isClosed {
			*closed = append(*closed, days)
		}
		for _, span := range spans {
			special = append(special, contract.SpecialHours{Days: days, Opens: span[0], Closes: span[1]})
		}
	}
	return special
}

// degrees reads a coordinate.
func (o object) degrees(key string, most float64) float64 {
	return o.number(key, -most, most, "content.degrees", key+" %q is not a number of degrees",
		fmt.Sprintf("from -%v to %v, such as 47.9959", most, most))
}

//go:embed kinds.txt
var kindList string

// kinds are the types of schema.org below LocalBusiness (version 29), in the order of its tree.
var kinds = strings.Fields(kindList)

// Kinds are the kinds of business, in alphabetical order: types of schema.org.
func Kinds() []string { return slices.Sorted(slices.Values(kinds)) }
