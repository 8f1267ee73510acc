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

// maxClicks bounds presses, choices of an option and of a file. Typing does not count.
const maxClicks = 56

// keeper is an owner and what she writes: each text in one language and then in the second.
type keeper struct {
	name, language, second, kind, currency string // language is that of the pages
	business, address                      string
	services                               string // names, amount and units
	answers                                string // the last question is asked on the site before she answers it
}

var keepers = []keeper{
	{
		name: "tuner", language: "en", second: "cy", kind: "LocalBusiness", currency: "GBP",
		business: "Rhiannon Pritchard, piano tuner|Rhiannon Pritchard, tiwniwr pianos|In Gwynedd.|Yng Ngwynedd.",
		address:  "3 Stryd Fawr|LL57 1AA|Bangor|GB|+44 1248 555010|Europe/London",
		services: `Tuning|Tiwnio|75|visit|ymweliad
Repair|Trwsio|48|hour|awr
Advice|Cyngor|||`,
		answers: `How often should I tune my piano?|Pa mor aml dylwn i diwnio fy mhiano?|Twice a year.|Ddwywaith y flwyddyn.
Do you tune grand pianos?|Ydych chi'n tiwnio pianos cyngerdd?|Yes.|Ydw.
May I watch?|Gaf i wylio?|With pleasure.|Gyda phleser.
Do you teach apprentices to tune?|Ydych chi'n dysgu prentisiaid?|One each autumn.|Un bob hydref.`,
	},
	{
		name: "inn", language: "de", second: "en", kind: "Hotel", currency: "EUR",
		business: "Berggasthof Almrose|Almrose mountain inn|Zimmer auf 1400 Metern.|Rooms at 1400 metres.",
		address:  "Almweg 1|6370|Kitzbühel|AT|+43 5356 55501|Europe/Vienna",
		services: `Doppelzimmer|Double room|118|Nacht|night
Lager|Dormitory|32|Nacht|night
Gepäckbahn|Luggage lift|||`,
		answers: `Sind Hunde erlaubt?|Are dogs allowed?|Ja, im Erdgeschoss.|Yes, on the ground floor.
Wie kommen wir hinauf?|How do we get up?|Mit der Bahn.|By cable car.
Wann gibt es Frühstück?|When is breakfast?|Von sieben bis zehn.|From seven to ten.
Spielt am Wochenende Musik?|Is there music at weekends?|Am Samstag ab acht.|On Saturdays from eight.`,
	},
}

func rows(table string) (rows [][]string) {
	for line := range strings.SplitSeq(table, "\n") {
		rows = append(rows, strings.Split(line, "|"))
	}
	return rows
}

// Two owners get from init and admin-link to a ready desk, and through the week after, by their pages only, on a phone
// and a wide screen.
func TestTwoOwners(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for i, s := range []screen{{phone, "dark"}, {wide, "light"}} {
		t.Run(keepers[i].name, func(t *testing.T) { keepers[i].run(t, b, s) })
	}
}

type hand struct {
	editing
	second string // language
	clicks int
}

func (h *hand) press(t *testing.T, selector string) {
	t.Helper()
	h.clicks++
	do(t, h.tab, pressed(selector), ready("html:not([data-left]) footer.site"))
}

