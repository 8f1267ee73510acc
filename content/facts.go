package content

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

// The facts of the catalog are also published as entries, so an owner types them once. Package i18n has the wordings.

// Ids of the entries that are made from the catalog.
const (
	factHours   = "hours"
	factAddress = "address"
	factPhone   = "phone"
	factEmail   = "email"
	factPayment = "payment"
	factArea    = "area"
	factBooking = "booking"
	factPrice   = "price-" // before the id of a service
)

// factsOff is the value of facts that ends all of them.
const factsOff = "off"

// FactIDs returns the ids that facts may have: those of the business, and one for the price of each service.
func (c *Content) FactIDs() []string {
	ids := []string{factHours, factAddress, factPhone, factEmail, factPayment, factArea, factBooking}
	for _, service := range c.Services {
		ids = append(ids, factPrice+service.ID)
	}
	return ids
}

// IsFactWanted reports whether the catalog may be published as the entry with an id.
func (f FAQ) IsFactWanted(id string) bool { return f.Facts == nil || slices.Contains(f.Facts, id) }

// facts reads which facts are wanted, nil for all. One of a service that is gone is no error, so that a service can be
// removed on its own.
func (o object) facts() []string {
	node := o.value("facts")
	switch {
	case node == nil:
		return nil
	case node.Kind == yaml.ScalarNode && node.Value == factsOff:
		return []string{}
	case node.Kind != yaml.SequenceNode:
		o.fault(node, "such as [hours, address]", "facts must be off, or a list of the ids that are wanted")
		return nil
	}
	ids, lines, known := []string{}, seen{}, o.content.FactIDs()
	for _, item := range node.Content {
		id := o.lineOf(item, "an item of facts")
		if id == "" {
			continue
		}
		if !slices.Contains(known, id) && !strings.HasPrefix(id, factPrice) {
			o.fault(item, suggest(id, known), "facts has the unknown id %q", id)
		}
		o.once(lines, id, "the id", id, item)
		ids = append(ids, id)
	}
	return ids
}

// makeFacts makes entries of what the catalog says. now must be in the time zone of the business.
func (c *Content) makeFacts(now time.Time) {
	c.facts = map[string][]Entry{}
	for _, language := range c.Languages() {
		if i18n.Speaks(language) {
			c.facts[language] = c.factsIn(language, now)
		}
	}
}

// factIn returns the answer of a fact in a language, whether it is wanted or not; empty if the catalog does not say it.
func (c *Content) factIn(id, language string) string {
	for _, fact := range c.facts[language] {
		if fact.ID == id {
			return fact.Answer
		}
	}
	return ""
}

// isOver reports whether the catalog no longer says a fact, because all its days are over.
func (c *Content) isOver(id string, now time.Time) bool {
	return id == factHours && c.FAQ.IsFactWanted(id) && len(c.Hours) == 0 && len(c.SpecialHours) > 0 &&
		len(Ahead(c.Facts, now).SpecialHours) == 0
}

// OutOfDate returns the owner's live entries that replace a fact which is no longer what it was before.
func (c *Content) OutOfDate(before *Content) (entries []Entry) {
	for e := range c.FAQ.own() {
		language := cmp.Or(e.Lang, c.Language())
		was := before.factIn(e.ID, language)
		if was != "" && was != c.factIn(e.ID, language) && e.Live(time.Now()) {
			entries = append(entries, *e)
		}
	}
	return entries
}

// WantPrice adds the price of a new service to a list of wanted facts that already names prices.
func (c *Change) WantPrice(serviceID string) error {
	path, id := Path{"facts"}, factPrice+serviceID
	value, err := c.Get(FAQFile, path)
	wanted, _ := value.(List)
	isPrice := func(id any) bool { return strings.HasPrefix(fmt.Sprint(id), factPrice) }
	if !slices.ContainsFunc(wanted, isPrice) || slices.Contains(wanted, any(id)) { // of an earlier service
		return err
	}
	return c.Insert(FAQFile, path, atEnd, id)
}

