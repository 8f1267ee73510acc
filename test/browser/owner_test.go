package browser_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/config"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
	"frontdesk/test/harness"
)

const adminToken = "0123456789abcdef"

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
	senders    = []string{"Ada Lovelace", "Konrad Zuse", "Emmy Noether"}
	businesses = []string{"Analytical Engines Ltd", "Tischlerei Brandt & Söhne", "Gasthaus Adler", "Café am Markt"}
	messages   = []string{
		"Do you bake a gluten-free cake for about twelve people? One of the children must not eat wheat.",
		"Könnten Sie uns jeden Tag um 6 Uhr beliefern?\n\nWir brauchen etwa 60 Brötchen.",
	}
	answeredBy = []string{"hours", "address", "payment", "vegan", "gluten", "allergens", "storage"}
	openings   = strings.Split("Do you have,How much are,Can I order,Do you deliver,Are there allergens in", ",")
)

func inquiryID(n int) string { return fmt.Sprintf("inq_%026d", n) }

// fillYear stores more than a page of everything, and the counts of a year.
func fillYear(t *testing.T, store *records.Store) {
	t.Helper()
	now := time.Now()
	states := append(slices.Repeat([]records.State{records.Sent}, 7), records.Failed, records.Quarantined, records.Unknown)
	for n := range 100 {
		sender, business, message := senders[n%len(senders)], businesses[n/3%len(businesses)], messages[n%len(messages)]
		inquiry := records.Inquiry{
			ID: inquiryID(n), MessageID: inquiryID(n) + "@desk.example", Name: sender, Business: business, Message: message,
			Email:   strings.ToLower(strings.ReplaceAll(sender, " ", ".")) + "@example.com",
			Subject: "Request from " + business, Text: "A request came in.\n\n" + message,
			From: "desk@desk.example", To: "owner@desk.example", State: states[n/2%len(states)],
			CreatedAt: now.Add(-time.Duration(n) * 8 * time.Hour),
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
		q := fmt.Sprintf("%s pretzels of type %d", openings[n%len(openings)], n)
		since := now.Add(-time.Duration(n) * time.Minute)
		if n%6 == 0 {
			q += " for a wedding of 120 people, brought to the Donaudampfschifffahrtsgesellschaft before noon"
		}
		batch.Questions = append(batch.Questions, records.Question{
			Key: content.QuestionKey(q), Q: q + "?", Unanswered: 1 + (n*7919)%13, LastAt: since,
		})
		q += " in week 1"
		answer := records.Answered{
			Key: content.QuestionKey(q), Q: q + "?", EntryID: answeredBy[n%len(answeredBy)], Match: contract.MatchSelector,
			Confidence: .97, Asked: 1 + (n*7919)%29, LastAt: since,
		}
		batch.Answers = append(batch.Answers, answer)
		if n%40 == 0 {
			batch.Feedback = append(batch.Feedback, records.Feedback{
				Q: answer.Q, Key: answer.Key, EntryID: answer.EntryID, CreatedAt: now,
			})
		}
	}
	feedback := batch.Feedback
	batch.Feedback = nil // until its answers are stored
	expect.OK(t, store.AddBatch(t.Context(), batch, 1000),
		store.AddBatch(t.Context(), records.Batch{Feedback: feedback}, 1000))
	for day := range int64(365) {
		n := int(day)
		expect.OK(t, store.AddDayTotals(t.Context(), records.DayOf(now)-day, map[string]int{
			owner.DayAnswered: 40 + n*37%23, owner.DayUnanswered: 6 + n*53%17, owner.DayRefused: n % 5,
			owner.DayCalls + "chatgpt": n * 31 % 19, owner.DayCalls + "browsers": 20 + n%7, owner.DayCalls + "programs": n % 9,
			owner.DayCalls + "claude": n * 7 % 11, owner.DaySessions + "claude": n % 3,
		}))
	}
}

func TestOwnerPages(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	d := startOwned(t)
	base := "http://" + d.AdminAddr().String()
	signedOut := b.tab(t, phone, false)
	do(t, signedOut, visit(base+"/owner/inquiries/"+inquiryID(14)))
	lookAtOwnerPage(t, signedOut, base, phone, "owner-390-light-sign-in")
	do(t, signedOut, typed("#token", adminToken+"\r"), visible(".message"))
	for language, s := range map[string]screen{"de": {phone, "light"}, "pt": {phone, "dark"}, "en": {wide, "light"}} {
		chosen := fmt.Sprintf("html[lang=%s] button[value=%[1]s][aria-pressed]", language)
		do(t, signedOut, typed("button[value="+language+"]", "\r"), visible(chosen))
		ctx := b.tab(t, s.width, false)
		do(t, ctx, scheme(s.colours))
		for _, path := range strings.Fields(ownerPages) {
			do(t, ctx, visit(base+"/owner/"+strings.ReplaceAll(path, "inq_", inquiryID(0)[:28])))
			what := fmt.Sprintf("owner-%s-%d-%s-%s", language, s.width, s.colours, path)
			lookAtOwnerPage(t, ctx, base, s.width, what)
			if s == (screen{phone, "light"}) && has(t, ctx, ".part") {
				look(t, ctx, what+"-open")
			}
		}
	}
}

type editing struct {
	tab tab
	screen
	language, base, folder string // folder is that of the content
	name                   string // of the pictures of the pages
}

func (o editing) open(t *testing.T, path, element string) {
	t.Helper()
	do(t, o.tab, visit(o.base+path), visible(element))
}

func (o editing) fill(t *testing.T, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		evaluate[string](t, o.tab, fmt.Sprintf("document.querySelector(%q).value = %q", pairs[i], pairs[i+1]))
	}
}