// fill types texts into fields, by their names; + is the second language. Without texts it empties them.
func (h *hand) fill(t *testing.T, names string, values ...string) {
	t.Helper()
	for i, name := range strings.Fields(strings.ReplaceAll(names, "+", "."+h.second)) {
		field, value := "main [name='"+name+"']", ""
		if len(values) > 0 {
			value = values[i]
		}
		h.clicks += evaluate[int](t, h.tab, fmt.Sprintf(`(() => {
			const folded = document.querySelector(%q).closest("details:not([open])");
			return folded ? (folded.open = true, 1) : 0;
		})()`, field))
		h.editing.fill(t, field, value)
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
	file := expect.Value(filepath.Abs("test/browser/testdata/phone.jpg"))(t)
	do(t, h.tab, chromedp.SetUploadFiles(chromedp.CSS("main [name='"+input+"']"), []string{file}))
}

func (h *hand) save(t *testing.T, button string) {
	t.Helper()
	h.press(t, ".edit .actions "+button)
	if has(t, h.tab, "[name=digest]") {
		h.press(t, "main .actions button")
	}
	if !has(t, h.tab, "main > .made") {
		t.Fatalf("it is not live: %s", read(t, h.tab, "main"))
	}
}

func (h *hand) goTo(t *testing.T, path string) {
	t.Helper()
	link := "header nav a[href='" + path + "']"
	if !evaluate[bool](t, h.tab, fmt.Sprintf(`document.querySelector(%q).checkVisibility(
		{contentVisibilityAuto: true, visibilityProperty: true})`, link)) {
		h.clicks++
		do(t, h.tab, typed("header nav summary", "\r"), visible(link))
	}
	h.press(t, link)
}

func (k keeper) run(t *testing.T, b browser, s screen) {
	folder, data := filepath.Join(t.TempDir(), k.name), t.TempDir()
	expect.OK(t, harness.Process(t.Context(), "init", folder).Run())
	_, site, _ := harness.StartProcess(t, "FRONTDESK_CONTENT="+folder, "FRONTDESK_DATA="+data)
	link := strings.TrimSpace(string(expect.Value(harness.Process(t.Context(), "admin-link", "--data", data).Output())(t)))
	base, _, _ := strings.Cut(link, "/owner/")
	h := &hand{second: k.second, editing: editing{b.tab(t, s.width, false), s, k.language, base, folder, k.name}}
	business, services, answers := strings.Split(k.business, "|"), rows(k.services), rows(k.answers)
	last := len(answers) - 1
	unanswered := answers[last]
	do(t, h.tab, scheme(s.colours), visit(link))
	h.press(t, "main form button")
	if k.language != "en" {
		h.press(t, "button[value="+k.language+"]")
	}

	h.goTo(t, "/owner/business")
	h.fill(t, "business.languages", k.language+"\n"+k.second)
	h.save(t, "button")
	h.fill(t, "business.name business.name+ business.summary business.summary+ requests.name+ fallback+ business.email",
		append(business, business[1], unanswered[2], "hello@"+k.name+".example")...)
	h.fill(t, `business.address.street business.address.postal_code business.address.city business.address.country
		business.phone business.time_zone`, strings.Split(k.address, "|")...)
	h.fill(t, "business.hours.mon.opens business.hours.mon.closes", "09:00", "17:00")
	h.fill(t, `business.coordinates.latitude business.coordinates.longitude business.special_hours.from
		business.special_hours.opens business.special_hours.closes business.payment statements`)
	h.tick(t, "business.hours.same")
	h.choose(t, "business.kind", k.kind)
	h.choose(t, "currency", k.currency)
	h.save(t, "button")
	h.look(t, "business")

	h.press(t, ".tabs [href='/owner/services']")
	h.press(t, "[href='/owner/services/new']")
	for i, service := range services {
		first, second := service[0], service[1]
		h.fill(t, `name name+ summary summary+ description description+ picture_alt picture_alt+ price.from price.unit
			price.unit+`, append([]string{first, second, first, second, first, second}, service...)...)
		if service[2] == "" {
			h.choose(t, "price.how", "free")
		}
		h.photo(t, "picture.upload")
		h.save(t, another(i == len(services)-1))
	}
	h.look(t, "services")
	h.press(t, ".tabs [href='/owner/look']")
	h.photo(t, "brand.photo.upload")
	h.fill(t, "brand.photo_alt brand.photo_alt+ brand.accent", business[0], business[1], "#1d5c7a")
	h.save(t, "button")
	h.press(t, ".tabs [href='/owner/pages']")
	h.press(t, "[href='/owner/pages/privacy/edit']")
	page := func(text, second string) {
		h.fill(t, "text", "# "+text)
		if k.second == "en" { // there are no pages in Welsh
			h.fill(t, "text+", "# "+second)
		}
		h.save(t, "button")
	}
	page(business[0], business[1])
	h.press(t, "[href='/owner/pages/home/edit']")
	page(business[2], business[3])

	h.goTo(t, "/owner/answers")
	h.press(t, "[href='/owner/answers/new']")
	for i, answer := range answers[:last] {
		h.fill(t, "question question+ answer answer+", answer...)
		h.save(t, another(i == last-1))
	}

	mail := mailtest.Listen(t, mailtest.Options{})
	host, port, _ := strings.Cut(strings.TrimPrefix(mail.URL(), "smtp://"), ":")
	h.goTo(t, "/owner/")
	h.press(t, "[href='/owner/mail']")
	h.fill(t, "host port from to", host, strings.SplitN(port, "?", 2)[0], "desk@inn.example", "hello@inn.example")
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
	ask("", unanswered[0], unanswered[0])
	h.goTo(t, "/owner/questions")
	for evaluate[bool](t, h.tab, `!document.querySelector(".cards")`) { // it is stored soon
		h.open(t, "/owner/questions", "footer.site")
	}
	h.press(t, ".cards a")
	h.press(t, "[href^='/owner/answers/new?']")
	h.fill(t, "question+ answer answer+", unanswered[1:]...)
	h.save(t, "button")
	for i, language := range []string{"", "/" + k.second} {
		ask(language, unanswered[i], unanswered[2+i])
		ask(language, strings.ToLower(strings.TrimSuffix(answers[0][i], "?")), answers[0][2+i])
	}

	h.goTo(t, "/owner/business")
	h.fill(t, "business.hours.mon.opens business.hours.mon.closes")
	h.save(t, "button")
	h.look(t, "made")
	h.press(t, ".made button")
	h.open(t, "/owner/business", "footer.site")
	hours := evaluate[string](t, h.tab, `document.querySelector("[name='business.hours.mon.opens']").closest(".part")
		.querySelector(".glance").textContent`)
	expect.Holds(t, "the hours after the change was undone", hours, "Fr", " 09:00–17:00")
	for _, page := range [][2]string{{"/", business[2]}, {"/" + k.second, business[3]}, {"/pricing", services[0][0]}} {
		reader.open(t, page[0], "footer.site")
		expect.Holds(t, page[0], read(t, reader.tab, "body"), page[1])
		look(t, reader.tab, fmt.Sprintf("%s-site-%d%s", k.name, s.width, page[0]))
	}
	photos := evaluate[int](t, reader.tab, `document.querySelectorAll(".sold img").length`)
	expect.Same(t, "photos of services", len(services), photos)
	t.Logf("%s at %d: %d clicks", k.name, s.width, h.clicks)
	expect.AtMost(t, "clicks", maxClicks, h.clicks)
}

func another(isLast bool) string {
	if isLast {
		return "button"
	}
	return "[value=another]"
}
