package owner_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/internal/curation"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
)

func (d *desk) filled(page string, values ...string) url.Values {
	d.Helper()
	shown := d.get(page)
	d.want(page, shown, 200)
	form := formOf(shown)
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return form
}

// change sends a form with other values, and then the change that it shows.
func (d *desk) change(page string, values ...string) answer {
	d.Helper()
	form := d.filled(page, values...)
	if form.Has("digest") { // a page without fields shows the change at once
		return d.post(page, form)
	}
	preview := d.post(page, form)
	d.want("the change of "+page, preview, 200, "Make it live")
	return d.post(page, hiddenOf(preview))
}

var (
	fields   = regexp.MustCompile(`<input id="[^"]+" name="([^"]+)" value="([^"]*)"|<textarea [^>]*name="([^"]+)"[^>]*>\n?([^<]*)</textarea>`)
	selects  = regexp.MustCompile(`(?s)<select id="[^"]+" name="([^"]+)"[^>]*>(.*?)</select>`)
	selected = regexp.MustCompile(`<option value="([^"]*)" selected>`)
)

// formOf is what the form of a page sends when nothing is changed.
func formOf(page answer) url.Values {
	form := hiddenOf(page)
	for _, field := range fields.FindAllStringSubmatch(page.Text, -1) {
		form.Add(field[1]+field[3], html.UnescapeString(field[2]+field[4]))
	}
	if strings.Contains(page.Text, `name="step" value="look"`) { // the button to look first
		form.Set("step", "look")
	}
	for _, list := range selects.FindAllStringSubmatch(page.Text, -1) {
		if found := selected.FindStringSubmatch(list[2]); found != nil {
			form.Set(list[1], html.UnescapeString(found[1]))
		}
	}
	return form
}

// Nothing is overwritten unseen.
func TestTwoEditors(t *testing.T) {
	expect.SkipInRace(t, "many changes")
	t.Parallel()
	d := signedIn(t, "workshop") // a small one: each change reads and checks all of it
	const page = "answers/payment/edit"
	mine := d.filled(page)
	d.change(page, "answer", "The first editor's.", "url", "/faq")

	mine.Set("question", "My question?") // another field than the first editor's
	preview := d.post(page, mine)
	d.want("another field", preview, 200, "Make it live", "My question?")
	if regexp.MustCompile(`class="removed">[^<]*(first editor|/faq)`).MatchString(preview.Text) {
		t.Errorf("the first editor's text would be overwritten: %s", preview.Text)
	}
	mine.Set("answer", "Mine.")
	conflict := d.post(page, mine)
	d.want("the same field", conflict, 409, "Someone else has changed this", "The first editor&#39;s.", "Mine.",
		"My question?")
	preview = d.post(page, formOf(conflict))
	d.want("sent again", preview, 200, "Make it live")
	again := hiddenOf(preview)
	again.Set("step", "edit")
	d.want("to change it again", d.post(page, again), 200, "Mine.", "My question?")
	d.want("made", d.post(page, hiddenOf(preview)), 303)
	got := d.live.Content.FAQ.Entry("payment")
	expect.Same(t, "the entry", []string{"Mine.", "My question?", "/faq"}, []string{got.Answer, got.Question, got.URL})

	mine = d.filled(page, "answer", "Kept.")
	before := "answers/" + mine.Get("after")
	for _, done := range []string{"/edit", "/remove"} {
		d.change(before+done, "after", "")
		kept := d.post(page, mine)
		d.want("the text", kept, 200, "Kept.")
		expect.Lacks(t, "the change after "+done, kept.Text, "New order")
		mine.Set("was.after", "") // a place was chosen
	}
	d.change("answers/payment/remove")
	gone := d.post(page, mine)
	d.want("removed this in the meantime", gone, 409, "removed this in the meantime", "Kept.",
		`action="/owner/answers/new#"`)
	expect.Same(t, "the place of a new one", "old-bike", formOf(gone).Get("after"))
	d.want("as a new one", d.post("answers/new", formOf(gone)), 200, "Make it live")

	d.write("faq.yaml", "entries: [")
	d.want("a file with faults", d.get("answers/new"), 409, "faq.yaml")
}

