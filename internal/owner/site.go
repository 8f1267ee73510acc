package owner

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/i18n"
)

// sitePart is a page that leads to forms.
type sitePart struct {
	path  string
	name  string // of its messages, owner.part.NAME and .note
	forms []form // whose items it lists; without one the page is a form itself
}

// siteParts are the parts of "Your site" in their order.
var siteParts = []sitePart{
	{path: pathBusiness, name: "business"},
	{path: pathServices, name: "services", forms: []form{services, prices}},
	{path: pathPages, name: "pages", forms: []form{pages}},
	{path: pathPictures, name: "pictures", forms: []form{pictures}},
	{path: pathLook, name: "look"},
}

// siteTabs lead to the parts of the site; there are none on other pages.
func siteTabs(current string) (tabs []tab) {
	if !slices.ContainsFunc(siteParts, func(part sitePart) bool { return part.path == current }) {
		return nil
	}
	for _, part := range siteParts {
		tabs = append(tabs, tab{Text: "owner.part." + part.name, Path: part.path, Current: part.path == current,
			Uncounted: true})
	}
	return tabs
}

// forms are what an owner can write.
func forms() []form {
	all := []form{answers, business, look, precision}
	for _, part := range siteParts {
		all = append(all, part.forms...)
	}
	return all
}

const (
	catalogFile = "catalog.yaml"
	faqFile     = "faq.yaml"
)

// services and prices are the lists of catalog.yaml.
var (
	services = form{
		path: pathServices, home: pathServices, here: pathBusiness, file: catalogFile, list: "services",
		texts: "owner.services.", title: "name", shownOn: onPricing, remove: (*content.Change).RemoveService,
		fields: []field{
			{Key: "name", Kind: lineField, Required: true, Local: true},
			{Key: "summary", Kind: lineField, Required: true, Local: true},
			{Key: "description", Kind: textField, Required: true, Local: true},
			{Key: "includes", Kind: linesField, Local: true},
			{Key: "audience", Kind: lineField, Local: true},
			{Key: "pricing_band", Kind: choiceField, options: (*Pages).bandOptions},
			{Key: "picture", Kind: imageField, options: (*Pages).pictureOptions},
			{Key: "picture_alt", Kind: lineField, Local: true},
			{Key: "booking", Kind: lineField},
			{Key: "lang", Kind: choiceField, options: (*Pages).languageOptions},
		},
		summary: func(p *Pages, s session, item values) string {
			for _, band := range p.bandOptions(s) {
				if band.Value == item["pricing_band"] {
					return band.Text
				}
			}
			return ""
		},
	}
	prices = form{
		path: pathPrices, home: pathServices, here: pathBusiness, file: catalogFile, list: "pricing_bands",
		texts: "owner.pricing_bands.", title: "name", shownOn: onPricing,
		fields: []field{
			{Key: "name", Kind: lineField, Required: true, Local: true},
			{Key: "summary", Kind: lineField, Required: true, Local: true},
			{Key: "currency", Kind: lineField, Required: true},
			{Key: "from", Kind: amountField, Required: true},
			{Key: "to", Kind: amountField},
			{Key: "unit", Kind: lineField, Required: true, Local: true},
			{Key: "options", Kind: rowsField, columns: []field{
				{Key: "name", Kind: lineField, Required: true, Local: true},
				{Key: "price", Kind: amountField, Required: true},
				{Key: "unit", Kind: lineField, Local: true},
			}},
			{Key: "note", Kind: textField, Local: true},
		},
		summary: func(_ *Pages, s session, item values) string { return priceOf(s, item) },
		inUse:   (*Pages).usersOfPrice,
		draft: func(p *Pages, _ *http.Request) (values, func(context.Context) error, error) {
			return values{"currency": p.Service.Live().Content.Bands[0].Currency}, nil, nil
		},
	}
	business = form{
		path: pathBusiness, home: pathBusiness, here: pathBusiness, file: catalogFile, texts: "owner.site.",
		fields: []field{
			{Key: "business.name", Kind: lineField, Required: true, Local: true},
			{Key: "business.summary", Kind: textField, Required: true, Local: true},
			{Key: "business.kind", Kind: choiceField, options: func(*Pages, session) (kinds []option) {
				for _, kind := range content.Kinds() {
					kinds = append(kinds, option{kind, kind})
				}
				return kinds
			}},
			{Key: "business.hours", Kind: hoursField},
			{Key: "business.closed", Kind: daysField},
			{Key: "business.special_hours", Kind: timesField},
			{Key: "business.time_zone", Kind: lineField},
			{Key: "business.address.street", Kind: lineField},
			{Key: "business.address.postal_code", Kind: lineField},
			{Key: "business.address.city", Kind: lineField},
			{Key: "business.address.country", Kind: lineField},
			{Key: "business.coordinates.latitude", Kind: plainField},
			{Key: "business.coordinates.longitude", Kind: plainField},
			{Key: "business.phone", Kind: lineField},
			{Key: "business.email", Kind: lineField},
			{Key: "business.booking", Kind: lineField},
			{Key: "business.profiles", Kind: rowsField, columns: []field{
				{Key: "name", Kind: lineField, Required: true, Local: true},
				{Key: "url", Kind: lineField, Required: true},
			}},
			{Key: "business.payment", Kind: linesField, Local: true},
			{Key: "business.area_served", Kind: linesField, Local: true},
			{Key: "business.languages", Kind: linesField},
			{Key: "business.tone", Kind: choiceField, options: func(_ *Pages, s session) []option {
				return []option{{i18n.Formal, s.Text("owner.business.formal")}, {i18n.Informal, s.Text("owner.business.informal")}}
			}},
			{Key: "requests.name", Kind: lineField, Local: true},
			{Key: "requests.ask_business", Kind: flagField, options: func(_ *Pages, s session) []option {
				return []option{{"true", s.Text("owner.business.yes")}, {"false", s.Text("owner.business.no")}}
			}},
			{Key: "trials", Kind: flagField, options: yesOrNo},
			{Key: "content_signal", Kind: lineField},
			{Key: "fallback", Kind: textField, Required: true, Local: true, file: faqFile},
			{Key: "statements", Kind: linesField, Local: true},
		},
	}
)

