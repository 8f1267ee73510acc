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

// newCurator is a curator of the sample's catalog and a small FAQ, with questions.
func newCurator(t *testing.T) *Curator {
	t.Helper()
	dir := t.TempDir()
	expect.OK(t, expect.ErrorOf(content.Init(dir, "")))
	for name, text := range map[string]string{"faq.yaml": faqYAML, "golden.yaml": goldenYAML} {
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	store := expect.Value(records.Open(t.Context(), records.Options{Dir: t.TempDir()}))(t)
	t.Cleanup(func() { _ = store.Close() })
	now := time.Now()
	batch := records.Batch{Answers: []records.Answered{
		{Key: "do you open on sunday", Q: "Do you open on Sunday?", EntryID: "hours", Match: contract.MatchAlternate, Asked: 1, LastAt: now},
		{Key: "when do you open", Q: "When do you open?", EntryID: "hours", Match: contract.MatchExact, Asked: 1, LastAt: now},
		{Key: "do you sell horses", Q: "Do you sell horses?", EntryID: "hours", Match: contract.MatchSelector, Asked: 1, LastAt: now},
	}}
	for _, q := range []string{"What\u202e time do you\u200b unlock the door?", "What times do you unlock the door?", "Is [number] your number?", "Do you bake?"} {
		batch.Questions = append(batch.Questions, records.Question{Key: content.QuestionKey(q), Q: q, Unanswered: 1, LastAt: now})
	}
	for _, asked := range batch.Questions { // one by one: numbers in this order
		expect.OK(t, store.AddBatch(t.Context(), records.Batch{Questions: []records.Question{asked}}, 100))
	}
	for _, answer := range batch.Answers {
		expect.OK(t, store.AddBatch(t.Context(), records.Batch{Answers: []records.Answered{answer}}, 100))
	}
	return &Curator{Store: store, Content: os.DirFS(dir), Dir: dir, Data: t.TempDir(), Source: records.ByCommand, Try: try}
}

// accept prepares to accept a question of the list, and checks that.
func (c *Curator) accept(ctx context.Context, number int64, entry, wording string) (*content.Change, error) {
	group, err := c.Group(ctx, number, c.Groups)
	if err != nil {
		return nil, err
	}
	change, err := c.Accept([]questions.Group{group}, entry, []string{wording})
	return change, c.checked(ctx, change, err)
}

// checked is an error of a change that was prepared, or that of its check.
func (c *Curator) checked(ctx context.Context, change *content.Change, err error) error {
	if err == nil {
		_, _, err = c.Check(ctx, change)
	}
	return err
}

func (c *Curator) file(t *testing.T, name string) string {
	t.Helper()
	text := expect.Value(os.ReadFile(filepath.Join(c.Dir, name)))(t)
	return string(text)
}

func TestAccept(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change, err := c.accept(t.Context(), 2, "hours", "")
	expect.OK(t, err)
	const added = "      - What time do you unlock the door?\n"
	if !strings.Contains(change.Diff(), "+"+added) {
		t.Errorf("prepared:\n%s", change.Diff())
	}
	if c.file(t, "faq.yaml") != faqYAML {
		t.Error("the file is changed before Make")
	}
	expect.OK(t, expect.ErrorOf(c.Make(t.Context(), change)))
	want := strings.Replace(faqYAML, "Sunday?\n", "Sunday?\n"+added, 1)
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	left, err := c.Store.Questions(t.Context())
	if err != nil || len(left) != 2 {
		t.Errorf("%d questions are left, %v; want 2: both wordings are accepted", len(left), err)
	}
	expect.Error(t, "a second Make", expect.ErrorOf(c.Make(t.Context(), change)), content.ErrChanged)
}

// TestHistory: every change is a row, and its undo is one. A picture that was replaced comes
// back.
func TestHistory(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change, err := c.accept(t.Context(), 2, "hours", "")
	expect.OK(t, err)
	expect.OK(t, expect.ErrorOf(c.Make(t.Context(), change)))
	const first, second = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, "\x00\xff"
	expect.OK(t, os.MkdirAll(filepath.Join(c.Dir, "assets"), 0o700))
	expect.OK(t, os.WriteFile(filepath.Join(c.Dir, "assets", "a.svg"), []byte(second), 0o600))
	picture := c.NewChange("another picture")
	expect.OK(t, picture.Write("assets/a.svg", []byte(first)))
	expect.OK(t, expect.ErrorOf(c.Make(t.Context(), picture)))
	rows := expect.Value(c.Store.Changes(t.Context(), records.Page{}))(t)
	if len(rows) != 2 || rows[0].Summary != "another picture" || rows[1].Diff != change.Diff() || rows[1].Source != records.ByCommand ||
		rows[1].Summary != "“What time do you unlock the door?”: answered by hours" || rows[1].From == rows[1].To {
		t.Fatalf("the history is %+v", rows)
	}
	for _, number := range []int64{2, 1} {
		back := expect.Value(c.Undo(t.Context(), number))(t)
		expect.OK(t, expect.ErrorOf(c.Make(t.Context(), back)))
	}
	expect.Same(t, "faq.yaml", faqYAML, c.file(t, "faq.yaml"))
	expect.Same(t, "the picture", second, c.file(t, "assets/a.svg"))
	last := expect.Value(c.Store.Change(t.Context(), 4))(t)
	if last.Undoes != 1 || !strings.HasPrefix(last.Summary, "Undone: “What time") {
		t.Errorf("the undo is %+v", last)
	}
	expect.Error(t, "no change", expect.ErrorOf(c.Undo(t.Context(), 99)), records.ErrNotFound)
	expect.OK(t, expect.ErrorOf(c.Store.AddChange(t.Context(), records.Change{Source: records.ByFile, To: "x", At: time.Now()}, time.Now())))
	expect.Error(t, "a change of which nothing is known", expect.ErrorOf(c.Undo(t.Context(), 5)), ErrNoDiff)
	expect.OK(t, expect.ErrorOf(c.KeepPicture([]byte("uploaded"))))
	for age, want := range map[time.Duration][2]int{time.Hour: {2, 1}, 25 * time.Hour: {2, 0}, records.ChangeAge + time.Hour: {0, 0}} {
		data := filepath.Join(t.TempDir(), "data")
		expect.OK(t, os.CopyFS(data, os.DirFS(c.Data)), PrunePictures(data, time.Now().Add(age)), PrunePictures(t.TempDir(), time.Now()))
		replaced, _ := os.ReadDir(filepath.Join(data, records.ReplacedFolder))
		uploaded, _ := os.ReadDir(filepath.Join(data, records.UploadedFolder))
		expect.Same(t, "replaced and uploaded pictures after "+age.String(), want, [2]int{len(replaced), len(uploaded)})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	accept := func(number int64, entry, wording string) func() error {
		return func() error { return expect.ErrorOf(c.accept(t.Context(), number, entry, wording)) }
	}
	move := func(number int64, to, wording string) func() error {
		return func() error {
			change, err := c.Move(t.Context(), number, to, wording)
			return c.checked(t.Context(), change, err)
		}
	}
	for name, tt := range map[string]struct {
		do   func() error
		is   error
		text string
	}{
		"no question":         {accept(99, "hours", ""), ErrNoQuestion, "99"},
		"masked":              {accept(3, "hours", ""), ErrMasked, "own words"},
		"no entry":            {accept(4, "hors", ""), nil, "hours"},
		"known":               {accept(4, "sunday", "when do you open"), nil, "faq.yaml:"},
		"no answered":         {move(99, "hours", ""), ErrNoQuestion, "99"},
		"the entry's own":     {move(2, "sunday", ""), nil, "itself"},
		"where it is already": {move(1, "hours", ""), nil, "already"},
		"golden of a move":    {move(3, Unanswered, "When do you open? "), nil, "itself"},
	} {
		err := tt.do()
		if err == nil || (tt.is != nil && !errors.Is(err, tt.is)) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: error = %v, want %v with %q", name, err, tt.is, tt.text)
		}
	}
	c.Try = func(context.Context, *content.Content, content.Digest) error {
		return errors.New("a golden question fails")
	}
	if err := accept(4, "hours", "")(); err == nil || !strings.Contains(err.Error(), "golden") {
		t.Errorf("golden questions fail: %v", err)
	}
	if c.file(t, "faq.yaml") != faqYAML || c.file(t, "golden.yaml") != goldenYAML {
		t.Error("a refused correction has changed a file")
	}
	c.Try, c.Dir = try, ""
	change, err := c.accept(t.Context(), 3, "hours", "Which number is yours?")
	if err != nil || change.Diff() == "" {
		t.Fatalf("content that cannot be written: %+v, %v", change, err)
	}
	expect.Error(t, "content that cannot be written", expect.ErrorOf(c.Make(t.Context(), change)), ErrReadOnly)
}

func TestMove(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change, err := c.Move(t.Context(), 1, "sunday", "")
	expect.OK(t, err)
	expect.OK(t, expect.ErrorOf(c.Make(t.Context(), change)))
	want := strings.Replace(faqYAML, "    alternates:\n      - Do you open on Sunday?\n", "", 1)
	want = strings.Replace(want, "on Sundays?\n", "on Sundays?\n    alternates:\n      - Do you open on Sunday?\n", 1)
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	change, err = c.Move(t.Context(), 3, Unanswered, "")
	expect.OK(t, err)
	expect.OK(t, expect.ErrorOf(c.Make(t.Context(), change)))
	expect.Same(t, "golden.yaml", goldenYAML+"\nunanswered:\n  - Do you sell horses?\n", c.file(t, "golden.yaml"))
	left, err := c.Store.AnsweredQuestions(t.Context(), records.AnsweredFilter{})
	if err != nil || len(left) != 1 || left[0].Number != 2 {
		t.Errorf("left are %+v, %v; want the second", left, err)
	}
	expect.OK(t, os.WriteFile(filepath.Join(c.Dir, "catalog.yaml"), []byte("business: {name: A, summary: A, hours: {mon: 9-17}}\ncurrency: EUR\nservices: [{id: cut, name: Cut, summary: S, description: D, price: 55}]\n"), 0o600))
	loaded := expect.Value(content.Load(c.Content))(t)
	change = c.NewChange("")
	expect.OK(t, takeAway(change, loaded, loaded.FAQ.Entry("hours").Alternates[0], Unanswered))
	expect.Same(t, "changes for a wording of the fact", "", change.Diff())
}

// TestErase removes rows and files of one person, and leaves those of another.
func TestErase(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	dir := t.TempDir()
	folder := mailer.FolderOf(dir)
	now := time.Now().UTC()
	for id, email := range map[string]string{"inq_1": "ada@example.com", "inq_2": "Ada@EXAMPLE.com", "inq_3": "bob@example.com"} {
		inquiry := records.Inquiry{ID: id, MessageID: id + "@example.org", Email: email, Name: "N", Business: "B", Message: "M", State: records.Sent, CreatedAt: now}
		expect.OK(t, expect.ErrorOf(c.Store.AddInquiry(t.Context(), inquiry, records.Key{})))
		mail := mailer.Message{ID: inquiry.MessageID, From: "desk@example.org", To: "owner@example.org", ReplyTo: email, Subject: "S", Text: "ada@example.com", Date: now}
		expect.OK(t, folder.Send(t.Context(), mail))
	}
	expect.OK(t, os.WriteFile(filepath.Join(dir, "mail", "notes.txt"), []byte("Reply-To: ada@example.com\r\n\r\n"), 0o600))
	erased, err := Erase(t.Context(), c.Store, folder, "ADA@example.com")
	if err != nil || erased.Inquiries != 2 || len(erased.Mails) != 2 {
		t.Errorf("Erase = %+v, %v; want two inquiries and mails", erased, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "mail", "*")); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v; want the mail of another person and a file that is no mail", left, err)
	}
	deleted, files, err := DeleteInquiry(t.Context(), c.Store, folder, "inq_3")
	if err != nil || deleted.Email != "bob@example.com" || files != 1 {
		t.Errorf("DeleteInquiry = %+v, %d, %v", deleted, files, err)
	}
	if _, _, err := DeleteInquiry(t.Context(), c.Store, mailer.FolderOf(t.TempDir()), "inq_3"); !errors.Is(err, records.ErrNotFound) {
		t.Errorf("a second time: %v", err)
	}
	expect.Error(t, "its detail", expect.ErrorOf(Inquiry(t.Context(), c.Store, "inq_3")), records.ErrNotFound)
}

