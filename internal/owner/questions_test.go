package owner_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/expect"
	"frontdesk/internal/gaps"
	"frontdesk/internal/owner"
	"frontdesk/internal/records"
)

// fakeCorrections notes what was done, and refuses what a test says.
type fakeCorrections struct {
	store    *records.Store
	done     []string
	refuse   string
	obstacle string
	diff     string
}

func (c *fakeCorrections) change(what string) (owner.Change, error) {
	if c.refuse != "" {
		return owner.Change{}, &owner.Refused{Text: c.refuse}
	}
	return owner.Change{Diff: c.diff, Apply: func(context.Context) error {
		c.done = append(c.done, what)
		return nil
	}}, nil
}

func (c *fakeCorrections) Accept(group gaps.Group, entryID, wording string) (owner.Change, error) {
	return c.change(fmt.Sprintf("accept %v for %s as %s", group.Numbers, entryID, wording))
}

func (c *fakeCorrections) Move(_ context.Context, number int64, to, wording string) (owner.Change, error) {
	return c.change(fmt.Sprintf("move %d to %s as %s", number, to, wording))
}

func (c *fakeCorrections) Dismiss(ctx context.Context, group gaps.Group) error {
	c.done = append(c.done, fmt.Sprintf("dismiss %v", group.Numbers))
	return c.store.DismissQuestions(ctx, group.Numbers...)
}

func (c *fakeCorrections) Obstacle() string { return c.obstacle }

const sampleDiff = "--- faq.yaml\n+++ faq.yaml\n@@ -1,2 +1,3 @@\n   - id: refunds # <first>\n+      - \"Money back?\"\n     answer: |\n"

// ask stores questions that were not answered, and one that was answered wrongly.
func (d *desk) ask(t *testing.T, questions ...string) {
	t.Helper()
	var batch records.Batch
	for i, q := range questions {
		batch.Questions = append(batch.Questions, records.Asked{Key: content.QuestionKey(q), Q: q, Unanswered: len(questions) - i, At: time.Now()})
	}
	expect.Value(d.store.AddBatch(t.Context(), batch, int(1e6)))(t)
}

// answerWrongly stores a question with an answer that did not help, and returns its number.
func (d *desk) answerWrongly(t *testing.T, q, entryID string) int64 {
	t.Helper()
	mark := records.Feedback{Q: q, Key: content.QuestionKey(q), EntryID: entryID, Client: "c", CreatedAt: time.Now()}
	batch := records.Batch{
		Answers:  []records.Answer{{Key: content.QuestionKey(q), Q: q, EntryID: entryID, Match: contract.MatchSelector, Sureness: .9, Asked: 3, At: time.Now()}},
		Feedback: []records.Feedback{mark},
	}
	expect.Value(d.store.AddBatch(t.Context(), batch, int(1e6)))(t)
	found, err := d.store.AnsweredQuestions(t.Context(), records.AnsweredFilter{Wrong: true})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d wrong answers, %v", len(found), err)
	}
	return found[0].Number
}

func TestQuestionList(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.want(t, "none", d.get(t, "/owner/questions"), http.StatusOK, "every question was answered")
	d.ask(t, "Do you sell <b>bicycles</b>?", "Is there a tram\u202e nearby", "May dogs come in?")
	d.want(t, "three", d.get(t, "/owner/questions"), http.StatusOK, "Do you sell &lt;b&gt;bicycles&lt;/b&gt;?", "asked 3 times", "Is there a tram nearby", "asked once")
	found := d.get(t, "/owner/questions?q=TRAM")
	d.want(t, "a search", found, http.StatusOK, "1 question with", "tram")
	if strings.Contains(found.Text, "bicycles") {
		t.Error("the search finds everything")
	}
	d.ask(t, "A new one about elephants")
	d.want(t, "a question that came since", d.get(t, "/owner/questions"), http.StatusOK, "elephants")
}

func TestAcceptAQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Can I have my money back?")
	page := "/owner/questions/1"
	d.want(t, "the question", d.get(t, page), http.StatusOK, "Which answer should it get?", `value="refunds" checked`, `value="Can I have my money back?"`)
	check := page + "/accept?" + url.Values{"entry": {"refunds"}, "wording": {"Money back?"}}.Encode()
	preview := d.get(t, check)
	d.want(t, "the change", preview, http.StatusOK, `class="added"`, "&#34;Money back?&#34;", "&lt;first&gt;", "Make it live", "“Money back?” will get the answer to")
	if len(d.corrections.done) != 0 {
		t.Fatalf("looking at a change has made it: %v", d.corrections.done)
	}
	digest := regexp.MustCompile(`name="digest" value="([0-9a-f]{64})"`).FindStringSubmatch(preview.Text)[1]
	form := d.form(t, check, "entry", "refunds", "wording", "Money back?", "digest", digest)
	post := func() answer { return d.send(t, http.MethodPost, page+"/accept", form) }

	d.corrections.diff = strings.Replace(sampleDiff, "answer", "answers", 1)
	d.want(t, "after another change of the files", post(), http.StatusOK, "changed meanwhile")
	d.corrections.diff = sampleDiff
	d.corrections.refuse = "golden.yaml:7: the question would get another answer"
	d.want(t, "a golden question that does not hold", post(), http.StatusUnprocessableEntity, "golden.yaml:7", "cannot be made")
	d.corrections.refuse, d.corrections.obstacle = "", "The folder is not writable."
	d.want(t, "a folder that is not writable", post(), http.StatusOK, "The folder is not writable. Paste these lines", "<textarea", "      - &#34;Money back?&#34;")
	d.corrections.obstacle = ""
	form.Set("form_token", "x")
	d.want(t, "a form of another site", post(), http.StatusForbidden)
	if len(d.corrections.done) != 0 {
		t.Fatalf("a change that was refused was made: %v", d.corrections.done)
	}
	form = d.form(t, check, "entry", "refunds", "wording", "Money back?", "digest", digest)
	d.want(t, "the change", post(), http.StatusSeeOther)
	if got := fmt.Sprint(d.corrections.done); got != "[accept [1] for refunds as Money back?]" {
		t.Errorf("done: %s", got)
	}
}

func TestChoiceOfAnEntry(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Can I have my money back?")
	d.want(t, "nothing chosen", d.get(t, "/owner/questions/1/accept?entry=other&other="), http.StatusUnprocessableEntity, "choose an answer")
	d.want(t, "from the list", d.get(t, "/owner/questions/1/accept?entry=other&other=refunds&wording=x"), http.StatusOK, `name="entry" value="refunds"`)
	for _, path := range []string{"/owner/questions/99", "/owner/questions/x", "/owner/questions/99/accept?entry=refunds", "/owner/answered/99", "/owner/answered/x"} {
		d.want(t, path, d.get(t, path), http.StatusNotFound)
	}
}

func TestDismissAQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.ask(t, "Can I have my money back?", "Do you like elephants?")
	d.want(t, "dismiss", d.send(t, http.MethodPost, "/owner/questions/1/dismiss", d.form(t, "/owner/questions/1")), http.StatusSeeOther)
	list := d.get(t, "/owner/questions?notice=dismissed")
	d.want(t, "the list", list, http.StatusOK, "elephants", "off the list")
	if strings.Contains(list.Text, "money back") {
		t.Error("the question is still on the list")
	}
	d.want(t, "without a token", d.send(t, http.MethodPost, "/owner/questions/2/dismiss", url.Values{}), http.StatusForbidden)
}

