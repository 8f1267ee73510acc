package site

import (
	"html/template"

	"frontdesk/contract"
)

// bandOfServices is a pricing band with the services that cost it.
type bandOfServices struct {
	contract.PricingBand
	Services []contract.Service
}

func (s *Site) bands() []bandOfServices {
	var bands []bandOfServices
	for _, band := range s.Catalog.PricingBands {
		of := bandOfServices{PricingBand: band}
		for _, service := range s.Catalog.Services {
			if service.PricingBand == band.ID {
				of.Services = append(of.Services, service)
			}
		}
		bands = append(bands, of)
	}
	return bands
}

// pricing is the page of prices and of what each service includes.
func (s *Site) pricing() Page {
	title, intro := splitTitle(s.intros[namePricing], "Services and prices")
	data := struct {
		Title      string
		Intro      template.HTML
		Source     string
		Bands      []bandOfServices
		Services   []contract.ServiceDetail
		Statements []string
		CatalogURL string
	}{title, toHTML(intro), intro, s.bands(), s.Catalog.Details(), s.Content.Statements, s.Base + contract.PathCatalog}
	return Page{
		HTML: s.frame(view{
			Path: contract.PathPricing, Title: title, Description: "What " + s.Content.Business.Name + " offers and what it costs.",
			Body: execute("pricing", data), Data: s.businessData(),
		}),
		Markdown: s.markdown(title, executeMarkdown("pricing", data)),
	}
}
