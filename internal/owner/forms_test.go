package owner_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"frontdesk/content"
	"frontdesk/internal/expect"
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
		return d.send(t, http.MethodPost, page, form)
	}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	preview := d.send(t, http.MethodPost, page, form)
	d.want(t, "the change of "+page, preview, http.StatusOK, "Make it live")
	return d.send(t, http.MethodPost, page, hiddenOf(preview))
}

// TestChangeAnAnswer changes every field of an entry, and undoes that.
func TestChangeAnAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	before, now := d.faq(t), d.entry(t, "refunds")
	made := d.change(t, "/owner/answers/refunds/edit", "question", "Is there <money> back?", "answer", "Yes:\r\n\r\n- within 14 days\r\n- “always”", "alternates", now.Alternates[1]+"\r\n\r\nAnything new?",
		"url", "/faq", "review_by", "2031-02-03", "expires", "2032-02-03", "prices", "free")
	if to := made.Header.Get("Location"); to != "/owner/answers/refunds?notice=corrected" {
		t.Errorf("the change leads to %s: %s", to, made.Text)
	}
	got := d.entry(t, "refunds")
	if got.Question != "Is there <money> back?" || got.Answer != "Yes:\n\n- within 14 days\n- “always”" || fmt.Sprint(got.Alternates) != fmt.Sprint([]string{now.Alternates[1], "Anything new?"}) ||
		got.URL != "/faq" || got.ReviewBy.Format("2006-01-02") != "2031-02-03" || got.Expires.Format("2006-01-02") != "2032-02-03" || got.Prices != content.PricesFree {
		t.Errorf("the entry is %+v", got)
	}
	d.want(t, "its page", d.get(t, "/owner/answers/refunds?notice=corrected"), http.StatusOK, "3 February 2031", "3 February 2032", "The change is live")
	d.change(t, "/owner/answers/refunds/edit", "url", "", "review_by", "", "expires", "", "prices", "")
	if got := d.entry(t, "refunds"); got.URL != "" || !got.ReviewBy.IsZero() || !got.Expires.IsZero() || got.Prices != "" {
		t.Errorf("the entry is %+v", got)
	}
	list := d.get(t, "/owner/changes")
	d.want(t, "the history", list, http.StatusOK, "“Do you offer refunds?”: Question, Answer, Other wordings, Link, Read again by, Last day, Amounts", "on these pages")
	d.want(t, "a change", d.get(t, "/owner/changes/2"), http.StatusOK, "2031-02-03", `class="removed"`, "/owner/changes/2/undo")
	for _, number := range []string{"2", "1"} {
		preview := d.get(t, "/owner/changes/"+number+"/undo")
		d.want(t, "the undo", preview, http.StatusOK, "This undoes:", "Make it live")
		d.want(t, "undone", d.send(t, http.MethodPost, "/owner/changes/"+number+"/undo", hiddenOf(preview)), http.StatusSeeOther)
	}
	expect.Same(t, "faq.yaml after the undo", before, d.faq(t))
	changes := expect.Value(d.store.Changes(t.Context(), records.Page{}))(t)
	if len(changes) != 4 || changes[0].Undoes != 1 || changes[0].From != changes[1].To || changes[3].From != changes[0].To {
		t.Errorf("the history is %+v", changes)
	}
	d.want(t, "an undo of what is undone", d.get(t, "/owner/changes/1/undo"), http.StatusUnprocessableEntity, "changed again since")
	d.want(t, "no change", d.get(t, "/owner/changes/99"), http.StatusNotFound, "not in the history")
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
	for _, list := range selects.FindAllStringSubmatch(page.Text, -1) {
		if found := selected.FindStringSubmatch(list[2]); found != nil {
			form.Set(list[1], html.UnescapeString(found[1]))
		}
	}
	return form
}

