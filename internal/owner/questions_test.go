package owner_test

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/expect"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
)

func (d *desk) write(file, text string) {
	d.Helper()
	expect.Write(d, filepath.Join(d.content, file), text)
}

var hidden = regexp.MustCompile(`type="hidden" name="([^"]+)" value="([^"]*)"`)

func hiddenOf(page answer) url.Values {
	form := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(page.Text, -1) {
		form.Add(field[1], html.UnescapeString(field[2]))
	}
	return form
}

func (d *desk) ask(questions ...string) {
	d.Helper()
	var batch records.Batch
	for i, q := range questions {
		batch.Questions = append(batch.Questions,
			records.Question{Key: content.QuestionKey(q), Q: q, Unanswered: len(questions) - i, LastAt: time.Now()})
	}
	expect.OK(d, d.store.AddBatch(d.Context(), batch, 100))
}

// answerWrongly stores a question whose answer did not help, and returns its page.
func (d *desk) answerWrongly(q, entryID string) (page string) {
	d.Helper()
	key, now := content.QuestionKey(q), time.Now()
	expect.OK(d, d.store.AddBatch(d.Context(), records.Batch{
		Answers: []records.Answered{
			{Key: key, Q: q, EntryID: entryID, Match: contract.MatchSelector, Confidence: .9, Asked: 3, LastAt: now},
		},
		Feedback: []records.Feedback{{Q: q, Key: key, EntryID: entryID, CreatedAt: now}},
	}, 100))
	found := expect.Value(d.store.AnsweredQuestions(d.Context(), records.AnsweredFilter{Wrong: true}))(d)
	expect.Same(d, "wrong answers", 1, len(found))
	return fmt.Sprint("answered/", found[0].Number)
}

func TestAcceptAQuestion(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.ask("Can I have my <money> back?")
	const page = "questions/1"
	before := d.files()["faq.yaml"]
	d.shows(page, "Which answer should it get?", `value="refunds" checked`, `value="Can I have my &lt;money&gt; back?"`)
	check := page + "/accept?" + url.Values{"entry": {"refunds"}, "wording": {"<Money> back?"}}.Encode()
	preview := d.get(check)
	d.want("the change", preview, 200, `class="added"`, "- &lt;Money&gt; back?", "Make it live",
		"“&lt;Money&gt; back?” will get the answer to", "/owner/preview/"+d.tried+"/")
	expect.Same(t, "faq.yaml after a look", before, d.files()["faq.yaml"])
	form := hiddenOf(preview)
	post := func() answer { return d.post(page+"/accept", form) }

	d.write("faq.yaml", strings.Replace(before, " Is it corrected?\n", " Is it corrected?\n      - Money? Back?\n", 1)) // another editor
	d.want("after another change of the files", post(), 200, "changed in the meantime")
	form = hiddenOf(d.get(check))
	d.obstacle = "owner.obstacle.folder"
	d.want("a folder that is not writable", post(), 200,
		"The desk has no permission to write to its content folder. Download the changed file", "Download faq.yaml")
	form.Set("file", "faq.yaml")
	got := post()
	d.want("the file to download", got, 200, "- <Money> back?")
	expect.Same(t, "its name", "attachment; filename=faq.yaml", got.Header.Get("Content-Disposition"))
	form.Set("file", "../secret")
	d.want("another file", post(), 404)
	d.obstacle = ""
	form.Del("file")
	expect.Lacks(t, "faq.yaml after a refusal", d.files()["faq.yaml"], "<Money>")
	d.want("the change", post(), 303)
	expect.Holds(t, "faq.yaml", d.files()["faq.yaml"], "- <Money> back?")
	d.want("the question after it", d.get(page), 404, "off the list", "/owner/changes")
	d.want("the change again", post(), 404, "off the list")
}

func TestSynonymOfAQuestion(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.ask("Is there any reimbursement?", "Is there cake?")
	const page = "questions/1"
	d.shows(page, "uses the word “reimbursement”. Does it mean the same as “refunds”?",
		`name="synonyms" value="reimbursement, refunds"`)
	expect.Lacks(t, "a question without one", d.get("questions/2").Text, "Does it mean the same")
	opened := d.post("synonyms", url.Values{"step": {"edit"}, "synonyms": {"reimbursement, refunds"}})
	d.want("the form, filled", opened, 200, "\nreimbursement, refunds</textarea>")
	form := formOf(opened)
	form.Del("step")
	form.Set("synonyms", "return, Refunds")
	d.want("saved", d.post("synonyms", form), 303)
	d.shows(page, `name="synonyms" value="return, Refunds, reimbursement"`)
}

