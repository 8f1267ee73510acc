package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"frontdesk/internal/expect"
	"frontdesk/test/harness"
)

// written is a form of the owner's pages: where it is, and its fields by their names, each with
// its values. A name that is there several times is filled in from the first on.
type written struct {
	path   string
	fields [][]string
}

// pottery is what the owner of a pottery in Lisbon writes, in Portuguese and English.
var pottery = []written{
	{"/owner/business", [][]string{{"business.languages", "pt\nen"}}},
	{"/owner/business", [][]string{
		{"business.name", "Olaria da Graça"}, {"business.name.en", "Olaria da Graça"},
		{"business.summary", "Louça feita à mão na Graça, e aulas de roda."},
		{"business.summary.en", "Handmade tableware in Graça, and classes at the wheel."},
		{"business.kind", "HomeGoodsStore"},
		{"business.hours.tue", "10h–13h, 14h–19h"}, {"business.hours.wed", "10–13, 14–19"}, {"business.hours.thu", "10–13, 14–19"},
		{"business.hours.fri", "10–13, 14–19"}, {"business.hours.sat", "10–18"},
		{"business.closed.from", "2027-08-02"}, {"business.closed.to", "2027-08-22"},
		{"business.special_hours.from", "2026-12-24"}, {"business.special_hours.times", "10–13"},
		{"business.time_zone", "Europe/Lisbon"},
		{"business.address.street", "Rua do Exemplo 7"}, {"business.address.postal_code", "1170-000"}, {"business.address.city", "Lisboa"}, {"business.address.country", "PT"},
		{"business.phone", "+351 210 000 000"}, {"business.email", "ola@olaria.example"},
		{"business.payment", "dinheiro\ncartão\nMB Way"}, {"business.payment.en", "cash\ncard\nMB Way"},
		{"requests.name", "Mensagem"}, {"requests.name.en", "Message"},
		{"fallback", "Ainda não escrevemos resposta a isso. Escreva-nos."}, {"fallback.en", "We have not written an answer to that yet. Write to us."},
		{"statements", "As peças variam: são feitas à mão."}, {"statements.en", "Pieces vary: they are made by hand."},
	}},
	{"/owner/prices/new", [][]string{
		{"name", "Louça"}, {"name.en", "Tableware"},
		{"summary", "Peças de grés."}, {"summary.en", "Stoneware."},
		{"currency", "EUR"}, {"from", "4,80 €"}, {"to", "64 €"}, {"unit", "peça"}, {"unit.en", "piece"},
		{"options.name", "Chávena de café", "Prato"}, {"options.name.en", "Espresso cup", "Plate"}, {"options.price", "4,80 €", "22,50"},
	}},
	{"/owner/prices/new", [][]string{
		{"name", "Aulas"}, {"name.en", "Classes"},
		{"summary", "Barro e cozedura incluídos."}, {"summary.en", "Clay and firing included."},
		{"currency", "EUR"}, {"from", "38,50"}, {"to", ""}, {"unit", "aula"}, {"unit.en", "class"},
	}},
	{"/owner/services/new", [][]string{
		{"name", "Louça feita à mão"}, {"name.en", "Handmade tableware"},
		{"summary", "Chávenas, pratos e taças de grés."}, {"summary.en", "Cups, plates and bowls of stoneware."},
		{"description", "Cada peça é torneada, vidrada e cozida na oficina."}, {"description.en", "Each piece is thrown, glazed and fired in the workshop."},
		{"pricing_band", "louca"},
	}},
	{"/owner/services/new", [][]string{
		{"name", "Aulas de roda"}, {"name.en", "Classes at the wheel"},
		{"summary", "Duas horas, até seis pessoas."}, {"summary.en", "Two hours, up to six people."},
		{"description", "Aos sábados de manhã, sem experiência."}, {"description.en", "On Saturday mornings, without experience."},
		{"pricing_band", "aulas"},
	}},
	{"/owner/answers/new", [][]string{
		{"question", "Enviam para o estrangeiro?"}, {"question.en", "Do you ship abroad?"},
		{"answer", "Sim, para toda a União Europeia, em cinco dias."}, {"answer.en", "Yes, to all of the European Union, in five days."},
		{"alternates", "Fazem envios?\nPodem mandar pelo correio?"}, {"alternates.en", "Do you deliver?\nCan you send it by post?"},
	}},
	{"/owner/answers/new", [][]string{
		{"question", "Quanto custa uma chávena?"}, {"question.en", "How much is a cup?"},
		{"answer", "Uma chávena de café custa 4,80 €."}, {"answer.en", "An espresso cup is €4.80."},
		{"url", "/pricing"},
	}},
	{"/owner/pages/home/edit", [][]string{
		{"text", "# Barro, mãos e fogo\n\nNa Graça fazemos louça para todos os dias. Venha [fazer a sua](/pricing)."},
		{"text.en", "# Clay, hands and fire\n\nIn Graça we make tableware for every day. Come and [make your own](/pricing)."},
	}},
	{"/owner/pages/privacy/edit", [][]string{
		{"text", "# Privacidade\n\nGuardamos o que nos escreve para lhe responder."},
		{"text.en", "# Privacy\n\nWe keep what you write to us to answer you."},
	}},
}

