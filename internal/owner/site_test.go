package owner_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
)

// undoAll undoes every change, the last one first.
func (d *desk) undoAll(t *testing.T) {
	t.Helper()
	for number := expect.Value(d.store.CountChanges(t.Context()))(t); number > 0; number-- {
		d.change(t, fmt.Sprintf("/owner/changes/%d/undo", number))
	}
}

// TestNothingIsChanged opens every form of a site in two languages and sends it as it is.
func TestNothingIsChanged(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	pages := []string{"/owner/business"}
	for _, service := range d.live.Content.Services {
		pages = append(pages, "/owner/services/"+service.ID+"/edit")
	}
	for _, entry := range d.live.Content.FAQ.Entries {
		if !entry.IsFact {
			pages = append(pages, "/owner/answers/"+entry.ID+"/edit")
		}
	}
	for _, band := range d.live.Content.Bands {
		pages = append(pages, "/owner/prices/"+band.ID+"/edit")
	}
	for _, page := range pages {
		d.want(t, page, d.post(t, page, formOf(d.get(t, page))), http.StatusUnprocessableEntity, "Nothing is different from before.")
	}
}

// TestPrecision shows the choices, a share of her own, and a setting that decides.
func TestPrecision(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.faq(t)
	d.shows(t, "/owner/answers", `href="/owner/precision"`)
	d.shows(t, "/owner/precision", `value="" checked> <span>Balanced: the usual choice. Of 100 questions, 87 find the right answer (66 directly`,
		`value="0.98"> <span>Careful`, "88 find the right answer", `value="0.85"> <span>Generous`, "each of your 60 other wordings")
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.950\n"+before), 0o600))
	d.shows(t, "/owner/precision", `value="0.950" checked> <span>Balanced`)
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.9\n"+before), 0o600))
	d.shows(t, "/owner/precision", `value="0.9" checked> <span>As it is now: 0.9.`)

	d = newDeskOf(t, "bakery", func(c *owner.Config) { c.Precision = "0.97" }).signIn(t)
	fixed := d.get(t, "/owner/precision")
	d.want(t, "a setting", fixed, http.StatusOK, "FRONTDESK_ANSWER_PRECISION is set to 0.97", "<fieldset disabled", `value="0.97" checked`)
	if strings.Contains(fixed.Text, "Look first") {
		t.Error("what a setting decides can be changed")
	}
	d.want(t, "a form against it", d.post(t, "/owner/precision", url.Values{"precision": {"0.98"}}), http.StatusConflict, "overrides this choice")
}

// TestCurrencyOfServices: the form of one service does not offer the currency of all, which the page of the business
// has, and the first price that a service has of its own brings its currency with it.
func TestCurrencyOfServices(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	const page = "/owner/services/online-booking/edit"
	if got := d.get(t, page); strings.Contains(got.Text, `name="currency"`) {
		t.Errorf("the form of one service offers the currency: %s", got.Text)
	}
	d.want(t, "a price of its own", d.change(t, page, "price.how", "one", "price.from", "1200", "pricing_band", ""), http.StatusSeeOther)
	expect.Same(t, "its currency", "EUR", formOf(d.get(t, "/owner/business")).Get("currency"))
	catalog := filepath.Join(d.content, "catalog.yaml")
	short := strings.Replace(string(expect.Value(os.ReadFile(catalog))(t)), "price: 1200\n", "price: 4.8\n", 1)
	expect.OK(t, os.WriteFile(catalog, []byte(short), 0o600))
	d.want(t, "another value than the price 4.8", d.change(t, page, "summary", "All of it."), http.StatusSeeOther)
	if text := string(expect.Value(os.ReadFile(catalog))(t)); !strings.Contains(text, "price: 4.8\n") || !strings.Contains(text, "All of it.") {
		t.Errorf("the price is another one, or nothing was changed:\n%s", text)
	}
	d.want(t, "a whole price", d.change(t, page, "price.from", "1200"), http.StatusSeeOther)
	made := d.change(t, "/owner/business", "currency", "JPY")
	d.want(t, "another currency", made, http.StatusSeeOther)
	d.want(t, "the banner", d.get(t, made.Header.Get("Location")), http.StatusOK, "Currency: EUR € (European Union) → JPY ¥ (Japan)")
	form := formOf(d.get(t, page))
	form.Set("price.from", "US$49")
	d.want(t, "an amount in another currency", d.post(t, page, form), http.StatusUnprocessableEntity, "US$49 is in USD, but this price is in JPY.")
}

// TestChoices: a form offers all currencies, those of the country first, and common units in each language of the site.
func TestChoices(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	d.shows(t, "/owner/business", `<option value="EUR">EUR € (European Union)</option>
<option value="AED">AED (United Arab Emirates)</option>`, `<option value="ZMW">`)
	d.shows(t, "/owner/answers/new", `<details class="part"><summary><h2>Further details</h2></summary>`)
	d.shows(t, "/owner/services/new", `name="price.unit" value="" list="units-de" lang="de"`, `<datalist id="units-de"><option value="Stunde">`,
		`<datalist id="units-en"><option value="hour">`, `name="price.options.unit.en" value="" list="units-en"`)
}
