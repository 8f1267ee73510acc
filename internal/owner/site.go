package owner

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"frontdesk/content"
)

// siteParts are the pages of the parts of "Your site" in their order. The messages of each are owner.part.NAME and
// .note, with the last element of its path as the name.
var siteParts = []string{pathBusiness, pathServices, pathPages, pathPictures, pathLook}

// siteTabs lead to the parts of the site; there are none on other pages.
func siteTabs(current string) (tabs []tab) {
	if !slices.Contains(siteParts, current) {
		return nil
	}
	for _, part := range siteParts {
		tabs = append(tabs, tab{Text: "owner.part." + path.Base(part), Path: part, Current: part == current,
			Uncounted: true})
	}
	return tabs
}

// forms are what an owner can write.
func forms() []form {
	return []form{answers, business, look, precision, synonyms, services, prices, pages, pictures}
}

const (
	catalogFile = content.CatalogFile
	faqFile     = content.FAQFile
)

// Lists of catalog.yaml.
const (
	servicesList = "services"
	bandsList    = "pricing_bands"
)

// languagesInput is the input of the languages of the site.
const languagesInput = "business.languages"

// services and prices are those lists, business what else is in the file.
var (
	services = form{
		path: pathServices, home: pathServices, file: catalogFile, list: servicesList,
		texts: "owner.services.", title: "name",
		fields: fieldsOf(catalogFile, content.Keys(catalogFile, servicesList), "name", "summary", "description", "price",
			"pricing_band", "picture", "picture_alt", "includes", "audience", "booking", "lang"),
		note: func(v visit, of item) string {
			for _, service := range v.live().Services {
				if service.ID == of.id {
					return v.livePrice(service.PricingBand)
				}
			}
			return ""
		},
	}
	prices = form{
		path: pathPrices, home: pathServices, file: catalogFile, list: bandsList,
		texts: "owner.pricing_bands.", title: "name",
		fields: fieldsOf(catalogFile, content.Keys(catalogFile, bandsList)),
		note:   func(v visit, band item) string { return v.livePrice(band.id) },
	}
	business = form{
		path: pathBusiness, home: pathBusiness, file: catalogFile, texts: "owner.site.",
		fields: slices.Concat(
			fieldsOf(catalogFile, content.Keys(catalogFile), "business", "currency", "requests", "trials", "content_signal"),
			fieldsOf(faqFile, content.Keys(faqFile), "fallback"),
			fieldsOf(catalogFile, content.Keys(catalogFile), "statements")),
	}
)

// textOf is the text of a key of a file. A file that cannot be read has no page.
func (p *Pages) textOf(file, key string) string {
	value, _ := p.Curator.NewChange("").Get(file, content.Path{key})
	text, _ := value.(string)
	return text
}

// currency is that of the services' own prices: the file's, else that of the first shared price, else EUR.
func (p *Pages) currency() string {
	code := p.textOf(catalogFile, "currency")
	if bands := p.live().Bands; code == "" && len(bands) > 0 {
		return bands[0].Currency
	}
	return cmp.Or(code, "EUR")
}

// livePrice is the live price of a band.
func (v visit) livePrice(bandID string) string {
	for _, band := range v.live().Bands {
		if band.ID == bandID {
			return content.PriceOf(v.Printer, band)
		}
	}
	return ""
}

// bandOptions are the prices that several services can have.
func (v visit) bandOptions() (bands []option) {
	items, _ := v.itemsOf(prices) // of a file that cannot be read there is no page
	for _, band := range items {
		bands = append(bands, option{band.id, band.text("name") + ", " + v.livePrice(band.id)})
	}
	return bands
}

// usersOfPrice names the services that have a price, as a change leaves them.
func (v visit) usersOfPrice(change *content.Change, id string) (users []string) {
	items, _ := v.readItems(services, change) // of a file that cannot be read there are none
	for _, service := range items {
		if service.text("pricing_band") == id {
			users = append(users, v.Text("owner.quoted", service.text("name")))
		}
	}
	return users
}

type itemRow struct{ Path, Title, Note, Picture string }

type itemList struct {
	Title, New, NewPath string
	Rows                []itemRow
}