// A part is open that a link leads to, or in which something is typed, faulty or the sample's.
func TestFoldedParts(t *testing.T) {
	expect.SkipInRace(t, "many forms")
	t.Parallel()
	d := signedIn(t, "bakery")
	const page = "business"
	part := regexp.MustCompile(`<details class="part"( open)?><summary><h2>([^<]*)</h2>`)
	opens := func(when string, got answer, want ...string) {
		t.Helper()
		var open []string
		for _, found := range part.FindAllStringSubmatch(got.Text, -1) {
			if found[1] != "" {
				open = append(open, found[2])
			}
		}
		expect.Same(t, when, want, open)
	}
	d.shows(page, `<h2>Opening hours</h2><span class="glance">Tue–Fri 06:30–18:00, Sat 07:00–13:00, Sun 08:00–11:00</span>`,
		`<span class="glance">25 December 2026 – 6 January 2027 · 24 December 2026 06:30–12:00</span>`, `<span class="glance">Beispielstraße 12 · 79100 · Freiburg · DE</span>`)
	opens("sample", d.get(page), "Name and description", "Days off and special hours", "Where you are", "Contact and booking", "What the site says")
	d.change(page, "business.name", "Backhaus", "business.summary", "Brot.", "business.summary.en", "Bread.",
		"business.address.street", "Weg 1", "statements", "", "statements.en", "",
		"business.phone", "+49 761 555999", "business.email", "a@backhaus.example", "business.coordinates.latitude", "48", "business.special_hours.opens", "07:00")
	opens("ready", d.get(page))
	// The name is one text for both languages.
	d.shows(page, "In a few sentences (English)</label>", `Name (English) <span class="optional">`)
	opens("from Today", d.get(page+"?field=business.closed"), "Days off and special hours")
	refused := d.post(page, d.filled(page, "business.phone", "no number", "business.name", "", "business.payment", "gold"))
	d.want("faults", refused, 422, `<p class="error">“Name (Deutsch)” is missing. Please fill it in.</p>`,
		`<p class="error">“no number” is not a phone number`, "\ngold</textarea>",
		` error-business.name" aria-invalid="true" autofocus>`, ` error-business.phone" aria-invalid="true">`, `<div id="error-business.phone">`)
	d.want("a fault in a group", d.post(page, d.filled(page, "business.hours.mon.times", "late")), 422,
		` error-business.hours" tabindex="-1" autofocus><legend`)
	opens("with faults", refused, "Name and description", "Contact and booking", "Payment and area served")
}

func TestBannerOfTheOwnChange(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "", func(c *owner.Config) {
		live := c.Curator.Live
		c.Curator.Live = func(ctx context.Context) error {
			_, err := c.Store.AddChange(ctx, records.Change{Source: records.ByPage, Summary: "Another editor’s.", To: "other"}, time.Now())
			return errors.Join(err, live(ctx))
		}
	})
	made := d.change("answers/refunds/edit", "answer", "Mine.")
	d.want("made", made, 303)
	page := d.get(made.to())
	d.want("the banner", page, 200, "It is live.</strong> “Do you offer refunds?”: Answer<")
	expect.Lacks(t, "the banner", page.Text, "Another editor")
}

func TestPreview(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.tried = "abc"
	got := d.get("preview/abc/")
	d.want("the first page", got, 200, `href="/owner/preview/abc/faq"`, `href="https://example.com/"`,
		`action="/owner/preview/abc/ask"`, `src="/owner/preview/abc/a.png" srcset="/owner/preview/abc/b.png 1w, /owner/preview/abc/c.png 2w"`,
		"A preview of your change.")
	expect.Holds(t, "the headers", fmt.Sprint(got.Header), "style-src 'self'; img-src 'self'", "form-action 'none'", "X-Robots-Tag:[no")
	const home = "pages/home/edit"
	d.want("a change of the first page", d.post(home, d.filled(home, "text", "New.")), 200,
		`/" target="_blank">Preview the site`)
	d.tried = "abc"
	d.want("another page", d.get("preview/abc/none"), 404, "not in the preview")
	d.want("a forgotten one", d.get("preview/xyz/"), 410, "expired")
}

func TestObstacleIsShown(t *testing.T) {
	t.Parallel()
	failure := os.ErrClosed // as from the database
	d := signedIn(t, "", func(c *owner.Config) { c.Curator.Live = func(context.Context) error { return failure } })
	d.obstacle = "owner.obstacle.folder"
	for _, path := range []string{"inquiries", "questions", "answers", "changes", "answers/new", "answers/refunds/edit"} {
		d.shows(path, "The desk has no permission to write to its content folder.", "download")
	}
	d.obstacle = ""
	const edit = "answers/refunds/edit"
	d.want("live", d.change(edit, "answer", "A"), 303)
	failure = curation.ErrNotLive
	d.want("written", d.change(edit, "answer", "B"), 500, "Saved, but not live yet")
	lock := d.content + "/.frontdesk.lock"
	expect.OK(t, os.Remove(lock), os.Mkdir(lock, 0o700)) // then nothing can be written
	d.want("unwritten", d.change(edit, "answer", "C"), 422, "could not be made", `value="C"`)
}
