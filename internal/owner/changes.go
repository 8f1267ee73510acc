package owner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/records"
)

// proposal is a change of the content that a page asks for. It is shown first, and made
// when its form comes back with the digest of what was shown.
type proposal struct {
	Back   string     // the page that it comes from
	Action string     // where its form goes; empty for the address of the page without its query
	Next   string     // where the change leads once it is made
	Intro  string     // what it does, in words
	Done   string     // what it did, for the history; empty if the change says so itself
	Fields url.Values // what its form sends again
	// Editable means that the form of Action shows its fields again to change them.
	Editable bool
	// Direct means that a change that needs no second look is made at once.
	Direct   bool
	Page     string    // of the site, to look at first
	Picture  string    // the address of a picture that it uploads; empty for none
	Named    []itemRow // what else of the content names the item
	Outdated []itemRow // what of the content says a value that the change replaces
	Warnings []string  // to read before the change is made
	Golden   []string  // test questions that refuse it, each of which can be removed with it

	// What a check of the change adds.
	Preview     string   // the address of the page to look at
	Files       []string // the changed files, to download
	Differences []difference
	Lines       []diffLine
	Digest      string // of the lines
}

// Steps of a form, beside the one that shows the change.
const (
	stepEdit    = "edit"    // the fields are shown again
	stepFile    = "file"    // a changed file is downloaded
	stepLook    = "look"    // the change is shown, not made
	stepAnother = "another" // it is made, and the form of a new item follows
)

// propose shows a change, or why it cannot be made; err is the error of preparing it. It makes a change that was shown
// before, and at once one that needs no second look.
func (v visit) propose(pr proposal, change *content.Change, err error) error {
	pr.Action = cmp.Or(pr.Action, v.URL.Path)
	if err == nil {
		change.Summary = cmp.Or(pr.Done, change.Summary)
		err = pr.withoutGolden(v, change, v.Form[goldenField])
	}
	if file := v.PostFormValue(stepFile); err == nil && file != "" {
		return v.download(change, file)
	}
	switch {
	case err != nil:
	case change.IsEmpty():
		err = reason{key: "owner.reason.same"}
	default:
		err = v.check(&pr, change)
	}
	title, text := "owner.change.title", ""
	if err == nil && v.Method == http.MethodPost && v.Obstacle() == "" {
		shown := v.PostFormValue("digest")
		isDirect := pr.Direct && shown == "" && len(pr.Outdated)+len(v.Form[goldenField])+len(pr.Warnings) == 0
		switch {
		case isDirect, shown == pr.Digest:
			if err = v.makeLive(pr, change); err == nil {
				return nil
			}
		case shown != "":
			text = v.Text("owner.reason.changed")
		}
	}
	isWaiting := errors.Is(err, curation.ErrNotLive)
	isWritten := isWaiting || errors.Is(err, curation.ErrNotRecorded)
	if err != nil {
		v.status = http.StatusUnprocessableEntity
		title, text = "owner.change.refused", v.reasonOf(err)
	}
	if isWritten {
		v.status, title = http.StatusInternalServerError, "owner.made"
	}
	if isWaiting {
		title = "owner.change.waiting"
	}
	return v.show(v.Text(title), "change", data{
		"Proposal": pr, "IsWritten": isWritten, "Refused": err != nil, "Reason": text, "Obstacle": v.Obstacle(),
	})
}

// check checks a change. It adds to the proposal what the owner reads before making the change, or the test questions
// that refuse it.
func (v visit) check(pr *proposal, change *content.Change) error {
	tried, revision, err := v.checkWithoutSample(pr, change)
	if err != nil {
		pr.Golden = refusing(tried, err)
		return err
	}
	for _, e := range tried.OutOfDate(v.live()) {
		if row := rowOf(e); !slices.Contains(pr.Outdated, row) {
			pr.Outdated = append(pr.Outdated, row)
		}
	}
	diff := change.Diff()
	pr.Preview, pr.Lines, pr.Digest = pathPreview+revision+"/"+pr.Page, linesOf(diff), digest(diff)
	pr.Differences = v.differences(change.Edits())
	pr.Warnings = append(pr.Warnings, v.newWarnings(v.live(), tried)...)
	pr.Files = slices.DeleteFunc(change.Files(), func(name string) bool {
		_, err := fs.Stat(change, name)
		return err != nil // it would be removed
	})
	return nil
}

func (v visit) makeLive(pr proposal, change *content.Change) error {
	number, err := v.Curator.Make(context.WithoutCancel(v.Context()), change)
	if err != nil {
		v.Log.Error().Err(err).Msg("a change of the content could not be made or recorded completely")
	}
	if number == 0 || errors.Is(err, curation.ErrNotLive) {
		return err
	}
	return v.redirect(withQuery(pr.Next, "made", fmt.Sprint(number)), "")
}

// goldenField is the field of a form with the test questions that are removed with its change.
const goldenField = "golden"