// addFacts adds the facts that are wanted to the entries. A live entry of the owner with the same id replaces a fact in
// its language, and answers the fact's wordings too.
func (c *Content) addFacts(now time.Time) {
	c.FactsChange = c.factsChange(now)
	taken, live := map[string]bool{}, func(e Entry) bool { return !e.Draft && e.Live(now) }
	for _, e := range c.FAQ.Entries {
		for _, text := range e.Wordings() {
			taken[QuestionKey(text)] = taken[QuestionKey(text)] || live(e)
		}
	}
	facts := map[string][]Entry{} // by id, in the order of the languages
	for _, language := range c.Languages() {
		own := map[string]bool{} // wordings of the facts in this language
		for _, fact := range c.facts[language] {
			if !c.FAQ.IsFactWanted(fact.ID) {
				continue
			}
			fact.Alternates = slices.DeleteFunc(slices.Clone(fact.Alternates), func(text string) bool {
				key := QuestionKey(text)
				isFree := key != "" && !taken[key] && !own[key] && utf8.RuneCountInString(text) <= contract.MaxQuestion
				own[key] = true
				return !isFree
			})
			replacing := slices.IndexFunc(c.FAQ.Entries, func(e Entry) bool {
				return e.ID == fact.ID && live(e) && (e.Lang == "" || e.Lang == language)
			})
			if replacing >= 0 {
				e := &c.FAQ.Entries[replacing]
				e.Inherited = len(fact.Alternates)
				e.Alternates, e.Others = append(slices.Clip(e.Alternates), fact.Alternates...), fact.Others
			} else if len(fact.Alternates) > 0 {
				fact.Question, fact.Alternates = fact.Alternates[0], fact.Alternates[1:]
				facts[fact.ID] = append(facts[fact.ID], fact)
			}
		}
	}
	for _, id := range c.FactIDs() {
		c.insertFact(facts[id], live)
	}
}

// factsChange returns the next time after now at which facts change by themselves, or zero. now must be in the time
// zone of the business.
func (c *Content) factsChange(now time.Time) (next time.Time) {
	at := func(change time.Time) {
		if change.After(now) && (next.IsZero() || change.Before(next)) {
			next = change
		}
	}
	for _, e := range c.FAQ.Entries {
		if !e.Expires.IsZero() {
			at(EndOf(e.Expires))
		}
	}
	days := slices.Clone(c.Closed)
	for _, hours := range c.SpecialHours {
		days = append(days, hours.Days)
	}
	for _, day := range days {
		at(EndOf(startOf(day.To, now.Location())))
	}
	return next
}

// insertFact adds a fact in its languages: beside the owner's entry with its id in other languages, else at the end.
func (c *Content) insertFact(fact []Entry, live func(Entry) bool) {
	if len(fact) == 0 {
		return
	}
	at := len(c.FAQ.Entries)
	for i, e := range slices.Backward(c.FAQ.Entries) {
		if e.ID != fact[0].ID || e.Draft {
			continue
		}
		c.FAQ.Entries[i].Also = slices.DeleteFunc(e.Also, func(language string) bool {
			return slices.ContainsFunc(fact, func(f Entry) bool { return f.Lang == language })
		})
		switch {
		case !live(e): // the first of several in one language is found
			at = i
		case at == len(c.FAQ.Entries):
			at = i + 1
		}
	}
	c.FAQ.Entries = slices.Insert(c.FAQ.Entries, at, fact...)
}

// factsIn returns all facts in a language, with the bare question as the first of the alternates.
func (c *Content) factsIn(language string, now time.Time) (facts []Entry) {
	edition := c.In(language)
	words := i18n.WithTone(edition.Tag(), c.Tone)
	lang := language
	if len(c.Languages()) == 1 {
		lang = "" // as in the owner's entries
	}
	add := func(id, answer, url string, wordings, others []string) {
		facts = append(facts, Entry{ID: id, Lang: lang, Answer: answer, Revision: revision(answer), URL: url,
			Alternates: wordings, Others: others, IsFact: true})
	}
	say := func(id, answer string) {
		if key := "fact." + id; answer != "" {
			add(id, answer, "", append([]string{words.Text(key + ".question")}, words.List(key+".wordings")...),
				words.List(key+".others"))
		}
	}
	answer := func(id, value string) {
		if value != "" {
			say(id, words.Text("fact."+id+".answer", value))
		}
	}
	say(factHours, edition.hoursIn(words, now))
	switch a := edition.Address; {
	case a == nil:
	case a.Street == "":
		say(factAddress, words.Text("fact.address.city", a.CityLine()))
	default:
		answer(factAddress, a.Street+", "+a.CityLine())
	}
	answer(factPhone, edition.Phone)
	answer(factEmail, edition.Email)
	answer(factPayment, words.Series(edition.Payment))
	answer(factArea, words.Series(edition.AreaServed))
	var booking []string
	if edition.Booking != "" {
		booking = append(booking, words.Text("fact.booking.answer", edition.Booking))
	}
	for _, service := range edition.Services {
		if service.Booking != "" {
			booking = append(booking, words.Text("fact.booking.service", service.Name, service.Booking))
		}
	}
	say(factBooking, strings.Join(booking, "\n"))
	for _, service := range edition.Details() {
		add(factPrice+service.ID, priceIn(words, service), c.LanguagePath(language, contract.PathPricing)+"#"+service.ID,
			priceWordings(words, service), of(words.List("fact.price.others"), service.Name))
	}
	return facts
}

