package curation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/expect"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

const faqYAML = `fallback: Write to us.

entries:
  - id: hours # times
    question: When do you open?
    alternates:
      - Do you open on Sunday?
    answer: At nine.

  - id: sunday
    question: Is the shop open on Sundays?
    answer: Never on a Sunday.
`

const goldenYAML = `answered:
  - {q: "When do you open?", id: hours}
`

// try checks golden questions by words, as a service without the encoder does.
func try(_ context.Context, loaded *content.Content, _ content.Digest) error {
	answerer := faq.New(loaded.FAQ, loaded.Golden.Unanswered, func(url string) string { return url })
	if faults := answerer.CheckGolden(context.Background(), loaded.Golden); len(faults) > 0 {
		return faults
	}
	return nil
}

func newCurator(t *testing.T) *Curator {
	t.Helper()
	dir := t.TempDir()
	expect.Value(content.Init(dir, ""))(t)
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: t.TempDir()}))(t)
	t.Cleanup(func() { _ = store.Close() })
	c := &Curator{Store: store, Content: os.DirFS(dir), Dir: dir, Data: t.TempDir(), Source: records.ByCommand, Try: try}
	now := time.Now()
	// One by one: numbers in this order.
	for _, q := range []string{"What\u202e time do you\u200b unlock the door?", "What times do you unlock the door?",
		"Is [number] your number?", "Do you bake?"} {
		c.ask(t, q, now)
	}
	for _, a := range []records.Answered{
		{Q: "Do you open on Sunday?", Match: contract.MatchAlternate}, {Q: "When do you open?", Match: contract.MatchExact},
		{Q: "Do you sell horses?", Match: contract.MatchSelector},
	} {
		a.Key, a.EntryID, a.Asked, a.LastAt = content.QuestionKey(a.Q), "hours", 1, now
		expect.OK(t, store.AddBatch(t.Context(), records.Batch{Answers: []records.Answered{a}}, 100))
	}
	c.write(t, "faq.yaml", faqYAML)
	c.write(t, "golden.yaml", goldenYAML)
	return c
}

func (c *Curator) ask(t *testing.T, q string, at time.Time) {
	t.Helper()
	asked := records.Question{Key: content.QuestionKey(q), Q: q, Unanswered: 1, LastAt: at}
	expect.OK(t, c.Store.AddBatch(t.Context(), records.Batch{Questions: []records.Question{asked}}, 100))
}

func (c *Curator) act(t *testing.T, action records.QuestionAction, q string) {
	t.Helper()
	expect.Value(c.Store.ActOnQuestions(t.Context(), action, content.QuestionKey(q)))(t)
}

func (c *Curator) accept(ctx context.Context, number int64, entry, wording string) (*content.Change, error) {
	group, err := c.Group(ctx, number, c.Groups)
	if err != nil {
		return nil, err
	}
	change, err := c.Accept([]questions.Group{group}, entry, []string{wording})
	return change, c.checked(ctx, change, err)
}

func (c *Curator) checked(ctx context.Context, change *content.Change, err error) error {
	if err == nil {
		_, _, err = c.Check(ctx, change)
	}
	return err
}

func (c *Curator) file(t *testing.T, name string) string {
	t.Helper()
	return expect.File(t, filepath.Join(c.Dir, name))
}

func (c *Curator) write(t *testing.T, name, text string) {
	t.Helper()
	expect.Write(t, filepath.Join(c.Dir, name), text)
}

func (c *Curator) make(t *testing.T, change *content.Change) {
	t.Helper()
	expect.Value(c.Make(t.Context(), change))(t)
}

