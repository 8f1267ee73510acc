package client

import (
	"context"
	"fmt"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// ServiceCmd shows one service, taken from the catalog.
type ServiceCmd struct {
	Connection
	ID string `arg:""`
}

func (c *ServiceCmd) Run(ctx context.Context) error {
	catalog, _, failed := fetch(ctx, c.Connection, getCatalog, isCatalog)
	if failed != nil {
		return c.fail(failed)
	}
	detail, found := catalog.Service(c.ID)
	if !found {
		return c.fail(unknownService(&catalog, c.ID))
	}
	return c.show(payload.JSON(detail), func(p *page) { p.service(detail) })
}

// unknownService is not_found in the same shape as the service's own, for programs that
// read the JSON.
func unknownService(catalog *contract.Catalog, id string) *failure {
	missing := &contract.Error{
		Code:   contract.NotFound,
		Detail: fmt.Sprintf("There is no service %q.", id),
		Hint:   "The services are: " + strings.Join(catalog.ServiceIDs(), ", ") + ".",
	}
	problem := missing.Problem(strings.TrimRight(catalog.URL, "/"))
	return &failure{code: ExitRefused, summary: problem.Detail, notes: []string{"Hint: " + problem.Hint},
		record: payload.JSON(problem)}
}

func (p *page) service(s contract.ServiceDetail) {
	p.line(bold(s.Name), plain("  "), dim(s.ID))
	p.block("", "", s.Summary)
	if s.Description != "" {
		p.gap()
		p.block("", "", s.Description)
	}
	if len(s.Includes) > 0 {
		p.heading("Includes")
		for _, included := range s.Includes {
			p.item(included)
		}
	}
	if s.Audience != "" {
		p.heading("For")
		p.note("  ", s.Audience)
	}
	p.heading("Price")
	p.line(plain("  "+price(s.Pricing)+"  "), dim(s.Pricing.Name))
	p.note("  ", joinNote(s.Pricing.Summary, s.Pricing.Note))
}