// withoutGolden removes test questions with a change.
func (pr *proposal) withoutGolden(v visit, change *content.Change, questions []string) error {
	for _, q := range questions {
		if err := change.RemoveGolden(q); err != nil {
			return err
		}
		change.Summary = v.Text("owner.summary.untested", change.Summary, q)
	}
	fields := url.Values{goldenField: questions}
	maps.Copy(fields, pr.Fields)
	pr.Fields = fields
	return nil
}

// checkWithoutSample checks a change. If test questions of the sample refuse the change, it removes them too: the owner
// did not write them, and they are about a business that does not exist.
func (v visit) checkWithoutSample(pr *proposal, change *content.Change) (tried *content.Content, revision string,
	err error) {
	tried, revision, err = v.Curator.Check(v.Context(), change)
	sample := slices.DeleteFunc(refusing(tried, err), func(q string) bool { return !tried.IsSampleQuestion(q) })
	if len(sample) == 0 {
		return tried, revision, err
	}
	if err := pr.withoutGolden(v, change, sample); err != nil {
		return tried, revision, err
	}
	return v.Curator.Check(v.Context(), change)
}

// refusing are the test questions of content that are among faults of it.
func refusing(tried *content.Content, err error) (questions []string) {
	faults, _ := errors.AsType[content.Diagnostics](err)
	if tried == nil {
		return nil
	}
	for _, golden := range slices.Concat(tried.Golden.Answered, tried.Golden.Unanswered) {
		if slices.ContainsFunc(faults, func(f content.Diagnostic) bool {
			return f.String() == golden.Fault(f.Message, f.Hint, f.Code).String()
		}) {
			questions = append(questions, golden.Q)
		}
	}
	return questions
}

// newWarnings are the warnings that changed content has and the one before has not, such as of
// an answer that says the old price.
func (v visit) newWarnings(before, after *content.Content) (warnings []string) {
	known := map[string]int{}                              // how often: a text may not name what it is about
	for _, warning := range before.Warnings(time.Time{}) { // no date is past then
		known[v.faultText(warning)]++
	}
	for _, warning := range after.Warnings(time.Time{}) {
		text := v.faultText(warning)
		if known[text]--; known[text] < 0 && !slices.Contains(warnings, text) {
			warnings = append(warnings, text)
		}
	}
	return warnings
}

// download sends a file as a change would leave it.
func (v visit) download(change *content.Change, name string) error {
	if !slices.Contains(change.Files(), name) {
		return errMissing
	}
	data, err := fs.ReadFile(change, name)
	if err != nil {
		return err
	}
	v.w.Header().Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
	return v.send("application/octet-stream", data)
}

// digest names a diff in a form.
func digest(diff string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(diff))) }

type diffLine struct {
	Kind string // "file", "added", "removed", or empty
	Text string
}

// linesOf returns the lines of a diff, as content.Change.Diff writes it.
func linesOf(diff string) (lines []diffLine) {
	for line := range strings.Lines(diff) {
		diff = diff[len(line):] // what follows: a removed line may begin with "--- " too
		kind := map[byte]string{'+': "added", '-': "removed"}[line[0]]
		if strings.HasPrefix(line, "--- ") && strings.HasPrefix(diff, "+++ ") || strings.HasPrefix(line, "+++ ") {
			kind = "file"
		}
		lines = append(lines, diffLine{kind, strings.TrimRight(line, "\r\n")})
	}
	return lines
}

// pathOf returns the path of c's page.
func pathOf(c records.Change) string { return fmt.Sprint(pathChanges, "/", c.Number) }

// listChanges shows the history of the content, the last change first.
func (v visit) listChanges() error {
	list, err := v.Store.Changes(v.Context(), v.pageOf())
	if err != nil {
		return err
	}
	total, err := v.Store.CountChanges(v.Context())
	if err != nil {
		return err
	}
	return v.show(v.Text("owner.nav.changes"), "changes",
		data{"Rows": list, "Pager": v.newPager(total)})
}

func (v visit) changeOf() (records.Change, error) {
	c, err := v.Store.Change(v.Context(), v.numberOf())
	return c, orGone(err, noChange)
}

func (v visit) showChange() error {
	c, err := v.changeOf()
	if err != nil {
		return err
	}
	return v.show(c.Summary, "changed",
		data{"Change": c, "Differences": v.differences(content.ReadEdits(c.Edits)), "Lines": linesOf(c.Diff)})
}

// undo proposes the reverse of a change.
func (v visit) undo() error {
	c, err := v.changeOf()
	if err != nil {
		return err
	}
	change, err := v.Curator.Undo(v.Context(), c.Number)
	return v.propose(proposal{
		Back: pathOf(c), Next: pathChanges,
		Direct: true, Intro: v.Text("owner.change.undoes", c.Summary), Done: v.Text("owner.summary.undone", c.Summary),
	}, change, err)
}
