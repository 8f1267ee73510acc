package owner_test

import (
	"context"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
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

// faq is faq.yaml as it is now.
func (d *desk) faq(t *testing.T) string {
	t.Helper()
	return string(expect.Value(os.ReadFile(filepath.Join(d.content, "faq.yaml")))(t))
}

var hidden = regexp.MustCompile(`type="hidden" name="([^"]+)" value="([^"]*)"`)

// hiddenOf are the values that the form of a page sends by itself.
func hiddenOf(page answer) url.Values {
	form := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(page.Text, -1) {
		form.Add(field[1], html.UnescapeString(field[2]))
	}
	return form
}

// ask stores questions that were not answered, and one that was answered wrongly.
func (d *desk) ask(t *testing.T, questions ...string) {
	t.Helper()
	var batch records.Batch
	for i, q := range questions {
		batch.Questions = append(batch.Questions, records.Question{Key: content.QuestionKey(q), Q: q, Unanswered: len(questions) - i, LastAt: time.Now()})
	}
	expect.OK(t, d.store.AddBatch(t.Context(), batch, int(1e6)))
}

// answerWrongly stores a question with an answer that did not help, and returns its number.
func (d *desk) answerWrongly(t *testing.T, q, entryID string) int64 {
	t.Helper()
	mark := records.Feedback{Q: q, Key: content.QuestionKey(q), EntryID: entryID, CreatedAt: time.Now()}
	batch := records.Batch{
		Answers:  []records.Answered{{Key: content.QuestionKey(q), Q: q, EntryID: entryID, Match: contract.MatchSelector, Confidence: .9, Asked: 3, LastAt: time.Now()}},
		Feedback: []records.Feedback{mark},
	}
	expect.OK(t, d.store.AddBatch(t.Context(), batch, int(1e6)))
	found, err := d.store.AnsweredQuestions(t.Context(), records.AnsweredFilter{Wrong: true})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d wrong answers, %v", len(found), err)
	}
	return found[0].Number
}

func TestAcceptAQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Can I have my <money> back?")
	page, before := "/owner/questions/1", d.faq(t)
	d.shows(t, page, "Which answer should it get?", `value="refunds" checked`, `value="Can I have my &lt;money&gt; back?"`)
	check := page + "/accept?" + url.Values{"entry": {"refunds"}, "wording": {"<Money> back?"}}.Encode()
	preview := d.get(t, check)
	d.want(t, "the change", preview, http.StatusOK, `class="added"`, "- &lt;Money&gt; back?", "Make it live", "“&lt;Money&gt; back?” will get the answer to", "/owner/preview/"+d.tried+"/")
	expect.Same(t, "faq.yaml after a look", before, d.faq(t))
	form := hiddenOf(preview)
	post := func() answer { return d.post(t, page+"/accept", form) }

	d.edit(t, "refunds", "Money? Back?")
	d.want(t, "after another change of the files", post(), http.StatusOK, "changed in the meantime")
	form = hiddenOf(d.get(t, check))
	d.refuse = content.Diagnostics{{File: "golden.yaml", Line: 7, Message: `"Money?" must be answered by "refunds", but the fallback answers`, Code: "content.golden.answered", Values: []any{"Money?"}}}
	d.want(t, "a golden question that fails", post(), http.StatusUnprocessableEntity, "test question “Money?”", "cannot be made")
	d.refuse, d.obstacle = nil, "owner.obstacle.folder"
	d.want(t, "a folder that is not writable", post(), http.StatusOK, "The desk has no permission to write to its content folder. Download the changed file", "Download faq.yaml")
	file := maps.Clone(form)
	file.Set("file", "faq.yaml")
	if got := d.post(t, page+"/accept", file); !strings.Contains(got.Text, `- <Money> back?`) || got.Header.Get("Content-Disposition") != "attachment; filename=faq.yaml" {
		t.Errorf("the file to download: %v", got.Header)
	}
	file.Set("file", "../secret")
	d.want(t, "another file", d.post(t, page+"/accept", file), http.StatusNotFound)
	d.obstacle = ""
	if strings.Contains(d.faq(t), "<Money>") {
		t.Fatal("a change that was refused was made")
	}
	d.want(t, "the change", post(), http.StatusSeeOther)
	if !strings.Contains(d.faq(t), `- <Money> back?`) {
		t.Error("the change was not made")
	}
	d.want(t, "the question after it", d.get(t, page), http.StatusNotFound, "off the list", "/owner/changes")
	d.want(t, "the change again", post(), http.StatusNotFound, "off the list")
}