// Tag is the tag of the language as it is written in the country of the business.
func (e *Edition) Tag() string {
	if e.Address == nil {
		return e.Language
	}
	return i18n.InCountry(e.Language, e.Address.Country)
}

// priceWordings are the questions for a price, the bare one first. An option is asked for too.
func priceWordings(words *i18n.Printer, service contract.ServiceDetail) []string {
	texts := append([]string{words.Text("fact.price.question", service.Name)},
		of(words.List("fact.price.wordings"), service.Name)...)
	for _, option := range service.Pricing.Options {
		texts = append(texts, words.Text("fact.price.question", service.Name+" "+option.Name))
	}
	return texts
}

// of formats questions about a name.
func of(questions []string, name string) []string {
	for i, question := range questions {
		questions[i] = fmt.Sprintf(question, name)
	}
	return questions
}

// priceIn is the price of a service in sentences.
func priceIn(words *i18n.Printer, service contract.ServiceDetail) string {
	key, band := "fact.price.answer", service.Pricing
	price := PriceOf(words, band)
	switch {
	case IsFree(band):
		key = "fact.price.free"
	case band.To == "":
		key, price = "fact.price.open", words.Per(words.Amount(band.Currency, string(band.From)), band.Unit)
	}
	sentences := []string{words.Text(key, service.Name, price)}
	var options []string
	for _, option := range band.Options {
		options = append(options, option.Name+" "+OptionOf(words, band, option))
	}
	if len(options) > 0 {
		sentences = append(sentences, words.Text("fact.price.options", words.Series(options)))
	}
	if note := band.Note; note != "" {
		if last, _ := utf8.DecodeLastRuneInString(note); unicode.IsLetter(last) || unicode.IsDigit(last) {
			note += "."
		}
		sentences = append(sentences, note)
	}
	return strings.Join(sentences, " ")
}

// IsFree reports whether what a band is for costs nothing.
func IsFree(band contract.PricingBand) bool {
	return band.To != "" && contract.Float(band.From) == 0 && contract.Float(band.To) == 0
}

// PriceOf formats a band: "€49–99 per month", "from €390 per month" when it has no upper end, or "free".
func PriceOf(words *i18n.Printer, band contract.PricingBand) string {
	price := words.Price(band.Currency, string(band.From), string(band.To))
	if IsFree(band) {
		return price
	}
	return words.Per(price, band.Unit)
}

// OptionOf formats an exact price: "€4.20", or "€12 per box" if the unit is not that of the
// band. All options of a band have cents if one has.
func OptionOf(words *i18n.Printer, band contract.PricingBand, option contract.PriceOption) string {
	price := string(option.Price)
	for _, other := range band.Options {
		if _, cents, has := strings.Cut(string(other.Price), "."); has && !strings.Contains(price, ".") {
			price += "." + strings.Repeat("0", len(cents))
		}
	}
	amount := words.Exact(band.Currency, price)
	if option.Unit == band.Unit {
		return amount
	}
	return words.Per(amount, option.Unit)
}

// hoursIn says when the business is open, with the days to come on which that differs; empty if it is not known.
func (e *Edition) hoursIn(words *i18n.Printer, now time.Time) string {
	facts := Ahead(e.Facts, now)
	spans := make([][]string, len(Weekdays))
	for _, hours := range e.Hours {
		for _, day := range hours.Days {
			at := slices.Index(Weekdays, day)
			spans[at] = append(spans[at], spanIn(words, hours.Opens, hours.Closes))
		}
	}
	var closed, open, times []string
	days := map[string][]int{} // by times
	for day, of := range spans {
		at := words.Series(of)
		switch {
		case at == "":
			closed = append(closed, words.List("fact.days.closed")[day])
			continue
		case days[at] == nil:
			times = append(times, at)
		}
		days[at] = append(days[at], day)
	}
	isList := false // some of the open times have an "and" in them
	for _, at := range times {
		of := days[at]
		open = append(open, words.Weekdays(of)+" "+at)
		isList = isList || len(spans[of[0]]) > 1 || len(of) == 2 || of[len(of)-1]-of[0] != len(of)-1
	}
	var sentences []string
	say := func(key string, values ...any) { sentences = append(sentences, words.Text(key, values...)) }
	switch {
	case len(open) == 0:
		closed = nil
	case isList:
		say("fact.hours.open", strings.Join(open, words.Text("fact.semicolon")))
	default:
		say("fact.hours.open", words.Series(open))
	}
	if len(closed) > 0 {
		say("fact.hours.closed", words.Series(closed))
	}
	special := map[contract.Days][]string{}
	for _, hours := range facts.SpecialHours {
		special[hours.Days] = append(special[hours.Days], spanIn(words, hours.Opens, hours.Closes))
	}
	for _, days := range inOrder(maps.Keys(special)) {
		sentence := words.Text("fact.hours.special", DaysIn(words, days), words.Series(special[days]))
		first, size := utf8.DecodeRuneInString(sentence)
		sentences = append(sentences, string(unicode.ToUpper(first))+sentence[size:])
	}
	var dates []string
	for _, days := range inOrder(slices.Values(facts.Closed)) {
		dates = append(dates, DaysIn(words, days))
	}
	if len(sentences) > 0 && len(dates) > 0 {
		say("fact.hours.dates", words.Series(dates))
	}
	return strings.Join(sentences, " ")
}

