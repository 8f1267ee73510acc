package owner_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"frontdesk/content"
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
		d.want(t, page, d.send(t, http.MethodPost, page, formOf(d.get(t, page))), http.StatusUnprocessableEntity, "Nothing is different from before.")
	}
}

// TestPrecision shows the choices, a share of her own, and a setting that decides.
func TestPrecision(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.faq(t)
	d.want(t, "the way there", d.get(t, "/owner/answers"), http.StatusOK, `href="/owner/precision"`)
	d.want(t, "the choices", d.get(t, "/owner/precision"), http.StatusOK, `value="" checked> <span>Balanced: the usual choice. Of 100 questions, 87 find the right answer (66 directly`,
		`value="0.98"> <span>Careful`, "88 find the right answer", `value="0.85"> <span>Generous`, "each of your 60 other wordings")
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.950\n"+before), 0o600))
	d.want(t, "the usual share, written", d.get(t, "/owner/precision"), http.StatusOK, `value="0.950" checked> <span>Balanced`)
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.9\n"+before), 0o600))
	d.want(t, "a share of her own", d.get(t, "/owner/precision"), http.StatusOK, `value="0.9" checked> <span>As it is now: 0.9.`)

	d = newDeskOf(t, "bakery", func(c *owner.Config) { c.Precision = "0.97" }).signIn(t)
	fixed := d.get(t, "/owner/precision")
	d.want(t, "a setting", fixed, http.StatusOK, "FRONTDESK_ANSWER_PRECISION is set to 0.97", "<fieldset disabled", `value="0.97" checked`)
	if strings.Contains(fixed.Text, "Look first") {
		t.Error("what a setting decides can be changed")
	}
	d.want(t, "a form against it", d.send(t, http.MethodPost, "/owner/precision", url.Values{"form_token": formOf(fixed)["form_token"], "precision": {"0.98"}}), http.StatusConflict, "overrides this choice")
}

// TestSynonyms writes groups of words, one per line, and reads them again.
func TestSynonyms(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	const page = "/owner/synonyms"
	d.want(t, "the way there", d.get(t, "/owner/answers"), http.StatusOK, `href="`+page+`"`)
	form := formOf(d.get(t, page))
	form.Del("step")
	form.Set("synonyms", "roll, bun\n\n , cake,  gateau \n")
	d.want(t, "saved", d.send(t, http.MethodPost, page, form), http.StatusSeeOther)
	expect.Same(t, "what is live", [][]string{{"roll", "bun"}, {"cake", "gateau"}}, expect.Value(content.Load(os.DirFS(d.content)))(t).FAQ.Synonyms)
	d.want(t, "shown again", d.get(t, page), http.StatusOK, "\nroll, bun\ncake, gateau</textarea>")
	form = formOf(d.get(t, page))
	form.Set("synonyms", "roll")
	d.want(t, "one word", d.send(t, http.MethodPost, page, form), http.StatusUnprocessableEntity, "A group needs at least two words")
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
	d.want(t, "an amount in another currency", d.send(t, http.MethodPost, page, form), http.StatusUnprocessableEntity, "US$49 is in USD, but this price is in JPY.")
}

// TestChoices: a form offers all currencies, those of the country first, and common units in each language of the site.
func TestChoices(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	d.want(t, "currencies", d.get(t, "/owner/business"), http.StatusOK, `<option value="EUR">EUR € (European Union)</option>
<option value="AED">AED (United Arab Emirates)</option>`, `<option value="ZMW">`)
	d.want(t, "what is rarely needed is folded", d.get(t, "/owner/answers/new"), http.StatusOK, `<details class="part"><summary><h2>Further details</h2></summary>`)
	d.want(t, "units", d.get(t, "/owner/services/new"), http.StatusOK, `name="price.unit" value="" list="units-de" lang="de"`, `<datalist id="units-de"><option value="Stunde">`,
		`<datalist id="units-en"><option value="hour">`, `name="price.options.unit.en" value="" list="units-en"`)
}

