package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"frontdesk/internal/expect"
	"frontdesk/mailer/mailtest"
	"frontdesk/test/harness"
)

// maxClicks is how often an owner may press, choose an option or choose a file until her desk is ready, and in the week
// after. Typing does not count.
const maxClicks = 75

// keeper is an owner who sets her desk up in a browser, and what she writes, in two languages: a text of the second
// follows its text of the first.
type keeper struct {
	name, language, second, kind, currency string // language is that of the pages
	business, address                      []string
	services                               [7][4]string // name, amount and unit
	answers                                [14][4]string
	unanswered                             [4]string // asked on the site before she answers it
	asked                                  [2]string // like one of the answers, in each language
}

var keepers = []keeper{
	{
		name: "tuner", language: "en", second: "cy", kind: "LocalBusiness", currency: "GBP",
		business: []string{"Rhiannon Pritchard, piano tuner", "Rhiannon Pritchard, tiwniwr pianos", "Tuning and repairs in Gwynedd.", "Tiwnio a thrwsio yng Ngwynedd."},
		address:  []string{"3 Stryd Fawr", "LL57 1AA", "Bangor", "GB", "+44 1248 555010", "Europe/London"},
		services: [7][4]string{
			{"Tuning", "Tiwnio", "75", "visit|ymweliad"}, {"Pitch raise", "Codi traw", "110", "visit|ymweliad"}, {"Repair", "Trwsio", "48", "hour|awr"},
			{"Key tops", "Wynebau nodau", "220", "set|set"}, {"Voicing", "Lleisio", "95", "visit|ymweliad"}, {"Valuation", "Prisio", "60", "piano|piano"}, {"Advice", "Cyngor", "", "|"},
		},
		answers: [14][4]string{
			{"How often should I tune my piano?", "Pa mor aml dylwn i diwnio fy mhiano?", "Twice a year.", "Ddwywaith y flwyddyn."},
			{"How long does a tuning take?", "Pa mor hir mae tiwnio'n cymryd?", "About ninety minutes.", "Tua naw deg munud."},
			{"Do you tune grand pianos?", "Ydych chi'n tiwnio pianos cyngerdd?", "Yes, of every make.", "Ydw, o bob math."},
			{"Do you work in schools?", "Ydych chi'n gweithio mewn ysgolion?", "Yes, in the holidays too.", "Ydw, yn y gwyliau hefyd."},
			{"Can you repair a broken string?", "Allwch chi drwsio llinyn wedi torri?", "Yes, usually on the same day.", "Gallaf, ar yr un diwrnod fel arfer."},
			{"Where should a piano stand?", "Ble dylai piano sefyll?", "Against an inside wall.", "Yn erbyn wal fewnol."},
			{"Do you buy old pianos?", "Ydych chi'n prynu hen bianos?", "No, but I know who does.", "Nac ydw, ond gwn pwy sydd."},
			{"Do you give invoices?", "Ydych chi'n rhoi anfonebau?", "Yes, by e-mail.", "Ydw, drwy e-bost."},
			{"Must I be quiet while you work?", "Oes rhaid bod yn dawel wrth i chi weithio?", "Please, yes.", "Oes, os gwelwch yn dda."},
			{"Is a digital piano tuned?", "Oes angen tiwnio piano digidol?", "No, never.", "Nac oes, byth."},
			{"Do you tune harps?", "Ydych chi'n tiwnio telynau?", "No, only pianos.", "Nac ydw, dim ond pianos."},
			{"Do you tune church organs?", "Ydych chi'n tiwnio organau eglwys?", "No, I recommend a builder.", "Nac ydw, rwy'n argymell adeiladwr."},
			{"What about humidity?", "Beth am leithder?", "Forty-five per cent is best.", "Pedwar deg pump y cant sydd orau."},
			{"May I watch?", "Gaf i wylio?", "With pleasure.", "Gyda phleser."},
		},
		unanswered: [4]string{"Do you teach apprentices to tune?", "Ydych chi'n dysgu prentisiaid?", "One each autumn.", "Un bob hydref."},
		asked:      [2]string{"how often should I tune my piano", "pa mor aml dylwn i diwnio fy mhiano"},
	},
	{
		name: "inn", language: "de", second: "en", kind: "Hotel", currency: "EUR",
		business: []string{"Berggasthof Almrose", "Almrose mountain inn", "Zimmer und Küche auf 1400 Metern.", "Rooms and food at 1400 metres."},
		address:  []string{"Almweg 1", "6370", "Kitzbühel", "AT", "+43 5356 55501", "Europe/Vienna"},
		services: [7][4]string{
			{"Doppelzimmer", "Double room", "118", "Nacht|night"}, {"Einzelzimmer", "Single room", "74", "Nacht|night"}, {"Lager", "Dormitory", "32", "Nacht|night"},
			{"Halbpension", "Half board", "38", "Person|person"}, {"Sauna", "Sauna", "15", "Abend|evening"}, {"Schlittenverleih", "Sledge hire", "8", "Tag|day"}, {"Gepäckbahn", "Luggage lift", "", "|"},
		},
		answers: [14][4]string{
			{"Sind Hunde erlaubt?", "Are dogs allowed?", "Ja, in den Zimmern im Erdgeschoss.", "Yes, in the ground-floor rooms."},
			{"Wie kommen wir hinauf?", "How do we get up?", "Zu Fuß in einer Stunde oder mit der Bahn.", "On foot in an hour, or by cable car."},
			{"Gibt es vegane Gerichte?", "Are there vegan dishes?", "Ja, jeden Tag zwei.", "Yes, two each day."},
			{"Wann gibt es Frühstück?", "When is breakfast?", "Von sieben bis zehn.", "From seven to ten."},
			{"Gibt es WLAN?", "Is there wifi?", "Nur in der Stube.", "Only in the parlour."},
			{"Haben die Zimmer ein Bad?", "Do the rooms have a bathroom?", "Alle bis auf das Lager.", "All but the dormitory."},
			{"Kann man Ski leihen?", "Can one hire skis?", "Im Tal, bei der Talstation.", "In the valley, at the lift."},
			{"Gibt es ein Kinderbett?", "Is there a cot?", "Ja, drei davon.", "Yes, three of them."},
			{"Nehmt ihr Gruppen?", "Do you take groups?", "Bis zwanzig Personen.", "Up to twenty people."},
			{"Darf man zelten?", "May one camp?", "Nein, wegen des Wildes.", "No, because of the game."},
			{"Ist der Weg im Winter geräumt?", "Is the path cleared in winter?", "Ja, jeden Morgen.", "Yes, every morning."},
			{"Kann man Hochzeiten feiern?", "Can one celebrate weddings?", "Ja, im Saal.", "Yes, in the hall."},
			{"Gibt es einen Trockenraum?", "Is there a drying room?", "Ja, im Keller.", "Yes, in the cellar."},
			{"Vermietet ihr Fahrräder?", "Do you rent bicycles?", "Nein, leider nicht.", "Sorry, no."},
		},
		unanswered: [4]string{"Spielt am Wochenende Musik?", "Is there music at weekends?", "Am Samstag ab acht.", "On Saturdays from eight."},
		asked:      [2]string{"sind hunde erlaubt", "are dogs allowed"},
	},
}