// Ahead returns facts without the days that are over at now, which must be in the time zone of the business.
func Ahead(facts contract.Facts, now time.Time) contract.Facts {
	today := now.Format(time.DateOnly)
	isOver := func(days contract.Days) bool { return days.To < today }
	facts.Closed = slices.DeleteFunc(slices.Clone(facts.Closed), isOver)
	facts.SpecialHours = slices.DeleteFunc(slices.Clone(facts.SpecialHours), func(hours contract.SpecialHours) bool {
		return isOver(hours.Days)
	})
	return facts
}

func inOrder(all iter.Seq[contract.Days]) []contract.Days {
	return slices.SortedFunc(all, func(a, b contract.Days) int { return cmp.Compare(a.From, b.From) })
}

// spanIn writes a time in which the business is open in a sentence: "9:00–17:30".
func spanIn(words *i18n.Printer, opens, closes string) string {
	if opens == dayBegins && closes == dayEnds {
		return words.Text("fact.allday")
	}
	return words.Span(opens, closes)
}

// DaysIn writes days of the catalog: "on 10 June 2027", "from 24 December 2026 to …".
func DaysIn(words *i18n.Printer, days contract.Days) string {
	if days.From == days.To {
		return words.On(Day(days.From))
	}
	return words.FromTo(Day(days.From), Day(days.To))
}

// SaysClock reports whether a text says a time of the day, as catalog.yaml writes it: "6:30", "18 Uhr", "6 pm". A bare
// hour counts at either end of a range, unless that may be a price or a date, and after a word such as "um".
func SaysClock(text, clock string) bool {
	at, err := time.Parse("15:04", clock)
	if err != nil || !strings.Contains(text, at.Format("3")) && !strings.Contains(text, strconv.Itoa(at.Hour())) {
		return false // without a pattern, which takes longer to make
	}
	forms := []string{fmt.Sprintf(`0?%d[:.h]%02d`, at.Hour(), at.Minute())}
	half := at.Format(`3[:.]04`)
	bare := []string{rangeStart + half}
	if at.Minute() == 0 {
		half = at.Format(`3(?:[:.]04)?`)
		hour := fmt.Sprintf(`0?%d`, at.Hour())
		forms = append(forms, hour+` ?(?:h|Uhr|uur)`)
		bare = []string{rangeStart + `(?:` + hour + at.Format(`|3)`), hour + upTo + `\d{1,2}(?:[:.h]\d\d|h)?`,
			`(?:\b(?:at|um|om|las|dalle|ore|à)|godz\.?|às) ` + hour}
	}
	forms = append(forms, half+" ?"+at.Format("pm")[:1]+`\.?m`)
	return regexp.MustCompile(`(?i)(?:^|[^\d:.])(?:`+strings.Join(forms, "|")+`)(?:$|[^\d\pL])`).MatchString(text) ||
		regexp.MustCompile(`(?i)(?:^|[^\d\p{Sc}]\s|[^\d\s:.,/\p{Sc}-])(?:`+strings.Join(bare, "|")+
			`)(?:$|[^\d\pL\s/\p{Sc}%:.-]|[:.](?:\D|$)|\s+(?:$|[^\s\p{Sc}%]))`).MatchString(text)
}

// rangeStart matches the first time of a range.
const rangeStart = `\d{1,2}(?:[:.h]\d\d)?(?: ?(?:h|Uhr|uur|am))?` + upTo

// phoneEnd is how many of the last digits of a phone number are the same however it is written.
const phoneEnd = 7

// SaysPhone reports whether a text says a phone number, with or without the code of the country.
func SaysPhone(text, phone string) bool {
	digits := func(text string) string { return nonDigit.ReplaceAllString(text, "") }
	own := digits(phone)
	return len(own) >= phoneEnd && strings.Contains(digits(text), own[len(own)-phoneEnd:])
}

// nonDigit matches a separator between the digits of a phone number.
var nonDigit = regexp.MustCompile(`[\s()./+\-\x{a0}]`)
