package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

const adminToken = "0123456789abcdef"

// startOwned starts a bakery with the owner's pages and a year of records.
func startOwned(t *testing.T) *harness.Desk {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	expect.OK(t, expect.ErrorOf(content.Init(dir, "bakery")))
	d := harness.Start(t, func(s *config.Settings) {
		harness.WithAdmin(s)
		s.Content, s.AdminToken, s.KeepAnswered.Text = dir, adminToken, "true"
	})
	fillYear(t, d.Store())
	return d
}

var (
	senders    = []string{"Ada Lovelace", "Grace Hopper", "Konrad Zuse", "Alan Turing", "Emmy Noether", "Hedy Lamarr", "Sophie Germain"}
	businesses = []string{"Analytical Engines Ltd", "Café am Markt", "Hotel Zur Post", "Kindergarten Sonnenblume", "Tischlerei Brandt & Söhne", "Cobol Consulting", "Gasthaus Adler"}
	messages   = []string{
		"Hello, we would like 40 rolls and two cakes for Saturday morning, 8 o'clock. Can you deliver to the market square?",
		"Do you bake a gluten-free cake for about twelve people? One of the children must not eat wheat.",
		"We are planning a summer party with 120 guests and would like an offer for bread, rolls and pretzels.\n\nPlease call in the afternoon.",
		"Könnten Sie uns jeden Tag um 6 Uhr beliefern? Wir brauchen etwa 60 Brötchen und zehn Brote.",
	}
	subjects   = []string{"sourdough bread", "birthday cakes", "the pretzels", "rye rolls", "wedding cakes", "oat milk", "gift vouchers", "parking", "Sunday opening", "vegan croissants"}
	answeredBy = []string{"hours", "address", "payment", "vegan", "gluten", "allergens", "storage"}
	openings   = []string{"Do you have", "How much are", "Can I order", "When are you out of", "Is it possible to reserve", "Do you deliver", "What is in", "Are there allergens in", "May I return", "Where do you get the flour for"}
)

func inquiryID(n int) string { return fmt.Sprintf("inq_%026d", n) }

// fillYear stores a hundred inquiries, questions without an answer and answers, more than
// a page of each, and the counts of a year.
func fillYear(t *testing.T, store *records.Store) {
	t.Helper()
	now := time.Now()
	states := []records.State{records.Sent, records.Sent, records.Sent, records.Sent, records.Sent, records.Sent, records.Sent, records.Failed, records.Quarantined, records.Unknown}
	for n := range 100 {
		sender := senders[n%len(senders)]
		email := strings.ToLower(strings.ReplaceAll(sender, " ", ".")) + "@example.com"
		inquiry := records.Inquiry{
			ID: inquiryID(n), MessageID: inquiryID(n) + "@desk.example", Name: sender, Email: email,
			Business: businesses[(n/3)%len(businesses)], Message: messages[n%len(messages)],
			Subject: "Request from " + businesses[(n/3)%len(businesses)], Text: "A request came in.\n\n" + messages[n%len(messages)],
			From: "desk@desk.example", To: "owner@desk.example", State: states[(n/2)%len(states)], CreatedAt: now.Add(-time.Duration(n) * 8 * time.Hour),
		}
		if inquiry.State == records.Failed {
			inquiry.Detail = "RCPT TO: 550 5.1.1 <owner@desk.example>: Recipient address rejected: User unknown"
		}
		if n > 40 && n%4 != 0 {
			inquiry.DoneAt = inquiry.CreatedAt.Add(time.Hour)
		}
		if n < 12 && n%3 == 1 {
			inquiry.AnsweredAt, inquiry.Note = inquiry.CreatedAt.Add(time.Hour), "Rings back on Friday about the cake."
		}
		if n == 3 {
			inquiry.Question = "Do you deliver on Saturdays?"
			inquiry.Business = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüssel-Manufaktur"
			inquiry.Phone, inquiry.Segment = "+49 761 555 0199", "Shipping"
		}
		expect.OK(t, expect.ErrorOf(store.AddInquiry(t.Context(), inquiry, records.Key{})))
	}
	var batch records.Batch
	for n := range 100 {
		q := fmt.Sprintf("%s %s for %d people on day %d", openings[n%10], subjects[(n/10)%10], 2+n/1000, (n/100)%10)
		batch.Questions = append(batch.Questions, records.Question{
			Key: content.QuestionKey(q), Q: q + "?", Unanswered: 1 + (n*7919)%13, LastAt: now.Add(-time.Duration(n) * time.Minute),
		})
	}
	for n := range 100 {
		q := fmt.Sprintf("%s %s in week %d", openings[n%10], subjects[(n/10)%10], n/100)
		answer := records.Answered{
			Key: content.QuestionKey(q), Q: q + "?", EntryID: answeredBy[n%len(answeredBy)], Match: contract.MatchSelector, Confidence: .97,
			Asked: 1 + (n*7919)%29, LastAt: now.Add(-time.Duration(n) * time.Hour),
		}
		batch.Answers = append(batch.Answers, answer)
		if n%40 == 0 {
			batch.Feedback = append(batch.Feedback, records.Feedback{
				Q: answer.Q, Key: answer.Key, EntryID: answer.EntryID, CreatedAt: now,
			})
		}
	}
	for _, part := range []records.Batch{{Answers: batch.Answers}, {Questions: batch.Questions}, {Feedback: batch.Feedback}} { // feedback once its answers are stored
		expect.OK(t, store.AddBatch(t.Context(), part, 1_000_000))
	}
	for day := range int64(365) {
		week := int(day % 7)
		expect.OK(t, store.AddDayTotals(t.Context(), records.DayOf(now)-day, map[string]int{
			owner.DayAnswered: 40 + 12*week + int(day*37%23), owner.DayUnanswered: 6 + int(day*53%17), owner.DayRefused: int(day % 5),
			owner.DayCalls + "chatgpt": int(day * 31 % 19), owner.DayCalls + "browsers": 20 + week, owner.DayCalls + "programs": int(day % 9),
			owner.DayCalls + "claude": int(day * 7 % 11), owner.DaySessions + "claude": int(day % 3),
		}))
	}
}