// TestTwoOwners leads two owners from init to a desk that is ready, and through the week after, on a phone and on a
// desk, without scripts: init, serve and the link of admin-link, and then only what the owner's pages offer.
func TestTwoOwners(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, k := range keepers {
		for _, s := range []screen{{phone, "dark"}, {wide, "light"}} {
			t.Run(fmt.Sprint(k.name, " ", s.width), func(t *testing.T) { k.run(t, b, s) })
		}
	}
}

// hand counts what an owner presses.
type hand struct {
	editing
	clicks int
}

// press presses what leads to another page.
func (h *hand) press(t *testing.T, selector string) {
	t.Helper()
	h.clicks++
	do(t, h.tab, pressed(selector), chromedp.WaitReady(chromedp.CSS("html:not([data-left]) footer.site")))
}

// fill types texts into fields, by their names.
func (h *hand) fill(t *testing.T, values ...string) {
	t.Helper()
	for i := 0; i < len(values); i += 2 {
		field := "main [name='" + values[i] + "']"
		h.clicks += evaluate[int](t, h.tab, fmt.Sprintf(`((part) => { for (const d of part) d.open = true; return part.length })([document.querySelector(%q).closest("details:not([open])")].filter((d) => d))`, field))
		h.editing.fill(t, field, values[i+1])
	}
}

func (h *hand) tick(t *testing.T, name string) {
	t.Helper()
	h.clicks++
	evaluate[bool](t, h.tab, fmt.Sprintf(`document.querySelector("main [name='%s']").checked = true`, name))
}