// TestHours: a day has a first span in clocks and any other times as text. They are shown again as they were typed.
// With the checkbox, Tuesday to Friday get Monday's times.
func TestHours(t *testing.T) {
	expect.SkipInRace(t, "it makes one change after the other")
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	const page, monday = "/owner/business", "business.hours.mon"
	for _, tt := range []struct{ opens, closes, also, written, shown string }{
		{"09:00", "17:00", "", "mon: 09:00-17:00\n", "09:00 17:00 "},
		{"08:00", "12:00", "14–18, 19-20", "mon: 08:00-12:00, 14:00-18:00, 19:00-20:00\n", "08:00 12:00 14:00-18:00, 19:00-20:00"},
		{"", "", "9-17", "mon: 09:00-17:00\n", "09:00 17:00 "},
		{"18:00", "02:00", "", "mon: 18:00-02:00\n", "18:00 02:00 "},
		{"18:00", "00:00", "", "mon: 18:00-24:00\n", "18:00 00:00 "},
		{"", "", "24h", "mon: 00:00-24:00\n", "00:00 00:00 "},
		{"", "", "closed", "hours: # a day that is missing is closed\n    tue-fri", "  "},
		{"09:00", "", "", "", "09:00  "},
		{"", "", "nine to five", "", "  nine to five"},
		{"09:00", "12:00", "later", "", "09:00 12:00 later"},
	} {
		form := formOf(d.get(t, page))
		form.Del("step")
		form.Set(monday+".opens", tt.opens)
		form.Set(monday+".closes", tt.closes)
		form.Set(monday+".times", tt.also)
		sent := d.send(t, http.MethodPost, page, form)
		if tt.written == "" {
			d.want(t, tt.shown, sent, http.StatusUnprocessableEntity, "is not a time on Monday")
		} else {
			if sent.StatusCode == http.StatusOK { // an answer still says an old time
				d.want(t, tt.written, d.send(t, http.MethodPost, page, hiddenOf(sent)), http.StatusSeeOther)
			}
			expect.Holds(t, "catalog.yaml", d.files(t)["catalog.yaml"], tt.written)
			sent = d.get(t, page)
		}
		shown := formOf(sent)
		expect.Same(t, tt.written, tt.shown, strings.Join([]string{shown.Get(monday + ".opens"), shown.Get(monday + ".closes"), shown.Get(monday + ".times")}, " "))
	}
	d.change(t, page, monday+".opens", "10:00", monday+".closes", "18:00", monday+".times", "", "business.hours.same", "on")
	expect.Holds(t, "catalog.yaml", d.files(t)["catalog.yaml"], "mon-fri: 10:00-18:00\n    sat: 07:00-13:00\n")
}

// TestTypedAmounts types amounts as people write them, and wants those that are not understood refused with what was
// read.
func TestTypedAmounts(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	const page = "/owner/prices/essentials/edit"
	for _, tt := range []struct{ name, currency, from, to, want string }{
		{"dinar from 1000 on", "KWD", "1,000.500", "1200.750", "&#43;1000.500\n"},
		{"yen with a fraction of zeros", "JPY", "1200.00", "", "&#43;1200\n"},
		{"a price of zero has no open end", "EUR", "free", "", "&#43;0\n"},
		{"another currency", "BRL", "US$49", "60", "US$49 is in USD, but this price is in BRL."},
		{"too exact", "JPY", "1200.5", "", "1200.5 was read as 1200.5, but amounts in JPY have at most 0 digits after the point."},
		{"two readings", "KWD", "4,500", "", "4,500 can mean 4.500 or 4500. Write one of these."},
		{"no amount", "EUR", "a lot", "", "a lot is not an amount of EUR."},
	} {
		form := formOf(d.get(t, page))
		form.Set("currency", tt.currency)
		form.Set("from", tt.from)
		form.Set("to", tt.to)
		got := d.send(t, http.MethodPost, page, form)
		if strings.HasSuffix(tt.want, "\n") {
			d.want(t, tt.name, got, http.StatusOK, "Make it live", strings.TrimSpace(tt.want))
		} else {
			d.want(t, tt.name, got, http.StatusUnprocessableEntity, tt.want)
		}
	}
}
