package content

import (
	"time"

	"frontdesk/contract"
)

// Content is everything that the owner publishes, read and checked.
type Content struct {
	Business   Business
	Services   []contract.Service     // in the first language; one with a language of its own, in that
	Bands      []contract.PricingBand // in the first language
	Statements []string               // what the service does not do, in the first language; never nil
	Request    string                 // what a pilot request is called, in the first language; may be empty
	// AskBusiness reports whether people are asked for their business. Where they
	// are not, NoBusiness is sent.
	AskBusiness bool
	Trials      bool // whether trials are offered, with a workspace server
	Brand       Brand
	FAQ         FAQ
	Drafts      []Entry // entries that do not answer yet
	Golden      Golden
	Pages       []Page  // sorted by language and name
	Images      []Image // sorted by name

	records records
	notes   []Fault // what Load met that is worth a warning but no refusal
}

// NoBusiness is sent as the business of people who are not asked for one.
const NoBusiness = "-"

// Business is who the service speaks for.
type Business struct {
	Name      string   // in the first language
	Summary   string   // in the first language
	Languages []string // language tags such as "en", the site's first; may be nil
	Kind      string   // a schema.org type below LocalBusiness; may be empty
	Address   *contract.Address
	Phone     string
	Email     string
	Hours     []contract.OpeningHours
	Closed    []contract.ClosedDays
}

// Brand is what the pages look like.
type Brand struct {
	Logo, Icon, Photo, Card *Image // nil where the owner has none
	LogoAlt, PhotoAlt       localized
	Accent                  Accent
	// Developers reports whether the navigation leads to the developer page. It is
	// true unless the owner has a brand and does not say so.
	Developers bool
	IsSet      bool
}

// FAQ is the approved text: the entries, and what is said when none answers.
type FAQ struct {
	Fallback  string            // in the first language
	Fallbacks map[string]string // by language; nil when it is one text for all
	Entries   []Entry
}

// FallbackIn returns the fallback in a language.
func (f FAQ) FallbackIn(language string) string {
	if text, ok := f.Fallbacks[language]; ok {
		return text
	}
	return f.Fallback
}

// Entry is one approved answer with the questions it answers.
type Entry struct {
	ID         string
	Question   string
	Alternates []string
	Answer     string    // returned byte for byte
	URL        string    // absolute, or a path of the site; empty without one
	Lang       string    // the language of its texts; empty for the first one, where there are several
	Group      string    // the heading under which it is listed; may be empty
	Draft      bool      // does not answer yet
	Revision   string    // changes exactly when Answer does
	ReviewBy   time.Time // the day, 00:00 UTC, until which the owner will look again; or zero
	Expires    time.Time // the last day, 00:00 UTC, on which the entry answers; or zero
	Line       int       // where the entry begins in faq.yaml
}

// Live reports whether the entry may answer: to the end of the day it expires, in
// UTC.
func (e *Entry) Live(now time.Time) bool { return !past(e.Expires, now) }

// past reports whether a day is over in UTC. No day is never over.
func past(day, now time.Time) bool {
	return !day.IsZero() && !now.Before(day.AddDate(0, 0, 1))
}

// Golden are the questions on which content is tried before it goes live.
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

// Fault says where in the owner's files a question does not hold.
func (g GoldenQuestion) Fault(message, hint string) Fault {
	return Fault{File: goldenFile, Line: g.Line, Message: message, Hint: hint}
}

// Page is a page of the site in the owner's words.
type Page struct {
	Name     string // "privacy" of pages/privacy.md
	Language string // of the folder: "en" of pages/en/privacy.md; empty for the first language
	Lang     string // the language of its text where it is another one; may be empty
	Markdown string

	file string // in the content folder
	skip int    // lines of the file before the text
}
