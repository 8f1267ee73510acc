package site

import (
	"fmt"

	"frontdesk/contract"
)

// plainError is what a person is told of an error; site.js says the same.
func plainError(err *contract.Error) string {
	problem := err.Problem("")
	if err.RetryAfter > 0 {
		return fmt.Sprintf("%s Please wait %d seconds and try again. Nothing you typed is lost.", problem.Detail, int(err.RetryAfter.Seconds()))
	}
	return problem.Detail + " " + problem.Hint
}

// formFacts are what the Markdown pages say of the forms, for readers that cannot
// fill in one.
type formFacts struct {
	Ask, Contact, FAQ        string // addresses
	Question                 string // one that has an answer
	MaxQuestion, MaxMessage  int
	MaxName, MaxBusiness     int
	AskPolicy, ContactPolicy contract.Policy
}

func (s *Site) formFacts() formFacts {
	facts := formFacts{
		Ask: s.Catalog.Links.Ask, Contact: s.Catalog.Contact.URL, FAQ: s.Catalog.Links.FAQ,
		MaxQuestion: contract.MaxQuestion, MaxMessage: contract.MaxMessage,
		MaxName: contract.MaxName, MaxBusiness: contract.MaxBusiness,
		AskPolicy: contract.AskPolicy, ContactPolicy: contract.ContactPolicy,
	}
	if examples := s.examples(); len(examples) > 0 {
		facts.Question = examples[0].Question
	}
	return facts
}