// TestOwnerPages uses the owner's pages without scripts, and looks at each of them on a
// phone and on a desk, in both colour schemes, and in languages with long words.
func TestOwnerPages(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	d := startOwned(t)
	base := "http://" + d.AdminAddr().String()
	signedOut := b.tab(t, phone, false)
	do(t, signedOut, chromedp.Navigate(base+"/owner/inquiries/"+inquiryID(14)))
	lookAtOwnerPage(t, signedOut, base, phone, "owner-390-light-sign-in")
	do(t, signedOut, typed("#token", adminToken+"\r"), visible(".message"))
	for language, s := range map[string]screen{"de": {phone, "light"}, "pt": {phone, "dark"}, "en": {wide, "light"}} {
		chosen := fmt.Sprintf("html[lang=%s] button[value=%[1]s][aria-pressed]", language)
		do(t, signedOut, typed("button[value="+language+"]", "\r"), visible(chosen))
		ctx := b.tab(t, s.width, false)
		do(t, ctx, scheme(s.colours))
		for name, path := range ownerPages {
			do(t, ctx, chromedp.Navigate(base+path))
			what := fmt.Sprintf("owner-%s-%d-%s-%s", language, s.width, s.colours, name)
			lookAtOwnerPage(t, ctx, base, s.width, what)
			if s == (screen{phone, "light"}) && evaluate[bool](t, ctx, `document.querySelector(".part") !== null`) {
				look(t, ctx, what+"-open")
			}
		}
	}
}

// A desk is kept true for a week, on a phone without scripts and on a desk with them: hours, a closed day, a price, another
// answer for a wrong one, and the change of a second editor. Then all is undone.
func TestOwnersWeek(t *testing.T) {
	t.Parallel()
	for _, w := range []week{
		{editing: editing{language: "de", screen: screen{phone, "dark"}}, script: false, undone: "Rückgängig gemacht: „Kleingebäck“: Bis"},
		{editing: editing{language: "pt", screen: screen{wide, "light"}}, script: true, undone: "Anulado: «Kleingebäck»: Até"},
	} {
		t.Run(w.language, func(t *testing.T) {
			t.Parallel()
			w.run(t)
		})
	}
}

type editing struct {
	tab tab
	screen
	language, base, folder string // folder is that of the content
	name                   string // of the pictures of the pages
}

type week struct {
	editing
	script bool
	undone string // the line of the price in the history
	desk   *harness.Desk
}