func TestAccept(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change := expect.Value(c.accept(t.Context(), 2, "hours", ""))(t)
	const added = "      - What time do you unlock the door?\n"
	expect.Holds(t, "what is prepared", change.Diff(), "+"+added)
	expect.Same(t, "faq.yaml before Make", faqYAML, c.file(t, "faq.yaml"))
	c.make(t, change)
	want := strings.Replace(faqYAML, "Sunday?\n", "Sunday?\n"+added, 1)
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	expect.Same(t, "questions left", 2, len(expect.Value(c.Store.Questions(t.Context()))(t)))
	expect.Error(t, "a second Make", expect.ErrorOf(c.Make(t.Context(), change)), content.ErrChanged)
}

func TestHistory(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change := expect.Value(c.accept(t.Context(), 2, "hours", ""))(t)
	c.make(t, change)
	const first, second = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, "\x00\xff"
	expect.OK(t, os.MkdirAll(filepath.Join(c.Dir, "assets"), 0o700))
	c.write(t, "assets/a.svg", second)
	picture := c.NewChange("another picture")
	expect.OK(t, picture.Write("assets/a.svg", []byte(first)))
	c.make(t, picture)
	rows := expect.Value(c.Store.Changes(t.Context(), records.Page{}))(t)
	if len(rows) != 2 || rows[0].Summary != "another picture" || rows[1].Diff != change.Diff() || rows[1].Source != records.ByCommand ||
		rows[1].Summary != "“What time do you unlock the door?”: answered by hours" || rows[1].From == rows[1].To {
		t.Fatalf("the history is %+v", rows)
	}
	open := func() int { return len(expect.Value(c.Store.Questions(t.Context()))(t)) }
	left := open()
	for i, number := range []int64{2, 1, 4, 5} { // the last two make the first change again, and undo it again
		c.make(t, expect.Value(c.Undo(t.Context(), number))(t))
		expect.Same(t, "open questions", left+[]int{0, 2, 0, 2}[i], open())
	}
	expect.Same(t, "faq.yaml", faqYAML, c.file(t, "faq.yaml"))
	expect.Same(t, "the picture", second, c.file(t, "assets/a.svg"))
	last := expect.Value(c.Store.Change(t.Context(), 4))(t)
	if last.Undoes != 1 || !strings.HasPrefix(last.Summary, "Undone: “What time") {
		t.Errorf("the undo is %+v", last)
	}
	expect.Error(t, "no change", expect.ErrorOf(c.Undo(t.Context(), 99)), records.ErrNotFound)
	expect.Value(c.Store.AddChange(t.Context(), records.Change{Source: records.ByFile, To: "x", At: time.Now()},
		time.Now()))(t)
	expect.Error(t, "a change without a diff", expect.ErrorOf(c.Undo(t.Context(), 7)), ErrNoDiff)
	expect.Value(c.KeepPicture([]byte("uploaded")))(t)
	for age, want := range map[time.Duration][2]int{time.Hour: {1, 1}, 25 * time.Hour: {1, 0}, records.ChangeAge + time.Hour: {0, 0}} {
		data := filepath.Join(t.TempDir(), "data")
		expect.OK(t, os.CopyFS(data, os.DirFS(c.Data)), PrunePictures(data, time.Now().Add(age)), PrunePictures(t.TempDir(), time.Now()))
		replaced, _ := os.ReadDir(filepath.Join(data, records.ReplacedFolder))
		uploaded, _ := os.ReadDir(filepath.Join(data, records.UploadedFolder))
		expect.Same(t, "replaced and uploaded pictures after "+age.String(), want, [2]int{len(replaced), len(uploaded)})
	}
}

