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
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
)

// catalog is the text of catalog.yaml.
func (d *desk) catalog(t *testing.T) string {
	t.Helper()
	return string(expect.Value(os.ReadFile(filepath.Join(d.content, "catalog.yaml")))(t))
}

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
		pages = append(pages, "/owner/answers/"+entry.ID+"/edit")
	}
	for _, band := range d.live.Content.Bands {
		pages = append(pages, "/owner/prices/"+band.ID+"/edit")
	}
	for _, page := range pages {
		d.want(t, page, d.send(t, http.MethodPost, page, formOf(d.get(t, page))), http.StatusUnprocessableEntity, "Nothing is different from before.")
	}
}

// TestPrices corrects an amount as people type it, adds a price, gives it to a service, and
// removes both.
func TestPrices(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.catalog(t)
	d.want(t, "the list", d.get(t, "/owner/services"), http.StatusOK, "Sauerteigbrote", "€", `href="/owner/prices/loaf/edit"`, `aria-current="true">Services and prices`)

	form := formOf(d.get(t, "/owner/prices/piece/edit"))
	form.Set("to", "2,5 €")
	preview := d.send(t, http.MethodPost, "/owner/prices/piece/edit", form)
	d.want(t, "the change", preview, http.StatusOK, "Make it live", "2.50", "Please look at this too", "which is in none of your prices")
	d.want(t, "made", d.send(t, http.MethodPost, "/owner/prices/piece/edit", hiddenOf(preview)), http.StatusSeeOther)
	if got := d.live.Content.Bands[1]; got.ID != "piece" || got.To != "2.50" || !strings.Contains(d.catalog(t), "to: 2.50") {
		t.Errorf("the band is %+v", got)
	}
	options := formOf(d.get(t, "/owner/prices/loaf/edit"))
	expect.Same(t, "exact prices", []string{"4.20", "5.60", "7.80", "", "", ""}, options["options.price"])
	for key, row := range map[string][4]string{"options.name": {"", "", "", "Brioche"}, "options.name.en": {"", "", "", "Brioche"}, "options.price": {"", "5,7", "7.80", "6"}, "options.unit": {"", "", "", "Zopf"}, "options.unit.en": {"", "", "", "plait"}} {
		for at, text := range row {
			if text != "" || at == 0 { // the first is removed
				options[key][at] = text
			}
		}
	}
	d.want(t, "a price is removed and one added", d.send(t, http.MethodPost, "/owner/prices/loaf/edit", hiddenOf(d.send(t, http.MethodPost, "/owner/prices/loaf/edit", options))), http.StatusSeeOther)
	got := d.live.Content.In("en").Bands[0].Options
	if len(got) != 3 || got[0].Price != "5.70" || got[1].Price != "7.80" || got[2] != (contract.PriceOption{Name: "Brioche", Price: "6", Unit: "plait"}) {
		t.Errorf("the options are %+v", got)
	}
	options = formOf(d.get(t, "/owner/prices/loaf/edit"))
	options["options.price"][1] = "dear"
	d.want(t, "a wrong price", d.send(t, http.MethodPost, "/owner/prices/loaf/edit", options), http.StatusConflict, "no amount of EUR")
	options["options.price"][1] = ""
	d.want(t, "a missing price", d.send(t, http.MethodPost, "/owner/prices/loaf/edit", options), http.StatusConflict, "“Price” is empty.")
	for value, reason := range map[string]string{"4.80 $": "no amount of EUR", "cheap": "no amount of EUR", "1\nto: 9": "no amount of EUR"} {
		form := withValue(formOf(d.get(t, "/owner/prices/piece/edit")), "to", value)
		d.want(t, "to "+value, d.send(t, http.MethodPost, "/owner/prices/piece/edit", form), http.StatusConflict, reason)
	}

	form = formOf(d.get(t, "/owner/prices/new"))
	if form.Get("currency") != "EUR" {
		t.Errorf("a new price has the currency %q", form.Get("currency"))
	}
	d.change(t, "/owner/prices/new", "name", "Kurse", "name.en", "Classes", "summary", "Brot backen.", "summary.en", "Bake bread.", "from", "1.200,-", "to", "€ 1 450,50", "unit", "Kurs", "unit.en", "class", "after", "loaf")
	if got := d.live.Content.Bands[1]; got.ID != "kurse" || got.From != "1200" || got.To != "1450.50" || d.live.Content.In("en").Bands[1].Unit != "class" {
		t.Errorf("the new band is %+v", got)
	}
	d.want(t, "a text that is missing in a language", d.send(t, http.MethodPost, "/owner/prices/kurse/edit", withValue(formOf(d.get(t, "/owner/prices/kurse/edit")), "name.en", "")), http.StatusConflict, "“Name (English)” is empty.")
	d.change(t, "/owner/services/new", "name", "Backkurs", "name.en", "Baking class", "summary", "S", "summary.en", "S", "description", "D1\n\nD2", "description.en", "D", "includes", "Mehl\nWasser", "includes.en", "Flour\nWater", "pricing_band", "kurse", "after", "")
	if got := d.live.Content.Services[0]; got.ID != "backkurs" || got.PricingBand != "kurse" || got.Description != "D1\n\nD2" || len(got.Includes) != 2 || d.live.Content.In("en").Services[0].Includes[1] != "Water" {
		t.Errorf("the new service is %+v", got)
	}
	d.change(t, "/owner/services/backkurs/edit", "includes.en", "Water\nSalt", "audience", "Alle", "audience.en", "Alle", "lang", "de")
	if got := d.live.Content.Services[0]; got.Audience != "Alle" || got.Lang != "de" || !strings.Contains(d.catalog(t), "audience: Alle\n") {
		t.Errorf("the service is %+v", got)
	}

	d.want(t, "a price that is used", d.get(t, "/owner/prices/kurse/remove"), http.StatusUnprocessableEntity, "still in use", "Please change these first: “Backkurs”")
	d.want(t, "in German", d.get(t, "/owner/prices/kurse/remove", "Accept-Language: de"), http.StatusUnprocessableEntity, "„Backkurs“")
	d.change(t, "/owner/answers/vegan/edit", "url", "/pricing#backkurs")
	d.want(t, "a service that is named elsewhere", d.get(t, "/owner/services/backkurs/remove"), http.StatusOK, "It is named here too", "/owner/answers/vegan/edit")
	d.change(t, "/owner/services/backkurs/remove")
	d.change(t, "/owner/prices/kurse/remove")
	d.undoAll(t)
	expect.Same(t, "catalog.yaml after all is undone", before, d.catalog(t))
}