// TestGroups: what is asked, asked again, taken off the list or brought back since the last look is grouped as if all were
// read anew.
func TestGroups(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	ask := func(q string, at time.Time) func() error {
		return func() error {
			batch := records.Batch{Questions: []records.Question{{Key: content.QuestionKey(q), Q: q, Unanswered: 1, LastAt: at}}}
			return c.Store.AddBatch(t.Context(), batch, 100)
		}
	}
	act := func(action records.QuestionAction, number int64) func() error {
		return func() error { return expect.ErrorOf(c.Store.ActOnQuestions(t.Context(), action, number)) }
	}
	now := time.Now()
	for _, step := range []struct {
		name   string
		do     func() error
		groups string // the numbers of each
	}{
		{"at first", func() error { return nil }, "[1 2] [3] [4]"},
		{"a new one", ask("Do you sing?", now), "[1 2] [3] [4] [5]"},
		{"one like another", ask("Do you bake??!", now), "[1 2] [4] [3] [5]"},
		{"another wording", ask("Do you baked?", now), "[4 6] [1 2] [3] [5]"},
		{"one that is stored late", ask("Is it far?", now.Add(-time.Hour)), "[4 6] [1 2] [3] [5] [7]"},
		{"one is dismissed", act(records.Dismiss, 4), "[1 2] [3] [5] [6] [7]"},
		{"it is back", act(records.Reopen, 4), "[4 6] [1 2] [3] [5] [7]"},
		{"one is deleted", act(records.Delete, 7), "[4 6] [1 2] [3] [5]"},
	} {
		expect.OK(t, step.do())
		got := expect.Value(c.Groups(t.Context()))(t)
		var numbers []string
		for _, group := range got {
			numbers = append(numbers, fmt.Sprint(group.Numbers))
		}
		expect.Same(t, step.name, step.groups, strings.Join(numbers, " "))
		anew := Curator{Store: c.Store}
		expect.Same(t, step.name+", read anew", expect.Value(anew.Groups(t.Context()))(t), got)
	}
}

// TestUndoNamesTheLaterChange: an undo that would overwrite a later change names its number and its words.
func TestUndoNamesTheLaterChange(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	for _, answer := range []string{"At ten.", "At eleven."} {
		change := c.NewChange("“When do you open?”: " + answer)
		expect.OK(t, change.Set("faq.yaml", content.Path{"entries", 0, "answer"}, answer))
		expect.OK(t, expect.ErrorOf(c.Make(t.Context(), change)))
	}
	_, err := c.Undo(t.Context(), 1)
	if want := "faq.yaml › entries › hours › answer was changed again since, by 2 (“When do you open?”: At eleven.)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