func (h *hand) choose(t *testing.T, name, value string) {
	t.Helper()
	h.clicks++
	h.fill(t, name, value)
}

func (h *hand) photo(t *testing.T, input string) {
	t.Helper()
	h.clicks++
	do(t, h.tab, chromedp.SetUploadFiles(chromedp.CSS("main [name='"+input+"']"), []string{expect.Value(filepath.Abs("test/browser/testdata/phone.jpg"))(t)}))
}

// save saves the form of a page. If an answer still says the old value, it confirms the change.
func (h *hand) save(t *testing.T, button string) {
	t.Helper()
	h.press(t, ".edit .actions "+button)
	isShown := func(selector string) bool {
		return evaluate[bool](t, h.tab, fmt.Sprintf("document.querySelector(%q) !== null", selector))
	}
	if isShown("[name=digest]") {
		h.press(t, "main .actions button")
	}
	if !isShown("main > .made") {
		t.Fatalf("it is not live: %s", read(t, h.tab, "main"))
	}
}

// goTo follows the navigation.
func (h *hand) goTo(t *testing.T, path string) {
	t.Helper()
	if link := "header nav a[href='" + path + "']"; !evaluate[bool](t, h.tab, fmt.Sprintf("document.querySelector(%q).checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})", link)) {
		h.clicks++
		do(t, h.tab, typed("header nav summary", "\r"), visible(link))
	}
	h.press(t, "header nav a[href='"+path+"']")
}

