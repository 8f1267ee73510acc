package content

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"frontdesk/contract"
)

// Content is everything that the owner publishes, read and checked.
type Content struct {
	Edition // in the first language, but a service with Lang in that language
	// SiteLanguages are the language tags that the owner names, such as "en", the site's first; may be nil.
	SiteLanguages []string
	Tone          string // in which the pages address people: "formal", "informal", or empty for what is usual
	// AskBusiness reports whether the form asks for a business. If not, contract.NoBusiness is
	// sent.
	AskBusiness bool
	Trials      bool // whether trials are offered, with a workspace server
	// ContentSignal is the Content-Signal of robots.txt, or "off".
	ContentSignal string
	Brand         Brand
	FAQ           FAQ
	Drafts        []Entry // entries that do not answer yet
	Golden        Golden
	// FactsChange is when the facts and the catalog next change by themselves, because a day of the hours is over or an
	// entry expires that replaces a fact or has one of its wordings. Zero means never.
	FactsChange time.Time
	Pages       []Page  // sorted by language and name
	Images      []Image // sorted by name

	editions []Edition          // what the catalog says, in each of Languages
	facts    map[string][]Entry // the same as entries, by language, whether they are wanted or not
	notes    []Diagnostic       // warnings of Load
	files    map[string][]byte  // all that were read, by name
}

// Brand is the look of the pages.
type Brand struct {
	Logo, Icon, Photo, Card *Image // nil if the owner has none
	LogoDark                *Image // in place of Logo on dark pages; nil for none
	Accent                  Accent
	// Developers reports whether the navigation links to the developer page. The default
	// is true without a brand and false with one.
	Developers bool
	IsSet      bool
}

// Shares of the selector's answers that must be right.
const (
	DefaultPrecision = 0.95
	MinPrecision     = 0.5
	MaxPrecision     = 0.995
)

// FAQ is the approved text: the entries, and the fallback when none answers.
type FAQ struct {
	// Precision is the share of the selector's answers that must be right, from MinPrecision to
	// MaxPrecision; 0 is DefaultPrecision.
	Precision float64
	Fallback  string            // in the first language
	Fallbacks map[string]string // by language; nil for one text in all languages
	// Entries are the owner's, and what the catalog says.
	Entries []Entry
	Facts   []string // the ids of Entry.IsFact that are wanted; nil for all
	// Synonyms are lists of words that mean the same in this business.
	Synonyms [][]string
}

// FallbackIn returns the fallback in a language.
func (f FAQ) FallbackIn(language string) string {
	return cmp.Or(f.Fallbacks[language], f.Fallback)
}

// Each yields every entry once: in its first language, if it is written in several.
func (f FAQ) Each() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range f.Entries {
			if (i == 0 || f.Entries[i-1].ID != f.Entries[i].ID) && !yield(&f.Entries[i]) {
				return
			}
		}
	}
}

// LiveQuestion returns the first question that has an answer at now; empty if none has.
func (f FAQ) LiveQuestion(now time.Time) string {
	for i := range f.Entries {
		if f.Entries[i].Live(now) {
			return f.Entries[i].Question
		}
	}
	return ""
}

// own yields the entries of faq.yaml, in each of their languages.
func (f FAQ) own() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range f.Entries {
			if !f.Entries[i].IsFact && !yield(&f.Entries[i]) {
				return
			}
		}
	}
}

// Count is the number of entries, each counted once.
func (f FAQ) Count() int { return len(slices.Collect(f.Each())) }

// Entry returns the entry with an id in its first language, or nil.
func (f FAQ) Entry(id string) *Entry {
	for entry := range f.Each() {
		if entry.ID == id {
			return entry
		}
	}
	return nil
}

// Entry is one approved answer with the questions it answers, in one language. An entry of
// faq.yaml with texts by language is several of the same id in a row, that in the first
// language first.
type Entry struct {
	ID         string
	Question   string
	Alternates []string
	Inherited  int       // how many of the Alternates, at the end, come from the fact that the entry replaces
	Others     []string  // questions that come close and that a fact does not answer
	Answer     string    // returned byte for byte
	URL        string    // absolute, or a path of the site; empty without one
	Lang       string    // the language of its texts; may be empty if the site has only one
	Also       []string  // further languages in which it is given, because it has no texts in them
	Group      string    // the heading under which it is listed; may be empty
	IsFact     bool      // is made from the catalog
	Draft      bool      // does not answer yet
	Prices     string    // "free" if its amounts need no pricing band; else empty
	Revision   string    // changes exactly when Answer does
	ReviewBy   time.Time // the start of the day by which the owner will review the entry; or zero
	Expires    time.Time // the start of the last day on which the entry answers; or zero
	Line       int       // where the entry begins in faq.yaml
}

// Speaks reports whether the entry is the one to answer in a language.
func (e *Entry) Speaks(language string) bool {
	return e.Lang == language || slices.Contains(e.Also, language)
}

// Wordings returns the question and its alternates.
func (e *Entry) Wordings() []string { return append([]string{e.Question}, e.Alternates...) }

