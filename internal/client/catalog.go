package client

import (
	"context"
	"strings"

	"frontdesk/contract"
)

// CatalogCmd shows the whole catalog (GET /v1/catalog).
type CatalogCmd struct{ Connection }

func (c *CatalogCmd) Run(ctx context.Context) error {
	return printAnswer(ctx, c.Connection, getCatalog, isCatalog, (*page).catalog)
}

var getCatalog = request{path: contract.PathCatalog, timeout: readTimeout}

func isCatalog(c contract.Catalog) bool { return c.Name != "" && c.Services != nil }

func (p *page) catalog(c contract.Catalog) {
	p.line(bold(c.Name))
	p.block("", "", c.Summary)
	p.line(dim(c.URL))
	var services, bands []row
	for _, service := range c.Details() {
		services = append(services, row{[]string{service.ID, service.Name, priceFrom(service.Pricing)}, service.Summary})
	}
	p.heading("Services")
	p.table([]string{"ID", "NAME", "PRICE"}, services)
	for _, band := range c.PricingBands {
		bands = append(bands, row{[]string{band.ID, band.Name, price(band)}, joinNote(band.Summary, band.Note)})
	}
	p.heading("Prices")
	p.table([]string{"BAND", "NAME", "PRICE"}, bands)
	if len(c.Statements) > 0 {
		p.heading("Good to know")
		for _, statement := range c.Statements {
			p.item(statement)
		}
	}
	p.heading("What next")
	p.table([]string{"TO", "RUN"}, []row{
		{cells: []string{"see one service", "frontdesk service ID"}},
		{cells: []string{"ask a question", `frontdesk ask "QUESTION"`}},
		{cells: []string{"file a pilot request", "frontdesk contact --help"}},
	})
}

func joinNote(summary, note string) string { return strings.TrimSpace(summary + " " + note) }

// item adds a line of a list.
func (p *page) item(text string) { p.block("  • ", "    ", oneLine(text)) }

// price formats a band, such as "EUR 90–240 / month", or "from EUR 400 / project"
// when it has no upper end. A band that is missing in the catalog has the price "–".
func price(band contract.PricingBand) string {
	if band.ID == "" {
		return "–"
	}
	if band.To != "" && contract.Float(band.From) == 0 && contract.Float(band.To) == 0 {
		return "free"
	}
	text := band.Currency + " " + string(band.From)
	if band.To == "" {
		text = "from " + text
	} else if band.To != band.From {
		text += "–" + string(band.To)
	}
	if band.Unit != "" {
		text += " / " + band.Unit
	}
	return text
}

// priceFrom formats only the lower end of a band, if it has another, for a table of many services.
func priceFrom(band contract.PricingBand) string {
	if band.To != band.From {
		band.To = ""
	}
	return price(band)
}