func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.want(t, "none", d.get(t, "/owner/questions?show=wrong"), http.StatusOK, "None.", "FRONTDESK_KEEP_ANSWERED=true")
	kept := newDesk(t, func(c *owner.Config) { c.KeepsAnswered = true }).signIn(t)
	if page := kept.get(t, "/owner/questions?show=wrong"); strings.Contains(page.Text, "KEEP_ANSWERED") {
		t.Error("the page asks for what is on")
	}
	number := kept.answerWrongly(t, "How do I get there?", "refunds")
	kept.want(t, "one", kept.get(t, "/owner/questions?show=wrong"), http.StatusOK, "How do I get there?", "did not help once", "Do you offer refunds?")
	page := fmt.Sprintf("/owner/answered/%d", number)
	kept.want(t, "the question", kept.get(t, page), http.StatusOK, "get instead", "None: it should not be answered", "Do you offer refunds?")
	preview := kept.get(t, page+"/accept?entry=unanswered&wording=Where+is+it%3F")
	kept.want(t, "the change", preview, http.StatusOK, "will not be answered any more")
	digest := regexp.MustCompile(`name="digest" value="([0-9a-f]{64})"`).FindStringSubmatch(preview.Text)[1]
	kept.want(t, "the move", kept.send(t, http.MethodPost, page+"/accept", kept.form(t, page, "entry", "unanswered", "wording", "Where is it?", "digest", digest)), http.StatusSeeOther)
	if got := fmt.Sprint(kept.corrections.done); got != fmt.Sprintf("[move %d to unanswered as Where is it?]", number) {
		t.Errorf("done: %s", got)
	}
	kept.want(t, "dismiss", kept.send(t, http.MethodPost, page+"/dismiss", kept.form(t, page)), http.StatusSeeOther)
	kept.want(t, "after it", kept.get(t, "/owner/questions?show=wrong"), http.StatusOK, "None.")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.want(t, "off", d.get(t, "/owner/answers"), http.StatusOK, "FRONTDESK_KEEP_ANSWERED=true", "not asked yet", "Do you offer refunds?")
	d.want(t, "off", d.get(t, "/owner/answers/refunds"), http.StatusOK, "FRONTDESK_KEEP_ANSWERED=true", "edit <code>faq.yaml</code>, line")
	kept := newDesk(t, func(c *owner.Config) { c.KeepsAnswered = true }).signIn(t)
	kept.answerWrongly(t, "How do I get <there>?", "refunds")
	kept.want(t, "the list", kept.get(t, "/owner/answers"), http.StatusOK, "asked 3 times, in 1 wording, did not help once")
	kept.want(t, "one", kept.get(t, "/owner/answers/refunds"), http.StatusOK, "How do I get &lt;there&gt;?", "/owner/answered/1")
	kept.want(t, "none", kept.get(t, "/owner/answers/nothing"), http.StatusNotFound)
}

func TestDeleteAnInquiry(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_1", records.Failed)
	d.add(t, "inq_2", records.Pending, func(i *records.Inquiry) {
		i.Lease = records.Lease{Owner: "x", Until: time.Now().Add(time.Minute)}
	})
	form := d.form(t, "/owner/inquiries/inq_1")
	got := d.send(t, http.MethodPost, "/owner/inquiries/inq_2/delete", form)
	if to := got.Header.Get("Location"); to != "/owner/inquiries/inq_2?notice=sending" {
		t.Errorf("while its mail is under way: %s", to)
	}
	got = d.send(t, http.MethodPost, "/owner/inquiries/inq_1/delete", form)
	if to := got.Header.Get("Location"); to != "/owner/inquiries?notice=deleted" {
		t.Errorf("deleted leads to %s", to)
	}
	d.want(t, "after it", d.get(t, "/owner/inquiries/inq_1"), http.StatusNotFound)
}

func TestTries(t *testing.T) {
	t.Parallel()
	d := newDesk(t).signIn(t)
	d.add(t, "inq_1", records.Failed)
	d.outcome = records.Failed
	form := d.form(t, "/owner/inquiries/inq_1")
	for range 2 {
		d.send(t, http.MethodPost, "/owner/inquiries/inq_1/send", form)
	}
	page := d.get(t, "/owner/inquiries/inq_1")
	d.want(t, "the inquiry", page, http.StatusOK, "Every try to send it")
	if n := strings.Count(page.Text, "</span> the server said no"); n != 2 {
		t.Errorf("%d tries with their reasons, want 2", n)
	}
}
