package content

import (
	"slices"

	"frontdesk/internal/i18n"
)

// Kind is the type of a value: how it is read, and which input a form of the owner's pages has for it.
type Kind string

// The kinds.
const (
	KindLine     Kind = "" // a text of one line, if nothing else is said
	KindID       Kind = "id"
	KindText     Kind = "text"     // a text of any length, trimmed
	KindVerbatim Kind = "verbatim" // a text of any length, published byte for byte
	KindQuestion Kind = "question"
	KindLines    Kind = "lines" // a list of texts of one line
	KindWords    Kind = "words" // a list of lists of words that mean the same
	KindGroup    Kind = "group"
	KindItems    Kind = "items"   // a list of groups
	KindPrice    Kind = "price"   // a word, an amount, or a group
	KindSpecial  Kind = "special" // read by a function of its own
	KindHours    Kind = "hours"   // days of the week with times
	KindDates    Kind = "dates"   // a list of days, and of ranges of days
	KindTimes    Kind = "times"   // such days with times
	KindTags     Kind = "tags"    // a list of language tags
	KindDate     Kind = "date"
	KindAmount   Kind = "amount"
	KindNumber   Kind = "number"
	KindFlag     Kind = "flag"   // true or false
	KindChoice   Kind = "choice" // one of a few words
	KindCurrency Kind = "currency"
	KindBand     Kind = "band"   // the id of a pricing band
	KindPicture  Kind = "image"  // a file in the folder assets
	KindColour   Kind = "colour" // or a group of two
	KindLanguage Kind = "language"
	KindTag      Kind = "tag" // of any language
	KindType     Kind = "type"
	KindCountry  Kind = "country"
	KindPhone    Kind = "phone"
	KindEmail    Kind = "email"
	KindWeb      Kind = "web"     // an address outside the site
	KindAddress  Kind = "address" // an address, or a path of the site
	KindZone     Kind = "zone"
	KindSignal   Kind = "signal"
	KindPlace    Kind = "place" // a small number
)

// Key is a key of a group of the content. The loader, the writer, the owner's forms and the check of docs/content.md
// follow it.
type Key struct {
	Name        string
	Kind        Kind
	Required    bool
	Instead     string   // the key that may be there in place of a required one
	Local       bool     // it may be a map by language
	All         bool     // such a map needs a text in each language
	Of          *Group   // of KindGroup, KindPrice, and the items of KindItems
	Least, Most float64  // of KindNumber
	Default     bool     // of KindFlag
	Options     []string // of KindChoice
}

// Group is a map of the content: its name in messages, and its keys in the order in which they are written and shown.
type Group struct {
	Name string
	Keys []Key
}