func TestGoldenQuestions(t *testing.T) {
	t.Parallel()
	const page, question = "answers/new", "Do you mend violins?"
	d := signedIn(t, "workshop", func(c *owner.Config) {
		c.Curator.Try = func(ctx context.Context, loaded *content.Content, _ content.Digest) error {
			if faults := faq.New(loaded.FAQ, nil, func(url string) string { return url }).CheckGolden(ctx, loaded.Golden); len(faults) > 0 {
				return faults
			}
			return nil
		}
	})
	d.write("golden.yaml", d.files()["golden.yaml"]+"  - "+question+"\n")
	before := d.files()
	const ofSample = "Can you repair my laptop?"
	d.want("a test question of the sample", d.post(page, d.filled(page, "question", ofSample, "answer", "Yes.")), 200,
		"Make it live", `class="removed">-  - `+ofSample)
	refused := d.post(page, d.filled(page, "question", question, "answer", "Gladly."))
	d.want("refused", refused, 422, "should get no answer", `name="golden" value="`+question)
	without := hiddenOf(refused)
	d.want("in German", d.post(page, without, "Accept-Language: de"), 422,
		"Auch die Testfrage „"+question+"“ entfernen")
	without.Set("golden", question)
	shown := d.post(page, without)
	d.want("without it", shown, 200, "Make it live", `class="file">--- golden.yaml`, `class="removed">-  - `+question,
		"Gladly.")
	d.want("made", d.post(page, hiddenOf(shown)), 303)
	d.shows("changes", "without the test question “"+question+"”")
	d.undoAll()
	expect.Same(t, "the content after the undo", before, d.files())
	d.want("an undo of what is undone", d.get("changes/1/undo"), 422, "changed again")
	d.want("no change", d.get("changes/99"), 404, "not in the history")

	golden := d.live.Content.Golden.Answered
	expected := golden[slices.IndexFunc(golden, func(g content.GoldenQuestion) bool { return !slices.Contains(d.live.Content.FactIDs(), g.ID) })]
	edit, asked := "answers/"+expected.ID+"/edit", html.EscapeString(expected.Q)
	form := d.filled(edit, "question", "Zebra?", "alternates", "")
	d.want("a test question of the sample, about an answer of the sample", d.post(edit, form), 200, "Make it live",
		`class="file">--- golden.yaml`, asked)
	form.Set("answer", "Mine.")
	d.want("an answer that a test question expects", d.post(edit, form), 422, "would no longer get its answer",
		`name="golden" value="`+asked+`"`)
}

func TestChoiceOfQuestions(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	expect.Same(t, "two together", "/owner/questions/1%2C3", d.get("questions/together?n=1&n=3").to())
	d.want("none", d.get("questions/together"), 303)
	for _, path := range []string{"questions/99", "questions/x", "questions/99/accept?entry=refunds", "answered/99", "answered/x"} {
		d.want(path, d.get(path), 404, "off the list", "Go to questions", "Sign out")
	}
}

func keepsAnswered(c *owner.Config) { c.KeepsAnswered = true }

func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	d.shows("questions?show=wrong", "None.", "FRONTDESK_KEEP_ANSWERED=true")
	kept := signedIn(t, "", keepsAnswered)
	expect.Lacks(t, "the page", kept.get("questions?show=wrong").Text, "KEEP_ANSWERED")
	page := kept.answerWrongly("How do I get there?", "refunds")
	kept.shows("questions?show=wrong", "How do I get there?", "did not help once", "Do you offer refunds?")
	kept.shows(page, "get instead", "None: it should not be answered", "Do you offer refunds?")
	preview := kept.get(page + "/accept?entry=unanswered&wording=Where+is+it%3F")
	kept.want("the change", preview, 200, "will no longer be answered")
	kept.want("the move", kept.post(page+"/accept", hiddenOf(preview)), 303)
	kept.shows("changes", "“Where is it?”: None: it should not be answered")
	expect.Holds(t, "golden.yaml", kept.files()["golden.yaml"], "Where is it?")
	page = kept.answerWrongly("How do I find you?", "refunds")
	kept.want("dismiss", kept.post(page+"/dismiss", nil), 303)
	kept.shows("questions?show=wrong", "None.")
	kept.shows("questions?show=dismissed", "How do I find you?", page+"/restore")
	kept.want("restore", kept.post(page+"/restore", nil), 303)
	kept.shows("questions?show=wrong", "How do I find you?")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	d := signedIn(t, "")
	expect.Lacks(t, "the form in the only language", d.get("answers/refunds/edit").Text, "(English)")
	const fact = "answers/price-online-booking"
	d.shows(fact, `href="/owner/answers/new?fact=price-online-booking"`)
	expired := content.Entry{ID: "price-online-booking"}
	d.live.Content.FAQ.Entries = append(d.live.Content.FAQ.Entries, expired)
	d.shows(fact, `href="/owner/`+fact+`/edit"`)
	kept := signedIn(t, "", keepsAnswered)
	kept.answerWrongly("How do I get <there>?", "refunds")
	kept.shows("answers", "asked 3 times, in one wording, did not help once")
	kept.shows("answers/refunds", "How do I get &lt;there&gt;?", "/owner/answered/1")
	kept.want("none", kept.get("answers/nothing"), 404, "no longer there", "/owner/changes")
}