// TestSynonymOfAQuestion: a word that no answer has is offered as a synonym of one with which the question is answered.
func TestSynonymOfAQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Is there any reimbursement?", "Is there cake?")
	const page = "/owner/questions/1"
	d.shows(t, page, "uses the word “reimbursement”. Does it mean the same as “refunds”?",
		`name="synonyms" value="reimbursement, refunds"`)
	if other := d.get(t, "/owner/questions/2"); strings.Contains(other.Text, "Does it mean the same") {
		t.Errorf("a synonym for a question without one: %s", other.Text)
	}
	form := url.Values{"step": {"edit"}, "synonyms": {"reimbursement, refunds"}}
	opened := d.post(t, "/owner/synonyms", form)
	d.want(t, "the form, filled", opened, http.StatusOK, "\nreimbursement, refunds</textarea>")
	form = formOf(opened)
	form.Del("step")
	form.Set("synonyms", "return, Refunds")
	d.want(t, "saved", d.post(t, "/owner/synonyms", form), http.StatusSeeOther)
	d.shows(t, page, `name="synonyms" value="return, Refunds, reimbursement"`)
}

// TestGoldenQuestions: a change that a test question refuses is made without it, and its undo brings the question back.
func TestGoldenQuestions(t *testing.T) {
	t.Parallel()
	const page = "/owner/answers/new"
	d := newDeskOf(t, "workshop", func(c *owner.Config) {
		c.Curator.Try = func(ctx context.Context, loaded *content.Content, _ content.Digest) error {
			if faults := faq.New(loaded.FAQ, nil, func(url string) string { return url }).CheckGolden(ctx, loaded.Golden); len(faults) > 0 {
				return faults
			}
			return nil
		}
	}).signIn(t)
	before := d.files(t)
	form := formOf(d.get(t, page))
	form.Set("question", "What is the capital of Australia?")
	form.Set("answer", "Canberra.")
	refused := d.post(t, page, form)
	d.want(t, "refused", refused, http.StatusUnprocessableEntity, "should get no answer", `name="golden" value="What is the capital of Australia?"`)
	without := hiddenOf(refused)
	d.want(t, "in German", d.post(t, page, without, "Accept-Language: de"), http.StatusUnprocessableEntity, "Die Testfrage „What is the capital of Australia?“ mit dieser Änderung entfernen")
	without.Set("golden", "What is the capital of Australia?")
	shown := d.post(t, page, without)
	d.want(t, "without it", shown, http.StatusOK, "Make it live", `class="file">--- golden.yaml`, `class="removed">-  - What is the capital of Australia?`, "Canberra.")
	d.want(t, "made", d.post(t, page, hiddenOf(shown)), http.StatusSeeOther)
	d.shows(t, "/owner/changes", "without the test question “What is the capital of Australia?”")
	d.undoAll(t)
	expect.Same(t, "the content after the undo", before, d.files(t))
	d.want(t, "an undo of what is undone", d.get(t, "/owner/changes/1/undo"), http.StatusUnprocessableEntity, "changed again")
	d.want(t, "no change", d.get(t, "/owner/changes/99"), http.StatusNotFound, "not in the history")

	// The answer of a question that must be answered goes to another one.
	golden := d.live.Content.Golden.Answered
	expected := golden[slices.IndexFunc(golden, func(g content.GoldenQuestion) bool { return !slices.Contains(d.live.Content.FactIDs(), g.ID) })]
	d.shows(t, "/owner/answers/"+expected.ID+"/edit")
	form = formOf(d.get(t, "/owner/answers/"+expected.ID+"/edit"))
	form.Set("question", "Zebra?")
	form.Set("alternates", "")
	d.want(t, "a test question of the sample, about an answer of the sample", d.post(t, "/owner/answers/"+expected.ID+"/edit", form), http.StatusOK, "Make it live", `class="file">--- golden.yaml`, html.EscapeString(expected.Q))
	form.Set("answer", "Mine.")
	d.want(t, "an answer that a test question expects", d.post(t, "/owner/answers/"+expected.ID+"/edit", form), http.StatusUnprocessableEntity, "would no longer get its answer", `name="golden" value="`+html.EscapeString(expected.Q)+`"`)
}

