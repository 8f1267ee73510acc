// Package curation carries out an owner's decisions. On questions: make one an alternate of
// an entry, move one to another entry or to those that must stay unanswered, dismiss or
// delete one. On the data of a person: delete an inquiry, or everything. The commands and
// the owner's pages share it.
//
// A correction changes the content folder by a line, and only after the whole folder was
// checked with it, golden questions included.
package curation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/internal/disk"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

// Unanswered is where Move takes a question that no entry must answer: the list of that
// name in golden.yaml.
const Unanswered = "unanswered"

var (
	// ErrNoQuestion reports a number that no question has.
	ErrNoQuestion = errors.New("there is no such question")
	// ErrMasked reports a question whose parts are masked: its text cannot be an alternate.
	ErrMasked = errors.New("parts of the question are masked: give the wording in your own words")
	// ErrOwnQuestion reports a wording that is the question of an entry itself.
	ErrOwnQuestion = errors.New("is the question of the entry itself: change it in faq.yaml")
	// ErrAlternate reports a wording that is an alternate of the entry already.
	ErrAlternate = errors.New("is an alternate of the entry already")
	// ErrReadOnly reports content that cannot be written, such as the embedded sample.
	ErrReadOnly = errors.New("the content cannot be written here")
	// ErrNotLive reports a change that is in the files, but not live.
	ErrNotLive = errors.New("the change is in the files, but not live")
	// ErrNotRecorded reports a change that is in the files and may not be in the history.
	ErrNotRecorded = errors.New("the content was changed, but the history may lack it, so that it cannot be undone")
	// ErrNotWritten reports a change that could not be written to the files.
	ErrNotWritten = errors.New("the content was not changed")
	// ErrNoDiff reports a change of which only the time is known.
	ErrNoDiff = errors.New("it is not known what was changed in the files, so it cannot be undone")
)

// Curator prepares, checks and applies changes of the content; every change goes through it.
type Curator struct {
	Store   *records.Store
	Content fs.FS  // the content folder
	Dir     string // the same folder, to write to; empty for content that cannot be written
	Data    string // the data folder, for pictures that are replaced
	Source  records.ChangeSource
	// Try builds checked content as a start would. It fails when a golden question does
	// not hold.
	Try func(ctx context.Context, loaded *content.Content, state content.Digest) error
	// Live makes the files live once they are changed; nil leaves that to the service.
	Live func(ctx context.Context) error
}

// NewChange returns a change of the content, to be prepared.
func (c *Curator) NewChange(summary string) *content.Change {
	change := content.NewChange(c.Content)
	change.Summary = summary
	return change
}

// Check loads the content as a change would leave it and tries it, golden questions
// included, and returns it with its revision. The error is content.Diagnostics or that of Try; its
// text is for the owner.
func (c *Curator) Check(ctx context.Context, change *content.Change) (loaded *content.Content, revision string,
	err error) {
	loaded, state, err := content.LoadWithDigest(change)
	if err == nil {
		err = c.Try(ctx, loaded, state)
	}
	return loaded, state.Revision(), err
}

// Make makes a change that was checked, waits until it is live, and returns its number in the history. The error is
// ErrNotWritten if the files are unchanged. Errors of the database, such as ErrNotRecorded, and of Live come after the
// files are changed.
func (c *Curator) Make(ctx context.Context, change *content.Change) (number int64, err error) {
	if c.Dir == "" {
		return 0, fmt.Errorf("%w: %w", ErrNotWritten, ErrReadOnly)
	}
	known := time.Now()
	_, before, _ := content.LoadWithDigest(c.Content) // faulty content has a state too
	_, after, _ := content.LoadWithDigest(change)
	err = Keep(c.Data, change)
	if err == nil {
		err = change.Apply(ctx, c.Dir)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNotWritten, err)
	}
	number, err = c.Store.AddChange(ctx, records.Change{
		Source: c.Source, Summary: change.Summary, Diff: change.Diff(), Edits: change.Edits().String(), Undoes: change.Undoes,
		From: before.Revision(), To: after.Revision(), At: time.Now(),
	}, known)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrNotRecorded, err)
	}
	_, off := c.Store.ActOnQuestions(ctx, records.Accept, change.Off...)
	_, back := c.Store.ActOnQuestions(ctx, records.Reopen, change.Back...)
	moved := c.Store.SwapAnswered(ctx, change.Deleted, change.Restored)
	err = errors.Join(err, off, back, moved)
	if c.Live != nil {
		err = errors.Join(err, c.Live(ctx))
	}
	return number, err
}

// Keep stores the files of change.Replaced, so that the change can be undone.
func Keep(data string, change *content.Change) error {
	for digest, picture := range change.Replaced() {
		if err := disk.WriteFile(filepath.Join(data, records.ReplacedFolder, digest), picture); err != nil {
			return err
		}
	}
	return nil
}