func (w week) run(t *testing.T) {
	b := startBrowser(t)
	w.desk, w.tab = startOwned(t), b.tab(t, w.width, w.script)
	w.base, w.folder, w.name = "http://"+w.desk.AdminAddr().String(), w.desk.Settings.Content, "week"
	before := expect.Files(t, os.DirFS(w.desk.Settings.Content), ".")
	do(t, w.tab, scheme(w.colours), chromedp.Navigate(w.base+"/owner/business"), typed("#token", adminToken+"\r"), visible(".edit"))
	do(t, w.tab, typed("button[value="+w.language+"]", "\r"), visible("html[lang="+w.language+"]"))

	w.open(t, "/owner/business", ".edit")
	w.fill(t, "[name='business.hours.mon.opens']", "07:00")
	w.fill(t, "[name='business.hours.mon.closes']", "12:00")
	w.fill(t, "[name='business.hours.mon.times']", "14–18")
	w.fill(t, "details details [name='business.closed.from']", "2027-08-02")
	w.fill(t, "details details [name='business.closed.to']", "2027-08-20")
	w.fill(t, "details details [name='business.special_hours.from']", "2027-12-31")
	w.fill(t, "details details [name='business.special_hours.times']", "6:30 - 12")
	w.makeLive(t, "hours", "catalog.yaml", "mon: 07:00-12:00, 14:00-18:00", "2027-08-02..2027-08-20", `"2027-12-31": 06:30-12:00`)

	w.open(t, "/owner/services", ".cards")
	do(t, w.tab, typed("a[href='/owner/prices/piece/edit']", "\r"), visible("#to"))
	w.fill(t, "#to", "2,80 €")
	w.makeLive(t, "price", "catalog.yaml", "to: 2.80")

	w.open(t, "/owner/questions?show=wrong", ".cards")
	do(t, w.tab, typed(".cards a", "\r"), visible(".choose"))
	wrong := evaluate[string](t, w.tab, `document.querySelector("h1").textContent`)
	evaluate[bool](t, w.tab, `document.querySelector("[name=entry][value=other]").checked = true`)
	w.fill(t, "[name=other]", "vegan")
	do(t, w.tab, pressed(".choose button"))
	w.confirm(t, "wrong")
	if got := w.desk.Ask(t, wrong); got.EntryID == nil || *got.EntryID != "vegan" {
		t.Errorf("%q is answered by %+v", wrong, got)
	}

	second := w
	second.tab = b.tab(t, w.width, w.script)
	second.open(t, "/owner/answers/vegan/edit", "#answer")
	w.open(t, "/owner/answers/vegan/edit", "#answer")
	w.fill(t, "#answer", "Theirs.")
	w.makeLive(t, "first-editor", "faq.yaml", "Theirs.")
	second.fill(t, "#answer", "Mine.")
	do(t, second.tab, typed(".edit .actions button", "\r"), visible("blockquote"))
	second.look(t, "conflict")
	expect.Same(t, "the second editor sees", "Mine.Theirs.", evaluate[string](t, second.tab,
		`document.querySelector("#answer").value + document.querySelector("blockquote").innerText`))
	second.makeLive(t, "second-editor", "faq.yaml", "Mine.")

	w.open(t, "/owner/changes/1/undo", "main .actions")
	preview := b.tab(t, w.width, false)
	do(t, preview, chromedp.Navigate(evaluate[string](t, w.tab, `document.querySelector("a[target=_blank]").href`)), visible("[role=status]"))
	clean(t, preview, w.base+"/owner/")
	for number := expect.Value(w.desk.Store().CountChanges(t.Context()))(t); number > 0; number-- {
		w.open(t, fmt.Sprintf("/owner/changes/%d/undo", number), "main .actions")
		do(t, w.tab, typed(".actions button", "\r"), visible(".cards"))
	}
	w.look(t, "undone")
	expect.Holds(t, "the history", evaluate[string](t, w.tab, `document.querySelector(".cards").textContent`), w.undone)
	expect.Same(t, "the content after all is undone", before, expect.Files(t, os.DirFS(w.desk.Settings.Content), "."))
}

func (o editing) open(t *testing.T, path, element string) {
	t.Helper()
	do(t, o.tab, chromedp.Navigate(o.base+path), visible(element))
}

func (o editing) fill(t *testing.T, selector, text string) {
	t.Helper()
	evaluate[string](t, o.tab, fmt.Sprintf("document.querySelector(%q).value = %q", selector, text))
}

// makeLive sends a form, looks at its change and makes it live. Then a file has these texts.
func (o editing) makeLive(t *testing.T, what, file string, texts ...string) {
	t.Helper()
	o.look(t, what+"-form")
	do(t, o.tab, pressed(".edit .actions button"))
	o.confirm(t, what)
	now := string(expect.Value(os.ReadFile(filepath.Join(o.folder, file)))(t))
	expect.Holds(t, file, now, texts...)
}