// onPricing is where the site shows services and prices.
func onPricing(string) string { return strings.TrimPrefix(contract.PathPricing, "/") }

// priceOf is a price in a line.
func priceOf(s session, item values) string {
	return s.Text("price.per", s.Price(item["currency"], item["from"], item["to"]), item["unit"])
}

// bandOptions are the prices that a service can have.
func (p *Pages) bandOptions(s session) (bands []option) {
	items, _ := p.itemsOf(prices) // of a file that cannot be read there is no page
	for _, band := range items {
		bands = append(bands, option{band["id"], band["name"] + ", " + priceOf(s, band)})
	}
	return bands
}

// languageOptions are the languages of the site.
func (p *Pages) languageOptions(session) (languages []option) {
	for _, tag := range p.languages() {
		languages = append(languages, option{tag, i18n.NameOf(tag)})
	}
	return languages
}

// usersOfPrice names the services that have a price, as a change leaves them.
func (p *Pages) usersOfPrice(s session, change *content.Change, id string) (users []string) {
	offered, _ := change.Items(catalogFile, "services") // of a file that cannot be read there are none
	for _, service := range offered {
		if service.Text("pricing_band") == id {
			users = append(users, s.Text("owner.quoted", cmp.Or(service.Text("name"), service.Text("name."+p.languages()[0]))))
		}
	}
	return users
}

type itemRow struct{ Path, Title, Note, Picture string }

type itemList struct {
	Title, New, NewPath string
	Rows                []itemRow
}

