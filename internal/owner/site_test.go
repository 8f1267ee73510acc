package owner_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
)

func (d *desk) undoAll() {
	d.Helper()
	for number := expect.Value(d.store.CountChanges(d.Context()))(d); number > 0; number-- {
		d.change(fmt.Sprintf("changes/%d/undo", number))
	}
}

func TestNothingIsChanged(t *testing.T) {
	expect.SkipInRace(t, "many forms")
	t.Parallel()
	d := signedIn(t, "bakery")
	pages := []string{"business"}
	for _, service := range d.live.Content.Services {
		pages = append(pages, "services/"+service.ID+"/edit")
	}
	for _, entry := range d.live.Content.FAQ.Entries {
		if !entry.IsFact {
			pages = append(pages, "answers/"+entry.ID+"/edit")
		}
	}
	for _, band := range d.live.Content.Bands {
		pages = append(pages, "prices/"+band.ID+"/edit")
	}
	for _, page := range pages {
		d.want(page, d.post(page, d.filled(page)), 422, "Nothing is different from before.")
	}
}

// The list shows live prices: none of a service that is not live yet.
func TestPricesOfANewerFile(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "bakery")
	price := regexp.MustCompile(`/services/([a-z]+)/edit">.*</a></h3></div>\n(?:<img .*>)?\n(?:<p class="note">(.*)</p>)?`)
	shown := func() (prices [][]string) {
		for _, row := range price.FindAllStringSubmatch(d.get("services").Text, -1) {
			prices = append(prices, row[1:])
		}
		return prices
	}
	want := shown()
	want[1] = []string{"buns", ""}
	d.write("catalog.yaml", strings.NewReplacer("pricing_band: loaf", "pricing_band: piece", "id: rolls", "id: buns").
		Replace(d.files()["catalog.yaml"]))
	expect.Same(t, "services with prices", want, shown())
	expect.Holds(t, "the first", want[0][1], "4.20", "7.80")
}

func TestPrecision(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "bakery")
	before := d.files()["faq.yaml"]
	d.shows("answers", `href="/owner/precision"`)
	d.shows("precision", `value="" checked> <span>Balanced: the usual choice. Of 100 questions, 87 `,
		`value="0.98"> <span>Careful`, `value="0.85"> <span>Generous`, "each of your 60 other wordings")
	d.write("faq.yaml", "precision: 0.950\n"+before)
	d.shows("precision", `value="0.950" checked> <span>Balanced`)
	d.write("faq.yaml", "precision: 0.9\n"+before)
	d.shows("precision", `value="0.9" checked> <span>As it is now: 0.9.`)

	d = signedIn(t, "bakery", func(c *owner.Config) { c.Precision = "0.97" })
	fixed := d.get("precision")
	d.want("a setting", fixed, 200, "FRONTDESK_ANSWER_PRECISION is set to 0.97", "<fieldset disabled",
		`value="0.97" checked`)
	expect.Lacks(t, "what a setting decides", fixed.Text, "Check first")
	d.want("a form against it", d.post("precision", url.Values{"precision": {"0.98"}}), 409, "overrides this choice")
}

// The currency is one for all services. The first price of a service brings it along.
func TestCurrencyOfServices(t *testing.T) {
	expect.SkipInRace(t, "many changes")
	t.Parallel()
	d := signedIn(t, "")
	const page = "services/online-booking/edit"
	expect.Lacks(t, "the form of one service", d.get(page).Text, `name="currency"`)
	d.want("a price of its own", d.change(page, "price.how", "one", "price.from", "1200", "pricing_band", ""), 303)
	d.write("catalog.yaml", strings.Replace(d.files()["catalog.yaml"], "price: 1200\n", "price: 4.8\n", 1))
	d.want("another value than the price 4.8", d.change(page, "summary", "All of it."), 303)
	expect.Holds(t, "catalog.yaml", d.files()["catalog.yaml"], "price: 4.8\n", "All of it.")
	d.want("a whole price", d.change(page, "price.from", "1200"), 303)
	made := d.change("business", "currency", "JPY")
	d.want("another currency", made, 303)
	d.want("the banner", d.get(made.to()), 200, "Currency: EUR € (European Union) → JPY ¥ (Japan)")
	d.want("an amount in another currency", d.post(page, d.filled(page, "price.from", "US$49")), 422,
		"US$49 is in USD, but this price is in JPY.")
}

func TestOptionsInLanguages(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "bakery")
	d.want("two sizes", d.change("services/cakes/edit", "pricing_band", "", "price.how", "options", "price.from", "",
		"price.to", "", "price.options.name", "Klein", "price.options.name.en", "Small", "price.options.price", "28"), 303)
	expect.Holds(t, "catalog.yaml", d.files()["catalog.yaml"], "- name:\n            de: Klein\n            en: Small\n          price: 28\n\n")
}

func TestChoices(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "bakery")
	d.shows("business", `<option value="EUR">EUR € (European Union)</option>
<option value="AED">AED (United Arab Emirates)</option>`, `<option value="ZMW">`)
	d.shows("answers/new", `<details class="part"><summary><h2>Further details</h2></summary>`)
	d.shows("services/new", `name="price.unit" value="" list="units-de" lang="de" dir="auto"`,
		`<datalist id="units-de"><option value="Stunde">`,
		`<datalist id="units-en"><option value="hour">`, `name="price.options.unit.en" value="" list="units-en"`,
		`<select id="pricing_band"`)
	unshared, _, _ := strings.Cut(d.files()["catalog.yaml"], "\npricing_bands:")
	d.write("catalog.yaml", unshared)
	expect.Lacks(t, "a form without a price to share", d.get("services/new").Text, "pricing_band")
}