// TestNewAnswer writes an answer to two questions that were asked, and to none.
func TestNewAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Är ni öppna på söndag?", "What about order [number]?", "Do you like elephants?")
	page := "/owner/answers/new?questions=3%2C2%2C1"
	shown := d.get(t, page)
	d.want(t, "the form", shown, http.StatusOK, `value="Är ni öppna på söndag?"`, "Do you like elephants?")
	if strings.Contains(shown.Text, "[number]") {
		t.Error("a masked wording would be written")
	}
	d.want(t, "an empty answer", d.send(t, http.MethodPost, page, formOf(shown)), http.StatusConflict, "“Answer” is empty.", "Är ni öppna på söndag?")
	d.change(t, page, "answer", "Nej.", "after", "")
	got := d.entry(t, "ar-ni-oppna-pa-sondag")
	if got.Answer != "Nej." || len(got.Alternates) != 1 || d.live.Content.FAQ.Entries[0].ID != got.ID {
		t.Errorf("the entry is %+v", got)
	}
	if left := expect.Value(d.store.Questions(t.Context()))(t); len(left) > 0 {
		t.Errorf("left on the list: %+v", left)
	}
	d.change(t, "/owner/answers/new", "question", "ar ni oppna pa sondag nu", "answer", "A")
	d.change(t, "/owner/answers/new", "question", "料金は？", "answer", "B", "after", "refunds")
	d.entry(t, "answer")
	d.change(t, "/owner/prices/new", "name", "料金", "summary", "A", "from", "1", "unit", "B")
	d.change(t, "/owner/services/new", "name", "陶芸", "summary", "A", "description", "B", "pricing_band", "price")
	d.want(t, "questions that are off the list", d.get(t, page), http.StatusNotFound, "off the list")
	d.want(t, "a question of another answer", d.send(t, http.MethodPost, "/owner/answers/new", d.form(t, "/owner/answers/new", "question", "料金は", "answer", "C")), http.StatusUnprocessableEntity, "is there twice", "Change it again")
}

// TestAnswersInLanguages shows every text of an answer, and writes the texts of one that is in
// the second language only.
func TestAnswersInLanguages(t *testing.T) {
	t.Parallel()
	d := newDeskOf(t, "bakery").signIn(t)
	d.want(t, "an answer in two languages", d.get(t, "/owner/answers/vegan"), http.StatusOK, "Was ist vegan?", "What is vegan?", `<h2 lang="en">English</h2>`)
	file := filepath.Join(d.content, "faq.yaml")
	only := "\n  - id: tourists\n    lang: en\n    question: Do you speak English?\n    answer: Yes, we do.\n"
	expect.OK(t, os.WriteFile(file, []byte(d.faq(t)+only), 0o600))
	expect.OK(t, d.pages.Curator.Live(t.Context()))
	before := d.faq(t)

	const page = "/owner/answers/tourists/edit"
	shown := d.get(t, page)
	d.want(t, "its form", shown, http.StatusOK, "Question (English)", "Question (Deutsch)")
	if form := formOf(shown); form.Get("question") != "Do you speak English?" || form.Get("question.de") != "" || form.Has("question.en") {
		t.Errorf("the form has %v", form)
	}
	d.change(t, page, "answer", "Yes, all of us do.")
	expect.Same(t, "faq.yaml", strings.Replace(before, "Yes, we do.", "Yes, all of us do.", 1), d.faq(t))
	d.change(t, page, "question.de", "Sprechen Sie Englisch?", "answer.de", "Ja.")
	texts := map[string]string{}
	for _, e := range d.live.Content.FAQ.Entries {
		if e.ID == "tourists" {
			texts[e.Lang] = e.Question + " " + e.Answer
		}
	}
	expect.Same(t, "the entry", map[string]string{"de": "Sprechen Sie Englisch? Ja.", "en": "Do you speak English? Yes, all of us do."}, texts)
	d.undoAll(t)
	expect.Same(t, "faq.yaml after all is undone", before, d.faq(t))
}

// TestOrderAndRemoval moves an entry and removes it, with its golden questions.
func TestOrderAndRemoval(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	first, last := d.live.Content.FAQ.Entries[0].ID, d.live.Content.FAQ.Entries[len(d.live.Content.FAQ.Entries)-1].ID
	d.change(t, "/owner/answers/refunds/edit", "after", last)
	if entries := d.live.Content.FAQ.Entries; entries[len(entries)-1].ID != "refunds" || entries[0].ID == "refunds" {
		t.Errorf("the order is %v", entries)
	}
	d.change(t, "/owner/answers/refunds/edit", "after", "")
	expect.Same(t, "the first entry", "refunds", d.live.Content.FAQ.Entries[0].ID)
	d.change(t, "/owner/answers/"+first+"/edit", "after", "refunds", "answer", "Other.")
	d.change(t, "/owner/answers/refunds/remove")
	golden := expect.Value(os.ReadFile(filepath.Join(d.content, "golden.yaml")))(t)
	if strings.Contains(string(golden), "id: refunds") {
		t.Error("golden.yaml names an entry that was removed")
	}
	for _, path := range []string{"/owner/answers/refunds", "/owner/answers/refunds/edit", "/owner/answers/refunds/remove"} {
		d.want(t, path, d.get(t, path), http.StatusNotFound, "not there any more")
	}
}

