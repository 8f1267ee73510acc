package content

import (
	"cmp"
	_ "embed"
	"iter"
	"net/mail"
	"slices"
	"strings"
	_ "time/tzdata" // not every system has the time zones: the image has not

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"frontdesk/contract"
)

// business reads the business. The texts of the catalog may be in its languages.
func (o object) business(into *Content, edition *Edition) {
	into.SiteLanguages, into.Tone = o.languages(), o.text("tone")
	edition.Facts = contract.Facts{
		Kind: o.text("kind"), Phone: o.text("phone"), Email: o.text("email"), TimeZone: o.text("time_zone"),
		Booking: o.webAddress("booking"), Hours: o.hours(), Closed: o.closed(),
	}
	edition.SpecialHours = o.specialHours(&edition.Closed)
	o.siteLanguages = into.Languages()
	o.source = o.in(cmp.Or(o.language, o.siteLanguages[0]))
	edition.AreaServed, edition.Payment = o.lines("area_served"), o.lines("payment")
	for _, profile := range o.objects("profiles") {
		edition.Profiles = append(edition.Profiles,
			contract.Profile{Name: profile.text("name"), URL: profile.webAddress("url")})
	}
	if at, ok := o.within("coordinates"); ok {
		edition.Coordinates = &contract.Coordinates{Latitude: at.number("latitude"), Longitude: at.number("longitude")}
	}
	edition.Name, edition.Summary = o.text("name"), o.text("summary")
	if at, ok := o.within("address"); ok {
		edition.Address = &contract.Address{Street: at.text("street"), PostalCode: at.text("postal_code"),
			City: at.text("city"), Country: countryOf(at.text("country"))}
	}
}

// country is the code of the country in which a business is.
func (o object) country() string {
	if country := nodeAt(o.node, Path{"address", "country"}); country != nil {
		return countryOf(country.Value)
	}
	return ""
}

// IsMail reports whether a text is an e-mail address and nothing else.
func IsMail(text string) bool {
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Address == text
}

func (o object) languages() (tags []string) {
	lines := seen{}
	for _, item := range o.list("languages") {
		if tag := o.canonicalTag(item, "an item of languages"); tag != "" {
			o.once(lines, tag, "the language", tag, item)
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
		s.fault(node, "a language tag such as en, de or pt-BR", "%q is not a language", text).as("content.tag", text)
		return ""
	}
	return tag.String()
}

// dayLines yields the lines of hours and of special_hours: days, and times, which may be a
// list.
func (o object) dayLines(key, example string) iter.Seq2[*yaml.Node, *yaml.Node] {
	node := o.value(key)
	if node != nil && node.Kind != yaml.MappingNode {
		o.fault(node, "such as "+example, "%s must be days with times", key).as("content.hours")
	}
	return pairs(node)
}

// hours reads the opening hours; DaysOf and ParseTimes have the forms.
func (o object) hours() (hours []contract.OpeningHours) {
	given := seen{}
	for line, value := range o.dayLines("hours", "tue-fri: 06:30-18:00") {
		open, ok := DaysOf(line.Value)
		for _, day := range open {
			o.once(given, day, "the day", day, line)
		}
		if !ok {
			o.fault(line, strings.Join(Weekdays, ", ")+"; tue-fri or fri-mon for several, or sat, sun",
				"%q is not a day of the week", line.Value).as("content.hours")
		}
		spans, _ := o.spans(value, line.Value)
		for _, span := range spans {
			hours = append(hours, contract.OpeningHours{Days: open, Opens: span[0], Closes: span[1]})
		}
	}
	return hours
}

// spans reads the times of days; isClosed reports the word for a day without.
func (s *source) spans(node *yaml.Node, days string) (spans [][2]string, isClosed bool) {
	items, texts := []*yaml.Node{node}, []string(nil)
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	for _, item := range items {
		if text := s.lineOf(item, "the time"); text != "" {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return nil, false
	}
	spans, why := ParseTimes(strings.Join(texts, ", "))
	if why != nil {
		s.fault(node, "such as 06:30-18:00, 08:00-12:00, 14:00-18:00 with a break, 18:00-02:00, 24h or closed",
			"%s", why.Message).as(why.Code, append(why.Values, days)...)
	}
	return spans, why == nil && len(spans) == 0
}

// closed reads days on which the business is closed: 2026-12-24, or
// 2026-12-24..2027-01-06.
func (o object) closed() (closed []contract.Days) {
	for _, item := range o.list("closed") {
		if days, ok := o.daysOf(item, "an item of closed"); ok {
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
	switch {
	case text == "":
		return days, false
	case !isDay(from) || !isDay(to):
		s.fault(node, "2026-12-24, or 2026-12-24..2027-01-06", "%q is not a date or a range of dates", text).
			as("content.date", text)
		return days, false
	case to < from: // ISO dates sort as text
		s.fault(node, "the earlier day first", "%q ends before it begins", text).as("content.days")
		return days, false
	}
	return contract.Days{From: from, To: to}, true
}

// specialHours reads days that are open at other times than hours; a line may say that they are closed. No
// day is in two lines, or closed too, so that clients need not know which wins.
func (o object) specialHours(closed *[]contract.Days) (special []contract.SpecialHours) {
	taken := slices.Clone(*closed)
	for day, value := range o.dayLines("special_hours", "2026-12-24: 08:00-12:00") {
		days, ok := o.daysOf(day, "a day of special_hours")
		if !ok {
			continue
		}
		if slices.ContainsFunc(taken, func(t contract.Days) bool { return t.From <= days.To && days.From <= t.To }) {
			o.fault(day, "write each day once", "a day of %q is also in closed, or in another line of special_hours", day.Value).
				as("content.twice", day.Value)
		}
		taken = append(taken, days)
		spans, isClosed := o.spans(value, day.Value)
		if isClosed {
			*closed = append(*closed, days)
		}
		for _, span := range spans {
			special = append(special, contract.SpecialHours{Days: days, Opens: span[0], Closes: span[1]})
		}
	}
	return special
}

//go:embed kinds.txt
var kindList string

// kinds are the types of schema.org below LocalBusiness (version 29), in the order of its tree.
var kinds = strings.Fields(kindList)

// Kinds are the kinds of business, in alphabetical order: types of schema.org.
func Kinds() []string { return slices.Sorted(slices.Values(kinds)) }
