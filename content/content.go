package content

import (
	"time"

	"frontdesk/contract"
)

// Content is everything that the owner publishes, read and checked.
type Content struct {
	Business   Business
	Services   []contract.Service
	Bands      []contract.PricingBand
	Statements []string // what the service does not do; never nil
	FAQ        FAQ
	Golden     Golden
	Pages      []Page // sorted by name
	// Sample says that the catalog or the entries are still those that come with
	// frontdesk, byte for byte, wherever they were read from.
	Sample bool

	notes []Fault // what Load met that is worth a word but no refusal
}

// Business is who the service speaks for.
type Business struct {
	Name      string
	Summary   string
	Languages []string // language tags such as "en", the main one first; may be nil
}

// FAQ is the approved text: the entries, and what is said when none answers.
type FAQ struct {
	Fallback string
	Entries  []Entry
}

// Entry is one approved answer with the questions it answers.
type Entry struct {
	ID         string
	Question   string
	Alternates []string
	Answer     string    // returned byte for byte
	URL        string    // absolute, or a path of the site; empty without one
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
	Markdown string
}