// TestTwoEditors: a second editor sees what the first has changed and goes on with her own
// text. Nothing is overwritten unseen.
func TestTwoEditors(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	const page = "/owner/answers/refunds/edit"
	mine := formOf(d.get(t, page))
	d.change(t, page, "answer", "The first editor's.", "url", "/faq")

	mine.Set("question", "My question?") // another field than the first editor's
	preview := d.send(t, http.MethodPost, page, mine)
	d.want(t, "another field", preview, http.StatusOK, "Make it live", "My question?")
	if regexp.MustCompile(`class="removed">[^<]*(first editor|/faq)`).MatchString(preview.Text) {
		t.Errorf("the first editor's text would be overwritten: %s", preview.Text)
	}
	mine.Set("answer", "Mine.")
	conflict := d.send(t, http.MethodPost, page, mine)
	d.want(t, "the same field", conflict, http.StatusConflict, "Someone else has changed this", "The first editor&#39;s.", "Mine.", "My question?")
	form := formOf(conflict)
	preview = d.send(t, http.MethodPost, page, form)
	d.want(t, "sent again", preview, http.StatusOK, "Make it live")
	again := hiddenOf(preview)
	again.Set("step", "edit")
	d.want(t, "to change it again", d.send(t, http.MethodPost, page, again), http.StatusOK, "Mine.", "My question?")
	d.want(t, "made", d.send(t, http.MethodPost, page, hiddenOf(preview)), http.StatusSeeOther)
	if got := d.entry(t, "refunds"); got.Answer != "Mine." || got.Question != "My question?" || got.URL != "/faq" {
		t.Errorf("the entry is %+v", got)
	}

	mine = formOf(d.get(t, page))
	mine.Set("answer", "Kept.")
	d.change(t, "/owner/answers/refunds/remove")
	gone := d.send(t, http.MethodPost, page, mine)
	d.want(t, "removed meanwhile", gone, http.StatusConflict, "removed meanwhile", "Kept.", `action="/owner/answers/new"`)
	preview = d.send(t, http.MethodPost, "/owner/answers/new", formOf(gone))
	d.want(t, "as a new one", preview, http.StatusOK, "Make it live")

	expect.OK(t, os.WriteFile(filepath.Join(d.content, "faq.yaml"), []byte("entries: ["), 0o600))
	d.want(t, "a file with faults", d.get(t, "/owner/answers/new"), http.StatusConflict, "faq.yaml")
}

// TestHostileForms: values that a browser does not send change nothing else.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	before := d.faq(t)
	form := formOf(d.get(t, "/owner/answers/refunds/edit"))
	for name, value := range map[string]string{
		"review_by": "2031-01-01\n    draft: true", "expires": "{a: b}", "answer": "\x00", "url": "javascript:alert(1)", "question": "?",
	} {
		hostile := url.Values{}
		for key, values := range form {
			hostile[key] = values
		}
		hostile.Set(name, value)
		if got := d.send(t, http.MethodPost, "/owner/answers/refunds/edit", hostile); got.StatusCode < 400 {
			t.Errorf("%s = %q: %d", name, value, got.StatusCode)
		}
	}
	d.want(t, "without a token", d.send(t, http.MethodPost, "/owner/answers/refunds/remove", url.Values{"digest": {"x"}}), http.StatusForbidden)
	expect.Same(t, "faq.yaml", before, d.faq(t))
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
	d.want(t, "another page", d.get(t, "/owner/preview/abc/none"), http.StatusNotFound, "not in the preview")
	d.want(t, "a forgotten one", d.get(t, "/owner/preview/xyz/"), http.StatusGone, "over")
}

// TestObstacleIsShown: the first pages say that the files cannot be changed from here.
func TestObstacleIsShown(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.obstacle = "owner.obstacle.folder"
	for _, path := range []string{"/owner/inquiries", "/owner/questions", "/owner/answers", "/owner/changes", "/owner/answers/new", "/owner/answers/refunds/edit"} {
		d.want(t, path, d.get(t, path), http.StatusOK, "The desk may not write to the folder of its content.", "as a file")
	}
}