// KeepPicture stores a picture that a change may write within a day, and returns its digest.
func (c *Curator) KeepPicture(picture []byte) (digest string, err error) {
	digest = fmt.Sprintf("%x", sha256.Sum256(picture))
	return digest, disk.WriteFile(filepath.Join(c.Data, records.UploadedFolder, digest), picture)
}

// Picture returns a picture that was uploaded or replaced, by its digest. It fails with fs.ErrNotExist for any
// other text.
func (c *Curator) Picture(digest string) ([]byte, error) {
	if sum, err := hex.DecodeString(digest); err != nil || len(sum) != sha256.Size {
		return nil, fs.ErrNotExist
	}
	picture, err := os.ReadFile(filepath.Join(c.Data, records.UploadedFolder, digest))
	if errors.Is(err, fs.ErrNotExist) {
		picture, err = os.ReadFile(filepath.Join(c.Data, records.ReplacedFolder, digest))
	}
	return picture, err
}

// PrunePictures deletes pictures that were replaced when changes are forgotten, and uploads that no change has used
// for a day.
func PrunePictures(data string, now time.Time) error {
	return errors.Join(prune(filepath.Join(data, records.ReplacedFolder), now.Add(-records.ChangeAge)),
		prune(filepath.Join(data, records.UploadedFolder), now.Add(-records.UploadAge)))
}