// withValue is a form with another value.
func withValue(form url.Values, key, value string) url.Values {
	form.Set(key, value)
	return form
}

// TestBusiness changes the business, its hours and closed days, and the fallback, which is in
// another file.
func TestBusiness(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	catalog, faq := d.catalog(t), d.faq(t)
	const page = "/owner/business"
	form := formOf(d.get(t, page))
	for day, times := range map[string]string{"tue": "06:30-18:00", "fri": "06:30-18:00", "sat": "07:00-13:00", "mon": ""} {
		expect.Same(t, "the hours of "+day, times, form.Get("business.hours."+day))
	}
	form.Set("business.hours.tue", "8-12 und 14–18:30")
	form.Set("business.hours.wed", "8:00 to 12:00, 2pm to 6.30pm")
	form.Set("business.hours.sun", "")
	form["business.closed.from"], form["business.closed.to"] = []string{"", "2027-05-01", "2027-08-02"}, []string{"", "", "2027-08-20"}
	form.Set("business.address.street", "Neue Straße 1 & 2")
	form.Set("business.phone", "")
	form.Set("requests.ask_business", "true")
	form.Set("business.tone", "informal")
	form.Set("fallback.en", "Please write to us.")
	form.Set("business.coordinates.latitude", "47.99")
	form["business.profiles.name"], form["business.profiles.name.en"], form["business.profiles.url"] = []string{"Karte", ""}, []string{"Map", ""}, []string{"https://maps.example/x", ""}
	form.Set("trials", "false")
	form.Set("content_signal", "off")
	form.Set("statements", "Wir liefern nicht.")
	form.Set("statements.en", "We do not deliver.")
	preview := d.send(t, http.MethodPost, page, form)
	d.want(t, "the change", preview, http.StatusOK, "Make it live", "catalog.yaml", "faq.yaml")
	d.want(t, "made", d.send(t, http.MethodPost, page, hiddenOf(preview)), http.StatusSeeOther)
	got := d.live.Content
	expect.Same(t, "hours", []contract.OpeningHours{
		{Days: []string{"tue", "wed"}, Opens: "08:00", Closes: "12:00"}, {Days: []string{"tue", "wed"}, Opens: "14:00", Closes: "18:30"},
		{Days: []string{"thu", "fri"}, Opens: "06:30", Closes: "18:00"}, {Days: []string{"sat"}, Opens: "07:00", Closes: "13:00"},
	}, got.Business.Hours)
	expect.Same(t, "closed", []contract.Days{{From: "2027-05-01", To: "2027-05-01"}, {From: "2027-08-02", To: "2027-08-20"}}, got.Business.Closed)
	if got.Business.Address.Street != "Neue Straße 1 & 2" || got.Business.Phone != "" || !got.AskBusiness || got.Business.Tone != "informal" || got.FAQ.FallbackIn("en") != "Please write to us." || got.In("en").Statements[0] != "We do not deliver." {
		t.Errorf("the business is %+v", got.Business)
	}
	if at := got.Business.Coordinates; at == nil || at.Latitude != 47.99 || got.Trials || got.ContentSignal != "off" {
		t.Errorf("the business is %+v", got.Business)
	}
	expect.Same(t, "elsewhere", []contract.Profile{{Name: "Map", URL: "https://maps.example/x"}}, got.In("en").Profiles)
	special := formOf(d.get(t, page))
	special["business.special_hours.from"], special["business.special_hours.to"], special["business.special_hours.times"] = []string{"2027-12-24"}, []string{"2027-12-26"}, []string{"9-12"}
	d.want(t, "other hours", d.send(t, http.MethodPost, page, hiddenOf(d.send(t, http.MethodPost, page, special))), http.StatusSeeOther)
	if hours := d.live.Content.Business.SpecialHours; len(hours) != 1 || hours[0].From != "2027-12-24" || hours[0].To != "2027-12-26" || hours[0].Opens != "09:00" {
		t.Errorf("days open otherwise: %+v", hours)
	}
	d.change(t, page, "business.hours.sat", "7 - 14", "business.coordinates.latitude", "", "business.coordinates.longitude", "")
	if text := d.catalog(t); d.live.Content.Business.Coordinates != nil || !strings.Contains(text, "\n    sat: 07:00-14:00\n") {
		t.Errorf("one day's hours are not changed alone:\n%s", text)
	}
	d.undoAll(t)
	expect.Same(t, "catalog.yaml after all is undone", catalog, d.catalog(t))
	expect.Same(t, "faq.yaml after all is undone", faq, d.faq(t))

	for key, value := range map[string]string{
		"business.hours.mon": "always", "business.special_hours.times": "never", "business.closed.to": "2020-01-01", "business.closed.from": "2027-01-01]\nx: [y", "business.kind": "Circus",
		"business.languages": "xx-nothing", "requests.ask_business": "true\ntrials: true", "business.address.city": "", "business.address.country": "Germany", "business.email": "nobody", "business.coordinates.latitude": "north",
	} {
		form := withValue(formOf(d.get(t, page)), key, value)
		if got := d.send(t, http.MethodPost, page, form); got.StatusCode < 400 {
			t.Errorf("%s = %q: %d", key, value, got.StatusCode)
		}
	}
	expect.Same(t, "catalog.yaml", catalog, d.catalog(t))
}

