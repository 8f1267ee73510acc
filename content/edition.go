package content

import (
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

	serviceLines, bandLines []int // where Services and Bands begin in catalog.yaml
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
	edition := c.editions[max(0, slices.IndexFunc(c.editions, func(e Edition) bool { return e.Language == language }))]
	if language == c.Language() {
		edition.Name, edition.Summary = c.Business.Name, c.Business.Summary
	}
	edition.Language, edition.Fallback = language, c.FAQ.FallbackIn(language)
	edition.Services = slices.DeleteFunc(slices.Clone(edition.Services), func(s contract.Service) bool {
		return s.Lang != "" && s.Lang != language
	})
	return edition
}

// fill fills in the texts of the first language, which the catalog publishes.
func (c *Content) fill() {
	first := &c.editions[0]
	c.Business.Name, c.Business.Summary, c.Request = first.Name, first.Summary, first.Request
	c.Services, c.Bands, c.Statements = first.Services, first.Bands, first.Statements
	c.Business.AreaServed, c.Business.Payment, c.Business.Profiles = first.AreaServed, first.Payment, first.Profiles
}