func has(t *testing.T, ctx context.Context, selector string) bool {
	t.Helper()
	return evaluate[bool](t, ctx, fmt.Sprintf("document.querySelector(%q) !== null", selector))
}

func (o editing) look(t *testing.T, what string) {
	t.Helper()
	lookAtOwnerPage(t, o.tab, o.base, o.width,
		fmt.Sprintf("owner-%s-%d-%s-%s-%s", o.language, o.width, o.colours, o.name, what))
}

// ownerPages are paths below /owner/. inq_04 is short for inquiryID(4).
const ownerPages = `?today inquiries inquiries?show=all&q=gluten inquiries?show=spam inquiries/inq_04 inquiries/inq_14
	inquiries/inq_03 questions questions?q=pretzels questions?show=wrong questions/1
	questions/2/accept?entry=vegan&wording=How+much+are+the+vegan+ones%3F questions/2/accept?entry=other
	answers answers/paste answers/vegan answers/vegan/edit answers/new?questions=1,2 precision pictures pictures/new look
	prices/loaf/edit questions?show=dismissed answers/vegan/remove business pages pages/home/edit services
	services/rolls/edit services/rolls/remove prices/new prices/loaf/remove changes changes/99 questions/1,2 answered/1
	state nowhere`

// lookAtOwnerPage looks at a page as it comes, and checks its layout with all parts open.
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

// fitsThumb checks the navigation, targets (a row of a list is one), and time inputs, which must hold "06:00 PM".
func fitsThumb(t *testing.T, ctx tab, what string) {
	t.Helper()
	small := evaluate[[]string](t, ctx, `(() => {
		const target = (e) => e.closest("label, .cards li:has(.head a)") ?? e;
		const inText = (e) => e.matches("a:not(nav a)") && e.parentElement.textContent.trim() !== e.textContent.trim();
		const pressed = [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")];
		const box = (e) => target(e).getBoundingClientRect();
		return pressed.filter((e) => e.checkVisibility() && !e.matches(".skip") && !inText(e) && (box(e).height < 44 ||
			e.type === "time" && box(e).width < 128 || e.closest("header nav") && (box(e).left < 0 || box(e).right > innerWidth))).map((e) => e.outerHTML);
	})()`)
	expect.Same(t, what+": too small for a thumb, or off the screen", []string{}, small)
}