func (o editing) confirm(t *testing.T, what string) {
	t.Helper()
	do(t, o.tab, chromedp.WaitReady(chromedp.CSS("[name=digest], .error, .made")))
	o.look(t, what)
	if evaluate[bool](t, o.tab, `document.querySelector(".made") !== null`) { // it needed no second look
		return
	}
	if refused := evaluate[string](t, o.tab, `document.querySelector(".error")?.innerText ?? ""`); refused != "" {
		t.Fatalf("%s: the page says %s", what, refused)
	}
	do(t, o.tab, pressed(".actions button"), visible("[role=status]"))
}

func (o editing) look(t *testing.T, what string) {
	t.Helper()
	lookAtOwnerPage(t, o.tab, o.base, o.width, fmt.Sprintf("owner-%s-%d-%s-%s-%s", o.language, o.width, o.colours, o.name, what))
}

var ownerPages = map[string]string{
	"today":            "/owner/",
	"inquiries":        "/owner/inquiries",
	"inquiries-search": "/owner/inquiries?show=all&q=gluten",
	"inquiries-spam":   "/owner/inquiries?show=spam",
	"inquiry-answered": "/owner/inquiries/" + inquiryID(4),
	"inquiry-failed":   "/owner/inquiries/" + inquiryID(14),
	"inquiry":          "/owner/inquiries/" + inquiryID(3),
	"questions":        "/owner/questions",
	"questions-search": "/owner/questions?q=pretzels",
	"questions-wrong":  "/owner/questions?show=wrong",
	"question":         "/owner/questions/1",
	"change":           "/owner/questions/2/accept?entry=vegan&wording=How+much+are+the+vegan+ones%3F",
	"change-none":      "/owner/questions/2/accept?entry=other",
	"answers":          "/owner/answers",
	"answers-paste":    "/owner/answers/paste",
	"answer":           "/owner/answers/vegan",
	"answer-edit":      "/owner/answers/vegan/edit",
	"answer-new":       "/owner/answers/new?questions=1,2",
	"precision":        "/owner/precision",
	"pictures":         "/owner/pictures",
	"picture-new":      "/owner/pictures/new",
	"look":             "/owner/look",
	"price-edit":       "/owner/prices/loaf/edit",
	"questions-off":    "/owner/questions?show=dismissed",
	"answer-remove":    "/owner/answers/vegan/remove",
	"business":         "/owner/business",
	"pages":            "/owner/pages",
	"page-edit":        "/owner/pages/home/edit",
	"services":         "/owner/services",
	"service-edit":     "/owner/services/rolls/edit",
	"service-remove":   "/owner/services/rolls/remove",
	"price-new":        "/owner/prices/new",
	"price-remove":     "/owner/prices/loaf/remove",
	"changes":          "/owner/changes",
	"change-missing":   "/owner/changes/99",
	"questions-chosen": "/owner/questions/1,2",
	"answered":         "/owner/answered/1",
	"state":            "/owner/state",
	"missing":          "/owner/nowhere",
}

// lookAtOwnerPage looks at a page as it comes, and checks its layout and its policy with all parts open.
func lookAtOwnerPage(t *testing.T, ctx tab, base string, width int64, what string) {
	t.Helper()
	look(t, ctx, what)
	evaluate[bool](t, ctx, `[...document.querySelectorAll("main details")].every((d) => d.open = true)`)
	do(t, ctx, allowScript(true)) // the page runs none of its own
	defer do(t, ctx, allowScript(ctx.script))
	fits(t, ctx, what, width)
	if width == phone {
		fitsThumb(t, ctx, what)
	}
	clean(t, ctx, base+"/owner/")
}

// fitsThumb checks that the navigation is on the screen, and that whatever a person presses is as large as a thumb. A
// link within a sentence is not, and a row of a list is a target as a whole.
func fitsThumb(t *testing.T, ctx tab, what string) {
	t.Helper()
	small := evaluate[[]string](t, ctx, `(() => {
		const target = (e) => e.closest("label, .cards li:has(.head a)") ?? e;
		const inText = (e) => e.matches("a") && e.parentElement.textContent.trim() !== e.textContent.trim() && !e.closest("nav");
		const pressed = [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")];
		const box = (e) => target(e).getBoundingClientRect();
		return pressed.filter((e) => e.checkVisibility() && !e.matches(".skip") && !inText(e) &&
			(box(e).height < 44 || e.closest("header nav") && (box(e).left < 0 || box(e).right > innerWidth))).map((e) => e.outerHTML);
	})()`)
	expect.Same(t, what+": too small for a thumb, or off the screen", []string{}, small)
}