// Texts returns the question, the answer and the alternates.
func (e *Entry) Texts() []string { return append([]string{e.Question, e.Answer}, e.Alternates...) }

// Own returns the alternates that the owner wrote.
func (e *Entry) Own() []string { return e.Alternates[:len(e.Alternates)-e.Inherited] }

// WordingsEach returns how many of the entries the owner wrote, and how many wordings of hers each of them has on
// average.
func WordingsEach(entries []Entry) (own int, each float64) {
	wordings := 0
	for i := range entries {
		if !entries[i].IsFact {
			own++
			wordings += 1 + len(entries[i].Own())
		}
	}
	return own, float64(wordings) / float64(max(own, 1))
}

// IsPrice reports whether the entry is made from the price of a service.
func (e *Entry) IsPrice() bool { return e.IsFact && strings.HasPrefix(e.ID, factPrice) }

// Live reports whether the entry may answer: to the end of the day it expires.
func (e *Entry) Live(now time.Time) bool { return !Past(e.Expires, now) }

// Past reports whether a day is over in its zone. The zero day is never over.
func Past(day, now time.Time) bool {
	return !day.IsZero() && !now.Before(EndOf(day))
}

// EndOf returns when a day ends in its zone.
func EndOf(day time.Time) time.Time { return TimeOn(day, 1, 0, 0) }

// TimeOn returns hour:minute on the date n days after day, in day's zone. A time that a clock change skips becomes one
// hour later, so some days begin at 01:00.
func TimeOn(day time.Time, n, hour, minute int) time.Time {
	at := time.Date(day.Year(), day.Month(), day.Day()+n, hour, minute, 0, 0, day.Location())
	if at.Hour() == (hour+23)%24 { // time.Date may return an hour earlier
		at = at.Add(time.Hour)
	}
	return at
}

// Golden are the questions that are tried before content goes live.
type Golden struct {
	Answered   []GoldenQuestion
	Unanswered []GoldenQuestion // without an ID
}

// GoldenQuestion is a question and the entry that must answer it.
type GoldenQuestion struct {
	Q    string
	ID   string
	Line int // in golden.yaml
}

// Fault returns a fault at the line of the question.
func (g GoldenQuestion) Fault(message, hint, code string, values ...any) Diagnostic {
	return faultIn(goldenFile, g.Line, message, hint, code, values...)
}

// Page is a page of the site in the owner's words.
type Page struct {
	Name     string // "privacy" of pages/privacy.md
	Language string // of the folder: "en" of pages/en/privacy.md; empty for the first language
	Lang     string // the language of its text, if it differs; may be empty
	Header   int    // its place among the owner's pages in the header; 0 for none
	Markdown string

	file string // in the content folder
	skip int    // lines of the file before the text
}

// Edition is the content in one language.
type Edition struct {
	Language          string
	Name, Summary     string // of the business
	Request           string // the name of a pilot request; may be empty
	Services          []contract.Service
	Bands             []contract.PricingBand
	Statements        []string // what the service does not do; never nil
	Fallback          string
	LogoAlt, PhotoAlt string
	contract.Facts

	// The lines of the ids in catalog.yaml. bandLines lacks the bands of services that hold their price themselves.
	serviceLines, bandLines seen
}

// Details returns the services with their prices.
func (e *Edition) Details() []contract.ServiceDetail {
	catalog := contract.Catalog{Services: e.Services, PricingBands: e.Bands}
	return catalog.Details()
}

// English is the default language of a site.
const English = "en"

var onlyEnglish = []string{English}

// Languages returns the languages of the site, at least one, the first first.
func (c *Content) Languages() []string {
	if len(c.SiteLanguages) > 0 {
		return c.SiteLanguages
	}
	return onlyEnglish
}

// Zone returns the time zone of the business, or the machine's if the catalog names no known zone.
func (c *Content) Zone() *time.Location {
	zone, err := time.LoadLocation(c.TimeZone)
	if c.TimeZone == "" || err != nil { // an unknown zone is reported as a fault
		return time.Local
	}
	return zone
}

// Language returns the first language of the site.
func (c *Content) Language() string { return c.Languages()[0] }

// In returns the content in a language of the site. A service with Lang is offered only
// in that language.
func (c *Content) In(language string) Edition {
	edition := c.Edition
	if at := slices.IndexFunc(c.editions, func(e Edition) bool { return e.Language == language }); at > 0 {
		edition = c.editions[at]
	}
	edition.Language, edition.Fallback = language, c.FAQ.FallbackIn(language)
	edition.Services = slices.DeleteFunc(slices.Clone(edition.Services), func(s contract.Service) bool {
		return s.Lang != "" && s.Lang != language
	})
	edition.Bands = slices.DeleteFunc(slices.Clone(edition.Bands), func(band contract.PricingBand) bool {
		return edition.bandLines[band.ID] == 0 && !slices.ContainsFunc(edition.Services, func(s contract.Service) bool {
			return s.ID == band.ID
		})
	})
	return edition
}
