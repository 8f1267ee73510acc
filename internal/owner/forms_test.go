package owner_test

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
)

// entry is an entry of the files.
func (d *desk) entry(t *testing.T, id string) content.Entry {
	t.Helper()
	for _, e := range expect.Value(content.Load(os.DirFS(d.content)))(t).FAQ.Entries {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("there is no entry %q", id)
	return content.Entry{}
}

// change sends the form of a page with other values, and then the change that it shows.
func (d *desk) change(t *testing.T, page string, values ...string) answer {
	t.Helper()
	shown := d.get(t, page)
	d.want(t, page, shown, http.StatusOK)
	form := formOf(shown)
	if form.Has("digest") { // a page without fields shows the change at once
		return d.post(t, page, form)
	}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	preview := d.post(t, page, form)
	d.want(t, "the change of "+page, preview, http.StatusOK, "Make it live")
	return d.post(t, page, hiddenOf(preview))
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

// TestTwoEditors: a second editor sees what the first has changed and goes on with her own
// text. Nothing is overwritten unseen.
func TestTwoEditors(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "workshop").signIn(t) // a small one: each change reads and checks all of it
	const page = "/owner/answers/payment/edit"
	mine := formOf(d.get(t, page))
	d.change(t, page, "answer", "The first editor's.", "url", "/faq")

	mine.Set("question", "My question?") // another field than the first editor's
	preview := d.post(t, page, mine)
	d.want(t, "another field", preview, http.StatusOK, "Make it live", "My question?")
	if regexp.MustCompile(`class="removed">[^<]*(first editor|/faq)`).MatchString(preview.Text) {
		t.Errorf("the first editor's text would be overwritten: %s", preview.Text)
	}
	mine.Set("answer", "Mine.")
	conflict := d.post(t, page, mine)
	d.want(t, "the same field", conflict, http.StatusConflict, "Someone else has changed this", "The first editor&#39;s.", "Mine.", "My question?")
	form := formOf(conflict)
	preview = d.post(t, page, form)
	d.want(t, "sent again", preview, http.StatusOK, "Make it live")
	again := hiddenOf(preview)
	again.Set("step", "edit")
	d.want(t, "to change it again", d.post(t, page, again), http.StatusOK, "Mine.", "My question?")
	d.want(t, "made", d.post(t, page, hiddenOf(preview)), http.StatusSeeOther)
	if got := d.entry(t, "payment"); got.Answer != "Mine." || got.Question != "My question?" || got.URL != "/faq" {
		t.Errorf("the entry is %+v", got)
	}

	mine = formOf(d.get(t, page))
	mine.Set("answer", "Kept.")
	d.change(t, "/owner/answers/payment/remove")
	gone := d.post(t, page, mine)
	d.want(t, "removed this in the meantime", gone, http.StatusConflict, "removed this in the meantime", "Kept.", `action="/owner/answers/new"`)
	preview = d.post(t, "/owner/answers/new", formOf(gone))
	d.want(t, "as a new one", preview, http.StatusOK, "Make it live")

	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("entries: ["), 0o600))
	d.want(t, "a file with faults", d.get(t, "/owner/answers/new"), http.StatusConflict, "faq.yaml")
}

// TestFoldedParts: the form of the business shows what each folded part holds. A part is open if a link leads to it,
// or if the owner typed something in it, must correct it, or must still replace the sample's content.
func TestFoldedParts(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	const page = "/owner/business"
	part := regexp.MustCompile(`<details class="part"( open)?><summary><h2>([^<]*)</h2>`)
	openParts := func(got answer) (open []string) {
		for _, found := range part.FindAllStringSubmatch(got.Text, -1) {
			if found[1] != "" {
				open = append(open, found[2])
			}
		}
		return open
	}
	d.shows(t, page, `<h2>Opening hours</h2><span class="glance">Tue–Fri 06:30–18:00, Sat 07:00–13:00, Sun 08:00–11:00</span>`,
		`<span class="glance">25 December 2026 – 6 January 2027 · 24 December 2026 06:30–12:00</span>`, `<span class="glance">Beispielstraße 12 · 79100 · Freiburg · DE</span>`)
	expect.Same(t, "of a sample", []string{"Name and description", "Days off and special hours", "Where you are", "Contact and booking"}, openParts(d.get(t, page)))
	d.change(t, page, "business.name", "Backhaus", "business.summary", "Brot.", "business.summary.en", "Bread.", "business.address.street", "Weg 1",
		"business.phone", "+49 761 555999", "business.email", "a@backhaus.example", "business.coordinates.latitude", "48", "business.special_hours.opens", "07:00")
	expect.Same(t, "of a desk that is ready", nil, openParts(d.get(t, page)))
	expect.Same(t, "from Today", []string{"Days off and special hours"}, openParts(d.get(t, page+"?field=business.closed")))
	form := formOf(d.get(t, page))
	form.Set("business.phone", "no number")
	form.Set("business.name", "")
	form.Set("business.payment", "gold")
	refused := d.post(t, page, form)
	d.want(t, "faults", refused, http.StatusUnprocessableEntity, `<p class="error">“Name (Deutsch)” is missing. Please fill it in.</p>`, `<p class="error">“no number” is not a phone number`, "\ngold</textarea>")
	expect.Same(t, "with faults", []string{"Name and description", "Contact and booking", "Payment and area served"}, openParts(refused))
}

// TestBannerOfTheOwnChange: the banner after Save is about the change that was saved, not about a later one.
func TestBannerOfTheOwnChange(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c *owner.Config) {
		live := c.Curator.Live
		c.Curator.Live = func(ctx context.Context) error {
			_, err := c.Store.AddChange(ctx, records.Change{Source: records.ByPage, Summary: "Another editor’s.", To: "other"}, time.Now())
			return errors.Join(err, live(ctx))
		}
	}).signIn(t)
	made := d.change(t, "/owner/answers/refunds/edit", "answer", "Mine.")
	d.want(t, "made", made, http.StatusSeeOther)
	page := d.get(t, made.Header.Get("Location"))
	d.want(t, "the banner", page, http.StatusOK, "It is live.</strong> “Do you offer refunds?”: Answer<")
	if strings.Contains(page.Text, "Another editor") {
		t.Errorf("the banner is about the change of another editor: %s", page.Text)
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.tried = "abc"
	got := d.get(t, "/owner/preview/abc/")
	d.want(t, "the first page", got, http.StatusOK, `href="/owner/preview/abc/faq"`, `href="https://example.com/"`, `action="/owner/preview/abc/ask"`, "A preview of your change.")
	if policy := got.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'none'") || got.Header.Get("X-Robots-Tag") == "" {
		t.Errorf("headers %v", got.Header)
	}
	const home = "/owner/pages/home/edit"
	form := formOf(d.get(t, home))
	form.Set("text", form.Get("text")+"\n\nNew.")
	d.want(t, "a change of the first page", d.post(t, home, form), http.StatusOK, `/" target="_blank">Preview the site`)
	d.tried = "abc"
	d.want(t, "another page", d.get(t, "/owner/preview/abc/none"), http.StatusNotFound, "not in the preview")
	d.want(t, "a forgotten one", d.get(t, "/owner/preview/xyz/"), http.StatusGone, "expired")
}

// TestObstacleIsShown: the first pages say that the files cannot be changed from here.
func TestObstacleIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.obstacle = "owner.obstacle.folder"
	for _, path := range []string{"/owner/inquiries", "/owner/questions", "/owner/answers", "/owner/changes", "/owner/answers/new", "/owner/answers/refunds/edit"} {
		d.shows(t, path, "The desk has no permission to write to its content folder.", "download")
	}
}
