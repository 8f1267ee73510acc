package curation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/expect"
	"frontdesk/internal/gaps"
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
  - {q: When do you open?, id: hours}
`

// try checks golden questions by words, as a service without the encoder does.
func try(loaded *content.Content) error {
	book := faq.New(loaded.FAQ, loaded.Golden.Unanswered, faq.DefaultPrecision, func(url string) string { return url })
	if faults := book.CheckGolden(context.Background(), loaded.Golden); len(faults) > 0 {
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
	batch := records.Batch{Answers: []records.Answer{
		{Key: "do you open on sunday", Q: "Do you open on Sunday?", EntryID: "hours", Match: contract.MatchAlternate, Asked: 1, At: now},
		{Key: "when do you open", Q: "When do you open?", EntryID: "hours", Match: contract.MatchExact, Asked: 1, At: now},
		{Key: "do you sell horses", Q: "Do you sell horses?", EntryID: "hours", Match: contract.MatchSelector, Asked: 1, At: now},
	}}
	for _, q := range []string{"What\u202e time do you\u200b unlock the door?", "What times do you unlock the door?", "Is [number] your number?", "Do you bake?"} {
		batch.Questions = append(batch.Questions, records.Asked{Key: content.QuestionKey(q), Q: q, Unanswered: 1, At: now})
	}
	for _, asked := range batch.Questions { // one by one: numbers in this order
		expect.OK(t, expect.ErrorOf(store.AddBatch(t.Context(), records.Batch{Questions: []records.Asked{asked}}, 100)))
	}
	for _, answer := range batch.Answers {
		expect.OK(t, expect.ErrorOf(store.AddBatch(t.Context(), records.Batch{Answers: []records.Answer{answer}}, 100)))
	}
	return &Curator{Store: store, Content: os.DirFS(dir), Dir: dir, Try: try}
}

func (c *Curator) file(t *testing.T, name string) string {
	t.Helper()
	text := expect.Value(os.ReadFile(filepath.Join(c.Dir, name)))(t)
	return string(text)
}

func TestAccept(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change, err := c.Accept(t.Context(), 2, "hours", "")
	expect.OK(t, err)
	const added = "      - What time do you unlock the door?\n"
	if change.Question != "What time do you unlock the door?" || !strings.Contains(change.Diff, "+"+added) {
		t.Errorf("prepared: %q\n%s", change.Question, change.Diff)
	}
	if c.file(t, "faq.yaml") != faqYAML {
		t.Error("the file is changed before Apply")
	}
	expect.OK(t, change.Apply(t.Context()))
	want := strings.Replace(faqYAML, "Sunday?\n", "Sunday?\n"+added, 1)
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	left, err := c.Store.Questions(t.Context())
	if err != nil || len(left) != 2 {
		t.Errorf("%d questions are left, %v; want 2: both wordings are accepted", len(left), err)
	}
	expect.Error(t, "a second Apply", change.Apply(t.Context()), content.ErrChanged)
}

// TestAcceptGroup accepts a question of a page that had no time to group questions: only
// what the page showed is taken off the list, and not the similar wording.
func TestAcceptGroup(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	shown := gaps.Group{Question: records.Question{Number: 2, Q: "What times do you unlock the door?"}, Numbers: []int64{2}}
	change, err := c.AcceptGroup(shown, "hours", "")
	expect.OK(t, err)
	expect.OK(t, change.Apply(t.Context()))
	left, err := c.Store.Questions(t.Context())
	if err != nil || len(left) != 3 || left[0].Number != 1 {
		t.Errorf("left: %+v, %v; want all but number 2", left, err)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	accept := func(number int64, entry, wording string) func() error {
		return func() error { _, err := c.Accept(t.Context(), number, entry, wording); return err }
	}
	move := func(number int64, to, wording string) func() error {
		return func() error { _, err := c.Move(t.Context(), number, to, wording); return err }
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
	c.Try = func(*content.Content) error { return errors.New("a golden question does not hold") }
	if err := accept(4, "hours", "")(); err == nil || !strings.Contains(err.Error(), "golden") {
		t.Errorf("golden questions do not hold: %v", err)
	}
	if c.file(t, "faq.yaml") != faqYAML || c.file(t, "golden.yaml") != goldenYAML {
		t.Error("a refused correction has changed a file")
	}
	c.Try, c.Dir = try, ""
	change, err := c.Accept(t.Context(), 3, "hours", "Which number is yours?")
	if err != nil || change.Diff == "" {
		t.Fatalf("content that cannot be written: %+v, %v", change, err)
	}
	expect.Error(t, "content that cannot be written", change.Apply(t.Context()), ErrReadOnly)
}

func TestMove(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	change, err := c.Move(t.Context(), 1, "sunday", "")
	expect.OK(t, err)
	expect.OK(t, change.Apply(t.Context()))
	want := strings.Replace(faqYAML, "    alternates:\n      - Do you open on Sunday?\n", "", 1)
	want = strings.Replace(want, "on Sundays?\n", "on Sundays?\n    alternates:\n      - Do you open on Sunday?\n", 1)
	expect.Same(t, "faq.yaml", want, c.file(t, "faq.yaml"))
	change, err = c.Move(t.Context(), 3, Unanswered, "")
	expect.OK(t, err)
	expect.OK(t, change.Apply(t.Context()))
	expect.Same(t, "golden.yaml", goldenYAML+"unanswered:\n  - Do you sell horses?\n", c.file(t, "golden.yaml"))
	left, err := c.Store.AnsweredQuestions(t.Context(), records.AnsweredFilter{})
	if err != nil || len(left) != 1 || left[0].Number != 2 {
		t.Errorf("left are %+v, %v; want the second", left, err)
	}
}

func TestDismissAndDelete(t *testing.T) {
	t.Parallel()
	c := newCurator(t)
	if group, err := c.Dismiss(t.Context(), 2); err != nil || len(group.Numbers) != 2 {
		t.Errorf("Dismiss = %+v, %v; want both wordings", group, err)
	}
	if group, err := c.Delete(t.Context(), 4); err != nil || len(group.Numbers) != 1 {
		t.Errorf("Delete = %+v, %v", group, err)
	}
	expect.Error(t, "Delete of a dismissed one", expect.ErrorOf(c.Delete(t.Context(), 1)), ErrNoQuestion)
	left, err := c.Store.Questions(t.Context())
	if err != nil || len(left) != 1 || left[0].Number != 3 {
		t.Errorf("left are %+v, %v; want the third", left, err)
	}
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
		expect.OK(t, c.Store.AddInquiry(t.Context(), inquiry))
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