// The number of a deleted question may be reused.
func TestUndoKeepsOtherQuestions(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	c.make(t, expect.Value(c.accept(t.Context(), 4, "hours", ""))(t))
	c.act(t, records.Delete, "Do you bake?")
	c.ask(t, "Do you sing?", time.Now())
	c.act(t, records.Dismiss, "Do you sing?")
	c.make(t, expect.Value(c.Undo(t.Context(), 1))(t))
	dismissed := expect.Value(c.Store.DismissedQuestions(t.Context()))(t)
	if len(dismissed) != 1 || dismissed[0].Number != 4 {
		t.Errorf("dismissed are %+v", dismissed)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	accept := func(number int64, entry, wording string) error {
		return expect.ErrorOf(c.accept(t.Context(), number, entry, wording))
	}
	move := func(number int64, to, wording string) error {
		change, err := c.Move(t.Context(), number, to, wording)
		return c.checked(t.Context(), change, err)
	}
	for _, tt := range []struct {
		name    string
		err, is error
		text    string
	}{
		{"no question", accept(99, "hours", ""), ErrNoQuestion, "99"},
		{"masked", accept(3, "hours", ""), ErrMasked, "own words"},
		{"no entry", accept(4, "hors", ""), nil, "hours"},
		{"known", accept(4, "sunday", "when do you open"), nil, "faq.yaml:"},
		{"no answered", move(99, "hours", ""), ErrNoQuestion, "99"},
		{"the entry's own", move(2, "sunday", ""), nil, "itself"},
		{"where it is already", move(1, "hours", ""), nil, "already"},
		{"golden of a move", move(3, Unanswered, "When do you open? "), nil, "itself"},
	} {
		expect.Says(t, tt.name, tt.err, tt.text)
		if tt.is != nil {
			expect.Error(t, tt.name, tt.err, tt.is)
		}
	}
	c.Try = func(context.Context, *content.Content, content.Digest) error {
		return errors.New("a golden question fails")
	}
	expect.Says(t, "golden questions fail", accept(4, "hours", ""), "golden")
	expect.Same(t, "the files after a refusal", faqYAML+goldenYAML, c.file(t, "faq.yaml")+c.file(t, "golden.yaml"))
	c.Try, c.Dir = try, ""
	change := expect.Value(c.accept(t.Context(), 3, "hours", "Which number is yours?"))(t)
	expect.Holds(t, "the change", change.Diff(), "Which number is yours?")
	expect.Error(t, "content that cannot be written", expect.ErrorOf(c.Make(t.Context(), change)), ErrReadOnly)
}

func TestMove(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change := expect.Value(c.Move(t.Context(), 1, "sunday", ""))(t)
	c.make(t, change)
	want := strings.Replace(faqYAML, "    alternates:\n      - Do you open on Sunday?\n", "", 1)
	want = strings.Replace(want, "on Sundays?\n", "on Sundays?\n    alternates:\n      - Do you open on Sunday?\n", 1)
	c.make(t, expect.Value(c.Undo(t.Context(), 1))(t))
	expect.Same(t, "answered again", 3, expect.Value(c.Store.CountAnswered(t.Context(), records.AnsweredFilter{}))(t))
	c.make(t, expect.Value(c.Undo(t.Context(), 2))(t))
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	change = expect.Value(c.Move(t.Context(), 3, Unanswered, ""))(t)
	c.make(t, change)
	expect.Same(t, "golden.yaml", goldenYAML+"\nunanswered:\n  - Do you sell horses?\n", c.file(t, "golden.yaml"))
	left := expect.Value(c.Store.AnsweredQuestions(t.Context(), records.AnsweredFilter{}))(t)
	if len(left) != 1 || left[0].Number != 2 {
		t.Errorf("left are %+v, want the second", left)
	}
	c.write(t, "catalog.yaml", "business: {name: A, summary: A, hours: {mon: 9-17}}\ncurrency: EUR\n"+
		"services: [{id: cut, name: Cut, summary: S, description: D, price: 55}]\n")
	loaded := expect.Value(content.Load(c.Content))(t)
	change = c.NewChange("")
	expect.OK(t, takeAway(change, loaded, loaded.FAQ.Entry("hours").Alternates[0], Unanswered))
	expect.Same(t, "changes for a wording of the fact", "", change.Diff())
}

func TestErase(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	dir := t.TempDir()
	folder := mailer.FolderOf(dir)
	now := time.Now().UTC()
	for id, email := range map[string]string{"inq_1": "ada@example.com", "inq_2": "Ada@EXAMPLE.com", "inq_3": "bob@example.com"} {
		inquiry := records.Inquiry{ID: id, MessageID: id + "@example.org", Email: email, State: records.Sent, CreatedAt: now}
		expect.Value(c.Store.AddInquiry(t.Context(), inquiry, records.Key{}))(t)
		mail := mailer.Message{ID: inquiry.MessageID, From: "desk@example.org", To: "owner@example.org", ReplyTo: email, Subject: "S", Text: "ada@example.com", Date: now}
		expect.OK(t, folder.Send(t.Context(), mail))
	}
	expect.Write(t, filepath.Join(dir, "mail", "notes.txt"), "Reply-To: ada@example.com\r\n\r\n")
	erased := expect.Value(Erase(t.Context(), c.Store, folder, "ADA@example.com"))(t)
	expect.Same(t, "erased inquiries and mails", [2]int{2, 2}, [2]int{erased.Inquiries, len(erased.Mails)})
	left := expect.Value(filepath.Glob(filepath.Join(dir, "mail", "*")))(t)
	expect.Same(t, "files that are left", 2, len(left)) // the mail of another person, and one that is no mail
	deleted, files, err := DeleteInquiry(t.Context(), c.Store, folder, "inq_3")
	if err != nil || deleted.Email != "bob@example.com" || files != 1 {
		t.Errorf("DeleteInquiry = %+v, %d, %v", deleted, files, err)
	}
	_, _, err = DeleteInquiry(t.Context(), c.Store, folder, "inq_3")
	expect.Error(t, "a second time", err, records.ErrNotFound)
	expect.Error(t, "its detail", expect.ErrorOf(Inquiry(t.Context(), c.Store, "inq_3")), records.ErrNotFound)
}

func TestGroups(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	now := time.Now()
	for _, step := range []struct {
		name   string
		do     func()
		groups string // the numbers of each
	}{
		{"at first", func() {}, "[1 2] [3] [4]"},
		{"a new one", func() { c.ask(t, "Do you sing?", now) }, "[1 2] [3] [4] [5]"},
		{"one like another", func() { c.ask(t, "Do you bake??!", now) }, "[1 2] [4] [3] [5]"},
		{"another wording", func() { c.ask(t, "Do you baked?", now) }, "[4 6] [1 2] [3] [5]"},
		{"one that is stored late", func() { c.ask(t, "Is it far?", now.Add(-time.Hour)) }, "[4 6] [1 2] [3] [5] [7]"},
		{"one is dismissed", func() { c.act(t, records.Dismiss, "Do you bake?") }, "[1 2] [3] [5] [6] [7]"},
		{"it is back", func() { c.act(t, records.Reopen, "Do you bake?") }, "[4 6] [1 2] [3] [5] [7]"},
		{"one is deleted", func() { c.act(t, records.Delete, "Is it far?") }, "[4 6] [1 2] [3] [5]"},
	} {
		step.do()
		got := expect.Value(c.Groups(t.Context()))(t)
		var numbers []string
		for _, group := range got {
			numbers = append(numbers, fmt.Sprint(group.Numbers))
		}
		expect.Same(t, step.name, step.groups, strings.Join(numbers, " "))
	}
}

func TestUndoNamesTheLaterChange(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	for _, answer := range []string{"At ten.", "At eleven."} {
		change := c.NewChange("“When do you open?”: " + answer)
		expect.OK(t, change.Set("faq.yaml", content.Path{"entries", "hours", "answer"}, answer))
		c.make(t, change)
	}
	expect.Says(t, "Undo", expect.ErrorOf(c.Undo(t.Context(), 1)),
		"faq.yaml › entries › hours › answer was changed again since, by 2 (“When do you open?”: At eleven.)")
}