// TestOneLanguage: without further languages a text has one field, and stays one text.
func TestOneLanguage(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	shown := d.get(t, "/owner/business")
	d.want(t, "the form", shown, http.StatusOK, `name="business.name"`)
	if strings.Contains(shown.Text, "(English)") {
		t.Error("the only language is named")
	}
	d.change(t, "/owner/business", "business.name", "Linden", "business.address.street", "Long Road 5", "business.address.city", "Leeds", "business.hours.mon", "9-17", "business.hours.tue", "9-17")
	if got := d.live.Content.Business; got.Name != "Linden" || got.Address.Street != "Long Road 5" || len(got.Hours) != 1 || !strings.Contains(d.catalog(t), "mon-tue: 09:00-17:00") {
		t.Errorf("the business is %+v", got)
	}
	d.change(t, "/owner/business", "business.address.street", "", "business.address.city", "", "business.hours.mon", "", "business.hours.tue", "")
	if got := d.live.Content.Business; got.Address != nil || len(got.Hours) > 0 || strings.Contains(d.catalog(t), "\n  address:") {
		t.Errorf("the business is %+v", got)
	}
	expect.OK(t, expect.ErrorOf(content.Load(os.DirFS(d.content))))
}

// TestPages changes a page in two languages, adds one, renames it and removes it.
func TestPages(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	read := func(name string) string {
		t.Helper()
		return string(expect.Value(os.ReadFile(filepath.Join(d.content, "pages", name)))(t))
	}
	home := read("home.md")
	d.want(t, "the list", d.get(t, "/owner/pages"), http.StatusOK, `href="/owner/pages/home/edit"`, `aria-current="true">Pages`)
	d.want(t, "a page as it is", d.send(t, http.MethodPost, "/owner/pages/home/edit", formOf(d.get(t, "/owner/pages/home/edit"))), http.StatusUnprocessableEntity, "Nothing is different")
	d.change(t, "/owner/pages/home/edit", "text", "# Hallo\r\n\r\n[Preise](/pricing)")
	expect.Same(t, "the page", "# Hallo\n\n[Preise](/pricing)\n", read("home.md"))
	d.change(t, "/owner/pages/new", "name", "Über uns", "text", "# Über uns\n\nSeit 1950.", "text.en", "# About us\n\nSince 1950.")
	expect.Same(t, "the new page", "# About us\n\nSince 1950.\n", read("en/uber-uns.md"))
	form := withValue(formOf(d.get(t, "/owner/pages/uber-uns/edit")), "text.en", "")
	form.Set("text", "# Über uns\n\n<script>alert(1)</script>\n\n[x](/nowhere)")
	d.want(t, "a link that leads nowhere", d.send(t, http.MethodPost, "/owner/pages/uber-uns/edit", form), http.StatusUnprocessableEntity, "there is no such page")
	d.change(t, "/owner/pages/uber-uns/edit", "name", "../../../faq", "text.en", "")
	expect.Same(t, "the renamed page", "# Über uns\n\nSeit 1950.\n", read("faq.md"))
	for _, name := range []string{"uber-uns.md", "en/uber-uns.md"} {
		if _, err := os.Stat(filepath.Join(d.content, "pages", name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range []string{"mcp", "/"} {
		form := withValue(withValue(formOf(d.get(t, "/owner/pages/new")), "name", name), "text", "x")
		if got := d.send(t, http.MethodPost, "/owner/pages/new", form); name == "mcp" && got.StatusCode < 400 {
			t.Errorf("a page takes the address %s: %d", name, got.StatusCode)
		}
	}
	for _, id := range []string{"..%2Ffaq.yaml", "nowhere"} {
		d.want(t, id, d.get(t, "/owner/pages/"+id+"/edit"), http.StatusNotFound)
	}
	d.change(t, "/owner/pages/faq/remove")
	d.undoAll(t)
	expect.Same(t, "the page after all is undone", home, read("home.md"))
}

// TestPrecision makes the answers more careful and takes that back, finds a share of her own, and a setting that decides.
func TestPrecision(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	before := d.faq(t)
	d.want(t, "the way there", d.get(t, "/owner/answers"), http.StatusOK, `href="/owner/precision"`)
	d.want(t, "the choices", d.get(t, "/owner/precision"), http.StatusOK, `value="" checked> <span>Balanced: the usual choice. Of 100 questions 87 get their answer, 66 of them`,
		`value="0.98"> <span>Careful`, "88 get their answer", `value="0.85"> <span>Generous`, "each of your 60 other wordings")
	d.change(t, "/owner/precision", "precision", "0.98")
	expect.Same(t, "the precision", 0.98, d.live.Content.FAQ.Precision)
	fallback, entries, _ := strings.Cut(before, "\nentries:")
	expect.Same(t, "the file", strings.TrimRight(fallback, "\n")+"\nprecision: 0.98\n"+strings.Repeat("\n", len(fallback)-len(strings.TrimRight(fallback, "\n")))+"entries:"+entries, d.faq(t))
	d.want(t, "chosen", d.get(t, "/owner/precision"), http.StatusOK, `value="0.98" checked`)
	d.change(t, "/owner/precision", "precision", "")
	expect.Same(t, "the file after the usual choice", before, d.faq(t))

	for _, value := range []string{"0.3", "1", "0.9\nfallback: x"} {
		form := withValue(formOf(d.get(t, "/owner/precision")), "precision", value)
		d.want(t, "a value that no one can choose", d.send(t, http.MethodPost, "/owner/precision", form), http.StatusConflict, "please choose one of the list")
	}
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.950\n"+before), 0o600))
	d.want(t, "the usual share, written", d.get(t, "/owner/precision"), http.StatusOK, `value="0.950" checked> <span>Balanced`)
	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("precision: 0.9\n"+before), 0o600))
	d.want(t, "a share of her own", d.get(t, "/owner/precision"), http.StatusOK, `value="0.9" checked> <span>As it is now: 0.9.`)

	d = newDeskOf(t, "bakery", func(c *owner.Config) { c.Precision = "0.97" }).signIn(t)
	fixed := d.get(t, "/owner/precision")
	d.want(t, "a setting", fixed, http.StatusOK, "The setting FRONTDESK_ANSWER_PRECISION is 0.97.", "<fieldset disabled", `value="0.97" checked`)
	if strings.Contains(fixed.Text, "Look at the change") {
		t.Error("what a setting decides can be changed")
	}
	d.want(t, "a form against it", d.send(t, http.MethodPost, "/owner/precision", url.Values{"form_token": formOf(fixed)["form_token"], "precision": {"0.98"}}), http.StatusConflict, "It decides")
}