// TestPottery leads from an empty folder to the live site of a pottery, in a browser on a phone without
// scripts: init, serve, the link of admin-link, and then only what the owner's pages offer, until
// nothing of the sample is left. Then callers get her answers, each in their own language.
func TestPottery(t *testing.T) {
	t.Parallel()
	folder, data := filepath.Join(t.TempDir(), "olaria"), t.TempDir()
	expect.OK(t, harness.Process(t.Context(), "init", folder).Run())
	_, site, _ := harness.StartProcess(t, "FRONTDESK_CONTENT="+folder, "FRONTDESK_DATA="+data)
	link := strings.TrimSpace(string(expect.Value(harness.Process(t.Context(), "admin-link", "--data", data).Output())(t)))
	base, _, _ := strings.Cut(link, "/owner/")
	b := startBrowser(t)
	o := editing{tab: b.tab(t, phone, false), screen: screen{phone, "light"}, language: "pt", base: base, folder: folder, name: "pottery"}
	do(t, o.tab, scheme(o.colours), chromedp.Navigate(link), pressed("main form button"), chromedp.WaitVisible(chromedp.CSS("nav")))
	do(t, o.tab, pressed("button[value=pt]"))
	o.look(t, "first")
	for i, form := range pottery {
		o.write(t, fmt.Sprint("form-", i+1), form)
	}
	o.open(t, "/owner/pictures/new", ".edit")
	do(t, o.tab, chromedp.SetUploadFiles(chromedp.CSS("#upload"), []string{expect.Value(filepath.Abs("test/browser/testdata/phone.jpg"))(t)}))
	o.send(t, "picture", [][]string{{"alt", "A roda"}, {"alt.en", "The wheel"}, {"use", "photo"}})
	o.write(t, "look", written{"/owner/look", [][]string{
		{"brand.logo", "assets/a-roda.jpg"}, {"brand.logo_alt", "Um pote"}, {"brand.logo_alt.en", "A pot"}, {"brand.accent", "#1d5c7a"},
	}})

	o.open(t, "/owner/", "[href='/owner/sample/remove']")
	o.look(t, "sample-left")
	do(t, o.tab, pressed("[href='/owner/sample/remove']"))
	o.confirm(t, "sample-removed")
	if today := read(t, o.tab, "main"); strings.Contains(today, "Ainda do exemplo") {
		t.Errorf("something of the sample is left: %s", today)
	}
	o.look(t, "last")
	code, out, warnings := harness.Command(t, "check", folder)
	if code != 0 || strings.Contains(warnings, "sample") {
		t.Errorf("check says\n%s%s", warnings, out)
	}

	reader := editing{tab: b.tab(t, phone, false), base: site}
	for path, asked := range map[string]struct{ q, answer string }{
		"/ask":    {"Vocês enviam para o estrangeiro?", "Sim, para toda a União Europeia, em cinco dias."},
		"/en/ask": {"Can you ship it abroad?", "Yes, to all of the European Union, in five days."},
	} {
		reader.open(t, path, "#q")
		do(t, reader.tab, chromedp.SendKeys(chromedp.CSS("#q"), asked.q), pressed("#q"))
		expect.Same(t, asked.q, asked.answer, read(t, reader.tab, ".answer .verbatim"))
	}
	for path, text := range map[string]string{"/": "Barro, mãos e fogo", "/en": "Clay, hands and fire", "/pricing": "4,80", "/en/faq": "How much is a cup?"} {
		reader.open(t, path, "main")
		if page := read(t, reader.tab, "body"); !strings.Contains(page, text) || strings.Contains(page, "Copper Lane") || strings.Contains(page, "icycle") {
			t.Errorf("%s shows %s", path, page)
		}
		look(t, reader.tab, "pottery-site"+path)
	}
}

func (o editing) write(t *testing.T, what string, form written) {
	t.Helper()
	o.open(t, form.path, ".edit")
	o.send(t, what, form.fields)
}

func (o editing) send(t *testing.T, what string, fields [][]string) {
	t.Helper()
	for _, field := range fields {
		for n, value := range field[1:] {
			evaluate[string](t, o.tab, fmt.Sprintf("document.querySelectorAll(%q)[%d].value = %q", "[name='"+field[0]+"']", n, value))
		}
	}
	do(t, o.tab, pressed(".edit .actions button"))
	o.confirm(t, what)
}