// listItems shows the items of the forms of a part of the site.
func (p *Pages) listItems(part sitePart) sessionFunc {
	return func(w http.ResponseWriter, r *http.Request, s session) error {
		var lists []itemList
		for _, f := range part.forms {
			items, err := p.itemsOf(f)
			if err != nil {
				return f.unreadable(s, err)
			}
			list := itemList{Title: s.Text(f.texts + "many"), New: s.Text(f.texts + "new"), NewPath: f.editPath("")}
			for _, item := range items {
				row := itemRow{Path: f.editPath(item["id"]), Title: item[f.title], Picture: item[picturePath]}
				if f.summary != nil {
					row.Note = f.summary(p, s, item)
				}
				list.Rows = append(list.Rows, row)
			}
			lists = append(lists, list)
		}
		title := s.Text("owner.part." + part.name)
		return p.show(w, r, s, view{Title: title, Here: pathBusiness}, "items", data{
			"Title": title, "Note": s.Text("owner.part." + part.name + ".note"), "Tabs": siteTabs(part.path), "Lists": lists,
		})
	}
}

// named lists where the answers and the pages name an item.
func (p *Pages) named(id, title string) []itemRow {
	return p.placesOf(id, func(text string) bool {
		return strings.Contains(text, "#"+id) || strings.Contains(strings.ToLower(text), strings.ToLower(title))
	})
}

// outdated lists where the answers and the pages say a value that a change of an item takes
// away from it: one between the new amounts is no warning of the content.
func (p *Pages) outdated(w written, sent values) []itemRow {
	var gone []func(text string) bool
	for _, f := range w.fields {
		f = f.in(w.languages)
		was, kept := f.stated(w.now), f.stated(sent)
		for _, value := range was {
			if value != "" && !slices.Contains(kept, value) {
				gone = append(gone, func(text string) bool { return f.isSaid(text, value, w.now) })
			}
		}
	}
	return p.placesOf("", func(text string) bool {
		return slices.ContainsFunc(gone, func(says func(string) bool) bool { return says(text) })
	})
}

// clock matches a time in the hours of a form.
var clock = regexp.MustCompile(`\d{2}:\d{2}`)

// stated are the values of a field that answers and pages may repeat.
func (f field) stated(of values) []string {
	switch {
	case f.Kind == hoursField:
		return clock.FindAllString(of[f.Key], -1)
	case f.Kind == amountField, strings.HasPrefix(f.Key, "business.address."), f.Key == "business.phone":
		return []string{of[f.Key]}
	}
	return f.amounts(of)
}

// isSaid reports whether a text says a value of the field of an item.
func (f field) isSaid(text, value string, item values) bool {
	switch {
	case f.Kind == hoursField:
		return content.SaysClock(text, value)
	case f.Key == "business.phone":
		return content.SaysPhone(text, value)
	case f.Kind == lineField:
		return f.Key != "business.address.country" && strings.Contains(strings.ToLower(text), strings.ToLower(value))
	}
	return content.SaysAmount(text, value, item["currency"])
}

// amounts are those of the rows of a field.
func (f field) amounts(of values) (amounts []string) {
	for _, column := range f.columns {
		if column.Kind == amountField {
			for _, line := range linesOf(of[f.Key]) {
				amounts = append(amounts, f.row(line)[column.Key])
			}
		}
	}
	return amounts
}

// placesOf lists the answers but one and the pages some of whose texts are meant.
func (p *Pages) placesOf(without string, names func(text string) bool) (places []itemRow) {
	live := p.Service.Live().Content
	for _, entry := range live.FAQ.Entries {
		if entry.ID == without || entry.IsFact { // which changes with the catalog
			continue
		}
		if names(entry.Answer) || names(entry.Question) || names(entry.URL) {
			places = append(places, itemRow{Path: answers.editPath(entry.ID), Title: entry.Question})
		}
	}
	for _, page := range live.Pages {
		if names(page.Markdown) {
			places = append(places, itemRow{Title: page.Path(live)})
		}
	}
	return places
}