// prune deletes the files of a folder that are older than a point in time.
func prune(dir string, before time.Time) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		info, failed := file.Info()
		if failed == nil && info.ModTime().Before(before) {
			failed = os.Remove(filepath.Join(dir, file.Name()))
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Undo prepares to reverse a change. The errors are records.ErrNotFound, ErrNoDiff and those
// of content.Undo.
func (c *Curator) Undo(ctx context.Context, number int64) (*content.Change, error) {
	made, err := c.Store.Change(ctx, number)
	if err != nil {
		return nil, err
	}
	if made.Edits == "" {
		return nil, ErrNoDiff
	}
	change, err := content.Undo(c.Content, content.ReadEdits(made.Edits), c.Picture)
	if conflict, ok := errors.AsType[*content.Conflict](err); ok {
		conflict.By, err = c.changedBy(ctx, conflict.Values, number)
		return nil, cmp.Or(err, error(conflict))
	}
	if err != nil {
		return nil, err
	}
	change.Summary, change.Undoes = "Undone: "+made.Summary, made.Number
	return change, nil
}

// changedBy is the first change after one with a number that concerns values; empty if it is not known.
func (c *Curator) changedBy(ctx context.Context, values []content.Value, number int64) (summary string, err error) {
	later, err := c.Store.Changes(ctx, records.Page{})
	for _, change := range later { // the last first
		if change.Number > number && slices.ContainsFunc(content.ReadEdits(change.Edits).Values, func(v content.Value) bool {
			return slices.ContainsFunc(values, v.Overlaps)
		}) {
			summary = fmt.Sprintf("%d (%s)", change.Number, change.Summary)
		}
	}
	return summary, err
}

// Accept prepares to make questions alternates of an entry. Wordings are those of the
// questions; one that is missing or empty means the question as it was asked, of which only
// the visible text is taken. Once the change is made, exactly the questions of the groups
// are off the list. The errors are ErrMasked and those of content.Change.
func (c *Curator) Accept(groups []questions.Group, entryID string, wordings []string) (*content.Change, error) {
	wordings, err := Wordings(groups, wordings)
	if err != nil {
		return nil, err
	}
	loaded, err := content.Load(c.Content)
	if err != nil {
		return nil, err
	}
	change := c.NewChange(fmt.Sprintf("“%s”: answered by %s", strings.Join(wordings, "”, “"), entryID))
	change.Off = KeysOf(groups)
	return change, addAlternates(change, loaded, entryID, wordings)
}

// addAlternates makes wordings alternates of an entry.
func addAlternates(change *content.Change, loaded *content.Content, entryID string, wordings []string) error {
	for _, wording := range wordings {
		language := LanguageOf(loaded, wording)
		if err := change.OwnFact(loaded, entryID, language); err != nil {
			return err
		}
		if err := change.AddAlternate(entryID, language, wording); err != nil {
			return err
		}
	}
	return nil
}

// LanguageOf is the language in which Accept adds a wording: the first of the site where several are as likely.
func LanguageOf(loaded *content.Content, wording string) string {
	return cmp.Or(faq.Language(loaded.FAQ, wording), loaded.Language())
}

// Wordings are what Accept makes alternates of groups: the owner's own, or the questions as they were asked. The error
// is ErrMasked.
func Wordings(groups []questions.Group, own []string) (wordings []string, err error) {
	own = append(slices.Clone(own), make([]string, len(groups))...)
	for i, group := range groups {
		wording, err := ownWording(group.Q, own[i])
		if err != nil {
			return nil, err
		}
		wordings = append(wordings, wording)
	}
	return wordings, nil
}

// KeysOf are the keys of all questions of groups.
func KeysOf(groups []questions.Group) (keys []string) {
	for _, group := range groups {
		keys = append(keys, group.Keys...)
	}
	return keys
}

// Act does something with every question of groups.
func (c *Curator) Act(ctx context.Context, action records.QuestionAction, groups []questions.Group) error {
	_, err := c.Store.ActOnQuestions(ctx, action, KeysOf(groups)...)
	return err
}

// Move prepares to take a wording away from the entry that answers it, to another entry or
// to Unanswered. The question is an answered one. An empty wording means the question as it
// was asked. Once the change is made, the counts of the question are deleted: it is listed again
// only if it is answered wrongly again, or if the change is undone. The errors are ErrNoQuestion
// and those of Accept.
func (c *Curator) Move(ctx context.Context, answered int64, to, wording string) (*content.Change, error) {
	question, err := c.Store.AnsweredQuestion(ctx, answered)
	if errors.Is(err, records.ErrNotFound) {
		return nil, fmt.Errorf("%w: %d", ErrNoQuestion, answered)
	}
	if err != nil {
		return nil, err
	}
	if wording, err = ownWording(question.Q, wording); err != nil {
		return nil, err
	}
	change := c.NewChange(fmt.Sprintf("“%s”: answered by %s", wording, to))
	change.Deleted = []json.RawMessage{question.JSON()}
	loaded, err := content.Load(c.Content)
	if err != nil {
		return nil, err
	}
	if err := takeAway(change, loaded, wording, to); err != nil {
		return nil, err
	}
	if to == Unanswered {
		change.Summary = fmt.Sprintf("“%s”: not answered any more", wording)
		return change, change.AddUnanswered(wording)
	}
	return change, addAlternates(change, loaded, to, []string{wording})
}

// ownWording is the text of a correction: the owner's own, or the visible text of the
// question if nothing of it is masked.
func ownWording(question, wording string) (string, error) {
	if own := contract.VisibleText(wording); own != "" {
		return own, nil
	}
	if questions.IsMasked(question) {
		return "", fmt.Errorf("%q: %w", contract.VisibleText(question), ErrMasked)
	}
	return contract.VisibleText(question), nil
}

// takeAway takes a wording away from the entries that have it as an alternate.
func takeAway(change *content.Change, loaded *content.Content, wording, to string) error {
	key := content.QuestionKey(wording)
	var owners []string
	for _, entry := range slices.Concat(loaded.FAQ.Entries, loaded.Drafts) {
		if entry.IsFact { // a fact's wordings, also those an entry inherits, give way to any other entry
			continue
		}
		if content.QuestionKey(entry.Question) == key {
			return fmt.Errorf("%q, %q: %w", wording, entry.ID, ErrOwnQuestion)
		}
		isAlternate := slices.ContainsFunc(entry.Own(), func(alternate string) bool {
			return content.QuestionKey(alternate) == key
		})
		if isAlternate && !slices.Contains(owners, entry.ID) {
			owners = append(owners, entry.ID)
		}
	}
	if slices.Contains(owners, to) {
		return fmt.Errorf("%q, %q: %w", wording, to, ErrAlternate)
	}
	for _, id := range owners {
		if err := change.RemoveAlternate(id, wording); err != nil {
			return err
		}
	}
	return nil
}

// Groups are the open questions, those that are nearly the same together, the most asked
// first.
func (c *Curator) Groups(ctx context.Context) ([]questions.Group, error) {
	open, err := c.Store.Questions(ctx)
	return questions.Groups(open), err
}

// Dismissed are the questions that were dismissed, grouped like open ones.
func (c *Curator) Dismissed(ctx context.Context) ([]questions.Group, error) {
	dismissed, err := c.Store.DismissedQuestions(ctx)
	return questions.Groups(dismissed), err
}

// Group returns the group that a number belongs to, among those that Groups or Dismissed returns, or ErrNoQuestion.
func (c *Curator) Group(ctx context.Context, number int64,
	among func(context.Context) ([]questions.Group, error)) (questions.Group, error) {
	groups, err := among(ctx)
	if err != nil {
		return questions.Group{}, err
	}
	at := slices.IndexFunc(groups, func(g questions.Group) bool { return slices.Contains(g.Numbers, number) })
	if at < 0 {
		return questions.Group{}, fmt.Errorf("%w: %d", ErrNoQuestion, number)
	}
	return groups[at], nil
}