// edit adds an alternate to an entry as another editor does.
func (d *desk) edit(t *testing.T, entry, question string) {
	t.Helper()
	change := content.NewChange(os.DirFS(d.content))
	expect.OK(t, change.AddAlternate(entry, "", question))
	expect.OK(t, change.Apply(t.Context(), d.content))
}

func TestChoiceOfQuestions(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	expect.Same(t, "two together", "/owner/questions/1%2C3", d.get(t, "/owner/questions/together?n=1&n=3").Header.Get("Location"))
	d.want(t, "none", d.get(t, "/owner/questions/together"), http.StatusSeeOther)
	for _, path := range []string{"/owner/questions/99", "/owner/questions/x", "/owner/questions/99/accept?entry=refunds", "/owner/answered/99", "/owner/answered/x"} {
		d.want(t, path, d.get(t, path), http.StatusNotFound, "off the list", "To the questions", "Sign out")
	}
}

func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.shows(t, "/owner/questions?show=wrong", "None.", "FRONTDESK_KEEP_ANSWERED=true")
	kept := newDesk(t, func(c *owner.Config) { c.KeepsAnswered = true }).signIn(t)
	if page := kept.get(t, "/owner/questions?show=wrong"); strings.Contains(page.Text, "KEEP_ANSWERED") {
		t.Error("the page asks for what is on")
	}
	number := kept.answerWrongly(t, "How do I get there?", "refunds")
	kept.shows(t, "/owner/questions?show=wrong", "How do I get there?", "did not help once", "Do you offer refunds?")
	page := fmt.Sprintf("/owner/answered/%d", number)
	kept.shows(t, page, "get instead", "None: it should not be answered", "Do you offer refunds?")
	preview := kept.get(t, page+"/accept?entry=unanswered&wording=Where+is+it%3F")
	kept.want(t, "the change", preview, http.StatusOK, "will no longer be answered")
	kept.want(t, "the move", kept.post(t, page+"/accept", hiddenOf(preview)), http.StatusSeeOther)
	kept.shows(t, "/owner/changes", "“Where is it?”: None: it should not be answered")
	if golden := expect.Value(os.ReadFile(filepath.Join(kept.content, "golden.yaml")))(t); !strings.Contains(string(golden), "Where is it?") {
		t.Error("the question is not among those that must not be answered")
	}
	number = kept.answerWrongly(t, "How do I find you?", "refunds")
	page = fmt.Sprintf("/owner/answered/%d", number)
	kept.want(t, "dismiss", kept.post(t, page+"/dismiss", nil), http.StatusSeeOther)
	kept.shows(t, "/owner/questions?show=wrong", "None.")
	kept.shows(t, "/owner/questions?show=dismissed", "How do I find you?", page+"/restore")
	kept.want(t, "restore", kept.post(t, page+"/restore", nil), http.StatusSeeOther)
	kept.shows(t, "/owner/questions?show=wrong", "How do I find you?")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.shows(t, "/owner/answers", "FRONTDESK_KEEP_ANSWERED=true", "not asked yet", "Do you offer refunds?")
	d.shows(t, "/owner/answers/refunds", "FRONTDESK_KEEP_ANSWERED=true", "/owner/answers/refunds/edit")
	if strings.Contains(d.get(t, "/owner/answers/refunds/edit").Text, "(English)") {
		t.Error("the only language is named")
	}
	kept := newDesk(t, func(c *owner.Config) { c.KeepsAnswered = true }).signIn(t)
	kept.answerWrongly(t, "How do I get <there>?", "refunds")
	kept.shows(t, "/owner/answers", "asked 3 times, in one wording, did not help once")
	kept.shows(t, "/owner/answers/refunds", "How do I get &lt;there&gt;?", "/owner/answered/1")
	kept.want(t, "none", kept.get(t, "/owner/answers/nothing"), http.StatusNotFound, "no longer there", "/owner/changes")
}