// listItems shows the items of a part of the site: those of the forms whose home it is.
func (v visit) listItems() error {
	var lists []itemList
	for _, f := range forms() {
		if f.home != v.URL.Path {
			continue
		}
		items, err := v.itemsOf(f)
		if err != nil {
			return err
		}
		list := itemList{Title: v.Text(f.texts + "many"), New: v.Text(f.texts + "new"), NewPath: f.editPath("")}
		for _, item := range items {
			list.Rows = append(list.Rows, itemRow{Path: f.editPath(item.id), Title: item.text(f.title),
				Picture: item.picture, Note: f.note(v, item)})
		}
		lists = append(lists, list)
	}
	texts := "owner.part." + path.Base(v.URL.Path)
	return v.show(v.Text(texts), "items", data{
		"Note": v.Text(texts + ".note"), "Tabs": siteTabs(v.URL.Path), "Lists": lists,
	})
}

// named lists the answers and pages that link to an item or mention its title.
func (p *Pages) named(id, title string) []itemRow {
	return p.placesOf(id, func(text string) bool {
		return strings.Contains(text, "#"+id) || strings.Contains(strings.ToLower(text), strings.ToLower(title))
	})
}

// outdated lists the answers and pages that still state a value which the change replaces. The check of the content
// cannot find all of them: it accepts any amount between the new ones.
func (p *Pages) outdated(w written, sent values) []itemRow {
	code := cmp.Or(w.now.text("currency"), p.currency())
	parts := partsOf(w.fields, w.languages)
	kept := statedIn(parts, sent)
	gone := slices.DeleteFunc(statedIn(parts, w.now.values), func(value stated) bool {
		return slices.Contains(kept, value)
	})
	return p.placesOf("", func(text string) bool {
		return slices.ContainsFunc(gone, func(value stated) bool { return value.isSaidIn(text, code) })
	})
}

// clock matches a time of day in the opening hours.
var clock = regexp.MustCompile(`\d{2}:\d{2}`)

// stated is a value of a form that answers and pages may repeat.
type stated struct {
	path string // of its field
	kind content.Kind
	text string
}

// repeated are the kinds of such values, beside hours and places.
var repeated = []content.Kind{content.KindAmount, content.KindPhone, content.KindEmail, content.KindWeb}

func statedIn(parts []field, of values) (found []stated) {
	for _, part := range parts {
		isPlace := strings.HasPrefix(part.Path, "business.address.") && part.Kind == content.KindLine
		switch value := of[part.Input].(type) {
		case weekTimes:
			for _, at := range clock.FindAllString(strings.Join(value[:], " "), -1) {
				found = append(found, stated{part.Path, part.Kind, at})
			}
		case []values:
			for _, row := range value {
				found = append(found, statedIn(part.columns, row)...)
			}
		case string:
			if isPlace || slices.Contains(repeated, part.Kind) {
				found = append(found, stated{part.Path, part.Kind, value})
			}
		}
	}
	return found
}

func (v stated) isSaidIn(text, currency string) bool {
	switch v.kind {
	case content.KindHours:
		return content.SaysClock(text, v.text)
	case content.KindPhone:
		return content.SaysPhone(text, v.text)
	case content.KindAmount:
		return content.SaysAmount(text, v.text, currency)
	}
	return strings.Contains(strings.ToLower(text), strings.ToLower(v.text))
}

// rowOf leads to an answer.
func rowOf(e content.Entry) itemRow { return itemRow{Path: answers.editPath(e.ID), Title: e.Question} }

// placesOf lists the answers and pages with a text that matches. The answer with the id without is left out.
func (p *Pages) placesOf(without string, names func(text string) bool) (places []itemRow) {
	live := p.live()
	for _, entry := range live.FAQ.Entries {
		if entry.ID == without || entry.IsFact { // which changes with the catalog
			continue
		}
		if names(entry.Answer) || names(entry.Question) || names(entry.URL) {
			places = append(places, rowOf(entry))
		}
	}
	for _, page := range live.Pages {
		if names(page.Markdown) {
			places = append(places, itemRow{Title: page.Path(live)})
		}
	}
	return places
}