func (k keeper) run(t *testing.T, b browser, s screen) {
	folder, data := filepath.Join(t.TempDir(), k.name), t.TempDir()
	expect.OK(t, harness.Process(t.Context(), "init", folder).Run())
	_, site, _ := harness.StartProcess(t, "FRONTDESK_CONTENT="+folder, "FRONTDESK_DATA="+data)
	link := strings.TrimSpace(string(expect.Value(harness.Process(t.Context(), "admin-link", "--data", data).Output())(t)))
	base, _, _ := strings.Cut(link, "/owner/")
	h := &hand{editing: editing{tab: b.tab(t, s.width, false), screen: s, language: k.language, base: base, folder: folder, name: k.name}}
	do(t, h.tab, scheme(s.colours), chromedp.Navigate(link))
	h.press(t, "main form button")
	if k.language != "en" {
		h.press(t, "button[value="+k.language+"]")
	}

	h.goTo(t, "/owner/business")
	h.fill(t, "business.languages", k.language+"\n"+k.second)
	h.save(t, "button")
	in := func(name string) string { return name + "." + k.second }
	h.fill(t, "business.name", k.business[0], in("business.name"), k.business[1], "business.summary", k.business[2], in("business.summary"), k.business[3],
		"business.address.street", k.address[0], "business.address.postal_code", k.address[1], "business.address.city", k.address[2], "business.address.country", k.address[3],
		"business.phone", k.address[4], "business.time_zone", k.address[5], "business.email", "hello@"+k.name+".example", "business.hours.mon.opens", "09:00", "business.hours.mon.closes", "17:00",
		"business.coordinates.latitude", "", "business.coordinates.longitude", "", "business.special_hours.from", "", "business.special_hours.opens", "", "business.special_hours.closes", "",
		in("fallback"), k.unanswered[2], in("requests.name"), k.business[1], "business.payment", "", "statements", "")
	h.tick(t, "business.hours.same")
	h.choose(t, "business.kind", k.kind)
	h.choose(t, "currency", k.currency)
	h.save(t, "button")
	h.look(t, "business")

	h.press(t, ".tabs [href='/owner/services']")
	h.press(t, "[href='/owner/services/new']")
	for i, service := range k.services {
		unit, second, _ := strings.Cut(service[3], "|")
		h.fill(t, "name", service[0], in("name"), service[1], "summary", service[0]+".", in("summary"), service[1]+".", "description", service[0]+"!", in("description"), service[1]+"!",
			"price.from", service[2], "price.unit", unit, in("price.unit"), second, "picture_alt", service[0], in("picture_alt"), service[1])
		if service[2] == "" {
			h.choose(t, "price.how", "free")
		}
		h.photo(t, "picture.upload")
		h.save(t, another(i == len(k.services)-1))
	}
	h.look(t, "services")
	h.press(t, ".tabs [href='/owner/look']")
	h.photo(t, "brand.photo.upload")
	h.fill(t, "brand.photo_alt", k.business[0], in("brand.photo_alt"), k.business[1], "brand.accent", "#1d5c7a")
	h.save(t, "button")
	h.press(t, ".tabs [href='/owner/pages']")
	h.press(t, "[href='/owner/pages/privacy/edit']")
	page := func(text, second string) {
		h.fill(t, "text", "# "+text)
		if k.second == "en" { // there are no pages in Welsh
			h.fill(t, in("text"), "# "+second)
		}
		h.save(t, "button")
	}
	page(k.business[0], k.business[1])
	h.press(t, "[href='/owner/pages/home/edit']")
	page(k.business[2], k.business[3])

	h.goTo(t, "/owner/answers")
	h.press(t, "[href='/owner/answers/new']")
	for i, answer := range k.answers {
		h.fill(t, "question", answer[0], in("question"), answer[1], "answer", answer[2], in("answer"), answer[3])
		h.save(t, another(i == len(k.answers)-1))
	}

	mail := mailtest.Listen(t, mailtest.Options{})
	host, port, _ := strings.Cut(strings.TrimPrefix(mail.URL(), "smtp://"), ":")
	h.goTo(t, "/owner/")
	h.press(t, "[href='/owner/mail']")
	h.fill(t, "host", host, "port", strings.SplitN(port, "?", 2)[0], "from", "desk@"+k.name+".example", "to", "hello@"+k.name+".example")
	h.choose(t, "encryption", "none")
	h.press(t, ".edit .actions button")
	mail.Wait(1)

	h.goTo(t, "/owner/")
	h.look(t, "today")
	h.press(t, "[href='/owner/sample/remove']")
	h.look(t, "sample")
	h.press(t, ".actions button")
	if code, out, warnings := harness.Command(t, "check", folder); code != 0 || strings.Contains(warnings+out, "sample") {
		t.Errorf("check says\n%s%s", warnings, out)
	}

	reader := editing{tab: b.tab(t, s.width, false), base: site}
	ask := func(language, q, answer string) {
		t.Helper()
		reader.open(t, language+"/ask", "#q")
		do(t, reader.tab, typed("#q", q), pressed("#q"))
		expect.Holds(t, q, read(t, reader.tab, "main"), answer)
	}
	ask("", k.unanswered[0], k.unanswered[0])
	h.goTo(t, "/owner/questions")
	h.press(t, ".cards a")
	h.press(t, "[href^='/owner/answers/new?']")
	h.fill(t, in("question"), k.unanswered[1], "answer", k.unanswered[2], in("answer"), k.unanswered[3])
	h.save(t, "button")
	for q, answer := range map[[2]string]string{{"", k.unanswered[0]}: k.unanswered[2], {"/" + k.second, k.unanswered[1]}: k.unanswered[3],
		{"", k.asked[0]}: k.answers[0][2], {"/" + k.second, k.asked[1]}: k.answers[0][3]} {
		ask(q[0], q[1], answer)
	}

	h.goTo(t, "/owner/business")
	h.fill(t, "business.hours.mon.opens", "", "business.hours.mon.closes", "")
	h.save(t, "button")
	h.look(t, "made")
	h.press(t, ".made button")
	h.open(t, "/owner/business", "footer.site")
	expect.Holds(t, "the hours after the change was undone", evaluate[string](t, h.tab, `document.querySelector("[name='business.hours.mon.opens']").closest(".part").querySelector(".glance").textContent`), "Fr", " 09:00–17:00")
	for _, page := range [][2]string{{"/", k.business[2]}, {"/" + k.second, k.business[3]}, {"/pricing", k.services[0][0]}} {
		reader.open(t, page[0], "footer.site")
		expect.Holds(t, page[0], read(t, reader.tab, "body"), page[1])
		look(t, reader.tab, fmt.Sprintf("%s-site-%d%s", k.name, s.width, page[0]))
	}
	expect.Same(t, "photos of services", len(k.services), evaluate[int](t, reader.tab, `document.querySelectorAll(".sold img").length`))
	if t.Logf("%s at %d: %d clicks", k.name, s.width, h.clicks); h.clicks > maxClicks {
		t.Errorf("%d clicks, at most %d are wanted", h.clicks, maxClicks)
	}
}

// another is the button that saves an item, and, but for the last, begins another.
func another(isLast bool) string {
	if isLast {
		return "button"
	}
	return "[value=another]"
}