// The files and their groups.
var (
	catalogGroup = Group{"the catalog", []Key{
		{Name: "business", Kind: KindGroup, Required: true, Of: &businessGroup},
		{Name: "currency", Kind: KindCurrency},
		{Name: "services", Kind: KindItems, Required: true, Of: &serviceGroup},
		{Name: "pricing_bands", Kind: KindItems, Required: true, Instead: "currency", Of: &bandGroup},
		{Name: "requests", Kind: KindGroup, Of: &Group{"requests", []Key{
			{Name: "name", Local: true},
			{Name: "ask_business", Kind: KindFlag, Default: true},
		}}},
		{Name: "trials", Kind: KindFlag, Default: true},
		{Name: "content_signal", Kind: KindSignal},
		{Name: "statements", Kind: KindLines, Local: true},
		{Name: "brand", Kind: KindGroup, Of: &Group{"the brand", []Key{
			{Name: "logo", Kind: KindPicture},
			{Name: "logo_alt", Local: true},
			{Name: "logo_dark", Kind: KindPicture},
			{Name: "photo", Kind: KindPicture},
			{Name: "photo_alt", Local: true},
			{Name: "icon", Kind: KindPicture},
			{Name: "card", Kind: KindPicture},
			{Name: "accent", Kind: KindColour, Of: &accentGroup},
			{Name: "developers", Kind: KindFlag},
		}}},
	}}
	businessGroup = Group{"the business", []Key{
		{Name: "name", Required: true, Local: true, All: true},
		{Name: "summary", Kind: KindText, Required: true, Local: true, All: true},
		{Name: "kind", Kind: KindType},
		{Name: "hours", Kind: KindHours},
		{Name: "time_zone", Kind: KindZone},
		{Name: "closed", Kind: KindDates},
		{Name: "special_hours", Kind: KindTimes},
		{Name: "address", Kind: KindGroup, Of: &Group{"the address", []Key{
			{Name: "street"},
			{Name: "postal_code"},
			{Name: "city", Required: true},
			{Name: "country", Kind: KindCountry},
		}}},
		{Name: "coordinates", Kind: KindGroup, Of: &Group{"the coordinates", []Key{
			{Name: "latitude", Kind: KindNumber, Required: true, Least: -90, Most: 90},
			{Name: "longitude", Kind: KindNumber, Required: true, Least: -180, Most: 180},
		}}},
		{Name: "phone", Kind: KindPhone},
		{Name: "email", Kind: KindEmail},
		{Name: "booking", Kind: KindWeb},
		{Name: "profiles", Kind: KindItems, Of: &Group{"a profile", []Key{
			{Name: "name", Required: true, Local: true},
			{Name: "url", Kind: KindWeb, Required: true},
		}}},
		{Name: "payment", Kind: KindLines, Local: true},
		{Name: "area_served", Kind: KindLines, Local: true},
		{Name: "languages", Kind: KindTags},
		{Name: "tone", Kind: KindChoice, Options: []string{i18n.Formal, i18n.Informal}},
	}}
	serviceGroup = Group{"a service", []Key{
		{Name: "id", Kind: KindID, Required: true},
		{Name: "name", Required: true, Local: true},
		{Name: "summary", Kind: KindText, Required: true, Local: true},
		{Name: "description", Kind: KindText, Required: true, Local: true},
		{Name: "includes", Kind: KindLines, Local: true},
		{Name: "audience", Kind: KindText, Local: true},
		{Name: "price", Kind: KindPrice, Of: &priceGroup},
		{Name: "pricing_band", Kind: KindBand, Required: true, Instead: "price"},
		{Name: "picture", Kind: KindPicture},
		{Name: "picture_alt", Local: true},
		{Name: "booking", Kind: KindWeb},
		{Name: "lang", Kind: KindLanguage},
	}}
	priceGroup = Group{"a price", []Key{
		{Name: "from", Kind: KindAmount, Required: true},
		{Name: "to", Kind: KindAmount},
		{Name: "unit", Local: true},
		options,
		{Name: "note", Kind: KindText, Local: true},
	}}
	bandGroup = Group{"a pricing band", []Key{
		{Name: "id", Kind: KindID, Required: true},
		{Name: "name", Required: true, Local: true},
		{Name: "summary", Kind: KindText, Required: true, Local: true},
		{Name: "currency", Kind: KindCurrency, Required: true},
		{Name: "from", Kind: KindAmount, Required: true},
		{Name: "to", Kind: KindAmount},
		{Name: "unit", Required: true, Local: true},
		options,
		{Name: "note", Kind: KindText, Local: true},
	}}
	options = Key{Name: "options", Kind: KindItems, Of: &Group{"an option", []Key{
		{Name: "name", Required: true, Local: true},
		{Name: "price", Kind: KindAmount, Required: true},
		{Name: "unit", Local: true},
	}}}
	accentGroup = Group{"the accent", []Key{
		{Name: "light", Kind: KindColour, Required: true},
		{Name: "dark", Kind: KindColour, Required: true},
	}}
	faqGroup = Group{"the FAQ", []Key{
		{Name: "fallback", Kind: KindVerbatim, Required: true, Local: true, All: true},
		{Name: "precision", Kind: KindNumber, Least: MinPrecision, Most: MaxPrecision},
		{Name: "facts", Kind: KindSpecial},
		{Name: "synonyms", Kind: KindWords},
		{Name: "entries", Kind: KindItems, Required: true, Of: &entryGroup},
	}}
	entryGroup = Group{"an entry", []Key{
		{Name: "id", Kind: KindID, Required: true},
		{Name: "question", Kind: KindQuestion, Required: true, Local: true},
		{Name: "alternates", Kind: KindLines, Local: true},
		{Name: "answer", Kind: KindVerbatim, Required: true, Local: true},
		{Name: "group", Local: true},
		{Name: "url", Kind: KindAddress},
		{Name: "review_by", Kind: KindDate},
		{Name: "expires", Kind: KindDate},
		{Name: "lang", Kind: KindLanguage},
		{Name: "prices", Kind: KindChoice, Options: []string{PricesFree}},
		{Name: "draft", Kind: KindFlag},
	}}
	goldenGroup = Group{"the file", []Key{
		{Name: "answered", Kind: KindItems, Of: &Group{"an answered question", []Key{
			{Name: "q", Kind: KindQuestion, Required: true},
			{Name: "id", Required: true},
		}}},
		{Name: "unanswered", Kind: KindLines},
	}}
	headGroup = Group{"the head of the page", []Key{
		{Name: "lang", Kind: KindTag},
		{Name: "header", Kind: KindPlace},
	}}
)

// groups are the groups of the YAML files.
var groups = map[string]*Group{CatalogFile: &catalogGroup, FAQFile: &faqGroup, goldenFile: &goldenGroup}

// Keys are the keys of a file, or of the group to which a path leads.
func Keys(file string, path ...string) []Key { return groups[file].at(path).Keys }

// at is the group of the map to which a path leads; nil if its keys are free, such as languages.
func (g *Group) at(path Path) *Group {
	isItem := false // of a list of groups
	for _, name := range path {
		if isItem {
			isItem = false
		} else if g != nil {
			key := g.key(name)
			g, isItem = key.Of, key.Kind == KindItems
		}
	}
	return g
}

// key is the key with a name; the zero Key if the group has none.
func (g *Group) key(name string) (key Key) {
	if at := slices.IndexFunc(g.Keys, func(k Key) bool { return k.Name == name }); at >= 0 {
		key = g.Keys[at]
	}
	return key
}

func (g *Group) required() (names []string) {
	for _, key := range g.Keys {
		if key.Required {
			names = append(names, key.Name)
		}
	}
	return names
}

func (g *Group) names() (names []string) {
	for _, key := range g.Keys {
		names = append(names, key.Name)
	}
	return names
}
