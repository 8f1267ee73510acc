package content

import (
	"cmp"
	"slices"

	"frontdesk/contract"
)

// Edition is the content in one language.
type Edition struct {
	Language          string
	Name, Summary     string // of the business
	Request           string // the name of a pilot request; may be empty
	Services          []contract.Service
	Bands             []contract.PricingBand
	Statements        []string // never nil
	AreaServed        []string
	Payment           []string
	Profiles          []contract.Profile
	Fallback          string
	LogoAlt, PhotoAlt string
}

// English is the default language of a site.
const English = "en"

var onlyEnglish = []string{English}

// Languages returns the languages of the site, at least one, the first first.
func (c *Content) Languages() []string { return c.Business.languages() }

// Language returns the first language of the site.
func (c *Content) Language() string { return c.Languages()[0] }

func (b *Business) languages() []string {
	if len(b.Languages) > 0 {
		return b.Languages
	}
	return onlyEnglish
}

// In returns the content in a language of the site. A service with Lang is offered only
// in that language.
func (c *Content) In(language string) Edition {
	edition := Edition{
		Language: language, Name: c.Business.Name, Summary: c.Business.Summary, Request: c.Request,
		Services: c.Services, Bands: c.Bands, Statements: c.Statements,
		AreaServed: c.Business.AreaServed, Payment: c.Business.Payment, Profiles: c.Business.Profiles,
		Fallback: c.FAQ.FallbackIn(language),
		LogoAlt:  c.Brand.LogoAlt.in(language), PhotoAlt: c.Brand.PhotoAlt.in(language),
	}
	if language != c.Language() {
		r := &c.records
		edition.Name, edition.Summary, edition.Request = r.name.in(language), r.summary.in(language), r.request.in(language)
		edition.Services, edition.Bands = r.servicesIn(language), r.bandsIn(language)
		edition.Statements = r.statements.in(language)
		edition.AreaServed, edition.Payment, edition.Profiles = r.areaServed.in(language), r.payment.in(language), r.profilesIn(language)
	}
	edition.Services = slices.DeleteFunc(slices.Clone(edition.Services), func(s contract.Service) bool {
		return s.Lang != "" && s.Lang != language
	})
	return edition
}

// fill fills in the texts of the first language, which the catalog publishes.
func (c *Content) fill() {
	language, r := c.Language(), &c.records
	c.Business.Name, c.Business.Summary, c.Request = r.name.in(language), r.summary.in(language), r.request.in(language)
	c.Services, c.Bands, c.Statements = r.servicesIn(language), r.bandsIn(language), r.statements.in(language)
	c.Business.AreaServed, c.Business.Payment, c.Business.Profiles = r.areaServed.in(language), r.payment.in(language), r.profilesIn(language)
}

func (r *records) profilesIn(language string) (profiles []contract.Profile) {
	for _, profile := range r.profiles {
		profiles = append(profiles, contract.Profile{Name: profile.name.in(language), URL: profile.url})
	}
	return profiles
}

func (r *records) servicesIn(language string) []contract.Service {
	var services []contract.Service
	for i := range r.services {
		service := &r.services[i]
		in := cmp.Or(service.lang, language)
		services = append(services, contract.Service{
			ID: service.id, Name: service.name.in(in), Summary: service.summary.in(in),
			Description: service.description.in(in), Includes: service.includes.in(in),
			Audience: service.audience.in(in), PricingBand: service.band, Lang: service.lang,
			Booking: service.booking,
		})
		if service.picture != nil {
			services[i].Picture = &contract.Picture{URL: service.picture.Path(), Alt: service.pictureAlt.in(in)}
		}
	}
	return services
}

func (r *records) bandsIn(language string) []contract.PricingBand {
	var bands []contract.PricingBand
	for i := range r.bands {
		band := r.bands[i].PricingBand
		band.Name, band.Summary = r.bands[i].name.in(language), r.bands[i].summary.in(language)
		band.Unit, band.Note = r.bands[i].unit.in(language), r.bands[i].note.in(language)
		for _, option := range r.bands[i].options {
			band.Options = append(band.Options, contract.PriceOption{
				Name: option.name.in(language), Price: option.price, Unit: cmp.Or(option.unit.in(language), band.Unit),
			})
		}
		bands = append(bands, band)
	}
	return bands
}
