package owner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/gaps"
	"frontdesk/internal/records"
)

// Change is a correction of the content that was checked and is not made yet.
type Change struct {
	Diff string // unified
	// Apply makes the change, waits until it is live, and takes the question off the list.
	Apply func(ctx context.Context) error
}

// Refused is an error that says to the owner why a correction cannot be made.
type Refused struct{ Text string }

func (e *Refused) Error() string { return e.Text }

// Corrections are what an owner does with questions. Their errors are *Refused when the
// owner can do something about them.
type Corrections interface {
	// Accept makes the question of a group an alternate of an entry, in the given wording,
	// and takes exactly the questions of the group off the list: those that were shown.
	Accept(group gaps.Group, entryID, wording string) (Change, error)
	// Move gives an answered question to another entry, or to curation.Unanswered. An
	// empty wording means the question as it was asked.
	Move(ctx context.Context, number int64, to, wording string) (Change, error)
	// Dismiss takes the questions of a group off the list for good.
	Dismiss(ctx context.Context, group gaps.Group) error
	// Obstacle says why the content cannot be changed from here; empty when it can.
	Obstacle() string
}

// groupCache holds the questions in groups: to group thousands takes longer than a page
// may. It is good for one state of the table.
type groupCache struct {
	mu     sync.Mutex
	state  string
	groups []gaps.Group
}

// questionGroups are the open questions, those that are nearly the same together.
func (p *Pages) questionGroups(ctx context.Context) ([]gaps.Group, error) {
	state, err := p.Store.QuestionsState(ctx)
	if err != nil {
		return nil, err
	}
	p.groups.mu.Lock()
	defer p.groups.mu.Unlock()
	if p.groups.groups != nil && p.groups.state == state {
		return p.groups.groups, nil
	}
	questions, err := p.Store.Questions(ctx)
	if err != nil {
		return nil, err
	}
	groups, err := Groups(ctx, questions)
	if err != nil {
		return nil, err
	}
	p.groups.state, p.groups.groups = state, groups
	return groups, nil
}

// groupTime is how long a page may take to put questions together.
const groupTime = 3 * time.Second

// Groups puts questions together as the page lists them: each by itself when that would
// take too long.
func Groups(ctx context.Context, questions []records.Question) ([]gaps.Group, error) {
	limited, cancel := context.WithTimeout(ctx, groupTime)
	defer cancel()
	groups, err := gaps.Groups(limited, questions)
	if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return groups, err
	}
	groups = []gaps.Group{}
	for _, q := range questions {
		groups = append(groups, gaps.Group{Question: q, Count: q.Unanswered + q.Unhelpful, Numbers: []int64{q.Number}})
	}
	slices.SortStableFunc(groups, func(a, b gaps.Group) int { return cmp.Compare(b.Count, a.Count) })
	return groups, nil
}

// questionRow is a question in a list.
type questionRow struct {
	Path, Q, Note string
	LastAt        time.Time
}

// listQuestions shows the unanswered questions, or the wrong answers.
func (p *Pages) listQuestions(w http.ResponseWriter, r *http.Request, s session) error {
	search, wrong := strings.TrimSpace(r.URL.Query().Get("q")), r.URL.Query().Get("show") == "wrong"
	groups, err := p.questionGroups(r.Context())
	if err != nil {
		return err
	}
	wrongCount, err := p.Store.CountAnswered(r.Context(), records.AnsweredFilter{Wrong: true})
	if err != nil {
		return err
	}
	data := struct {
		Tabs          []tab
		Wrong         bool
		KeepsAnswered bool
		Search        string
		Rows          []questionRow
		Total         int
		Pager         pager
	}{Wrong: wrong, KeepsAnswered: p.KeepsAnswered, Search: search}
	data.Tabs = []tab{
		{Text: "Not answered", Path: pathQuestions, Count: len(groups), Current: !wrong},
		{Text: "Wrong answers", Path: pathQuestions + "?show=wrong", Count: wrongCount, Current: wrong},
	}
	if wrong {
		data.Rows, data.Total, err = p.wrongRows(r, search)
	} else {
		data.Rows, data.Total = groupRows(r, groups, search)
	}
	if err != nil {
		return err
	}
	data.Pager = newPager(r, data.Total)
	return p.show(w, r, s, view{Title: "Questions", Here: pathQuestions}, "questions", data)
}

// groupRows is a page of the groups with a text in them.
func groupRows(r *http.Request, groups []gaps.Group, search string) (rows []questionRow, total int) {
	found := groups
	if search = strings.ToLower(search); search != "" {
		has := func(q string) bool { return strings.Contains(strings.ToLower(q), search) }
		found = slices.DeleteFunc(slices.Clone(groups), func(g gaps.Group) bool { return !has(g.Q) && !slices.ContainsFunc(g.Like, has) })
	}
	first := min(len(found), (paging(r)-1)*pageSize)
	for _, g := range found[first:min(len(found), first+pageSize)] {
		note := "asked " + times(g.Count)
		if g.Unhelpful > 0 {
			note += ", of these " + grouped(g.Unhelpful) + " with an answer that did not help"
		}
		if len(g.Like) > 0 {
			note += ", " + count(len(g.Like), "similar wording", "similar wordings")
		}
		rows = append(rows, questionRow{pathQuestions + "/" + strconv.FormatInt(g.Number, 10), contract.VisibleText(g.Q), note, g.LastAt})
	}
	return rows, len(found)
}

// wrongRows is a page of the answered questions that were marked unhelpful.
func (p *Pages) wrongRows(r *http.Request, search string) (rows []questionRow, total int, err error) {
	filter := records.AnsweredFilter{Wrong: true, Text: search, Page: records.Page{Limit: pageSize, Offset: (paging(r) - 1) * pageSize}}
	found, err := p.Store.AnsweredQuestions(r.Context(), filter)
	if err != nil {
		return nil, 0, err
	}
	if total, err = p.Store.CountAnswered(r.Context(), filter); err != nil {
		return nil, 0, err
	}
	for _, a := range found {
		note := "answered with “" + p.questionOf(a.EntryID) + "”; did not help " + times(a.Unhelpful)
		if a.Helpful > 0 {
			note += ", helped " + times(a.Helpful)
		}
		rows = append(rows, questionRow{answeredPath(a.Number), contract.VisibleText(a.Q), note, a.LastAt})
	}
	return rows, total, nil
}

// times is how often something happened.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return grouped(n) + " times"
}

func answeredPath(number int64) string {
	return pathAnswered + "/" + strconv.FormatInt(number, 10)
}

// entry is an entry of the live content, or nil.
func (p *Pages) entry(id string) *content.Entry {
	entries := p.Service.Live().Content.FAQ.Entries
	if i := slices.IndexFunc(entries, func(e content.Entry) bool { return e.ID == id }); i >= 0 {
		return &entries[i]
	}
	return nil
}

// questionOf is the question of an entry; its id when the content has lost it.
func (p *Pages) questionOf(id string) string {
	if e := p.entry(id); e != nil {
		return e.Question
	}
	return id
}

// choice is an entry to choose.
type choice struct{ ID, Question string }

// choices are the entries that come closest to a question, and all entries.
func (p *Pages) choices(ctx context.Context, q, without string) (near, all []choice) {
	for _, id := range p.Service.Suggest(ctx, q) {
		if e := p.entry(id); e != nil && id != without {
			near = append(near, choice{id, e.Question})
		}
	}
	for _, e := range p.Service.Live().Content.FAQ.Entries {
		if e.ID != without {
			all = append(all, choice{e.ID, e.Question})
		}
	}
	slices.SortFunc(all, func(a, b choice) int {
		return strings.Compare(strings.ToLower(a.Question), strings.ToLower(b.Question))
	})
	return near, all
}

// shownWordings is how many wordings of a group the page shows.
const shownWordings = 12

// questionPage is a question for which an entry is to be chosen.
type questionPage struct {
	Path, Q         string
	Note            string
	Like            []string
	More            int // wordings that are not shown
	Masked          bool
	FirstAt, LastAt time.Time
	Near, All       []choice
	EntryID         string // that answered, of an answered question
	EntryQuestion   string
	EntryAnswer     string
	FormToken       string
}

// showQuestion shows a question that no entry answered.
func (p *Pages) showQuestion(w http.ResponseWriter, r *http.Request, s session) error {
	g, err := p.group(r)
	if err != nil {
		return err
	}
	data := questionPage{
		Path: r.URL.Path, Q: contract.VisibleText(g.Q), Note: "Asked " + times(g.Count), Masked: gaps.IsMasked(g.Q),
		FirstAt: g.FirstAt, LastAt: g.LastAt, FormToken: s.FormToken(),
	}
	for _, like := range g.Like[:min(len(g.Like), shownWordings)] {
		data.Like = append(data.Like, contract.VisibleText(like))
	}
	data.More = len(g.Like) - len(data.Like)
	data.Near, data.All = p.choices(r.Context(), g.Q, "")
	return p.show(w, r, s, view{Title: data.Q, Here: pathQuestions}, "question", data)
}

// group is the group of the question in the path.
func (p *Pages) group(r *http.Request) (gaps.Group, error) {
	number, err := strconv.ParseInt(r.PathValue("number"), 10, 64)
	if err != nil {
		return gaps.Group{}, errMissing
	}
	groups, err := p.questionGroups(r.Context())
	if err != nil {
		return gaps.Group{}, err
	}
	g, found := gaps.Find(groups, number)
	if !found {
		return gaps.Group{}, errMissing
	}
	return g, nil
}

// showAnswered shows a question that was answered, to give it to another entry.
func (p *Pages) showAnswered(w http.ResponseWriter, r *http.Request, s session) error {
	a, err := p.answered(r)
	if err != nil {
		return err
	}
	data := questionPage{
		Path: r.URL.Path, Q: contract.VisibleText(a.Q), Note: "Asked " + times(a.Asked), Masked: gaps.IsMasked(a.Q),
		FirstAt: a.FirstAt, LastAt: a.LastAt, EntryID: a.EntryID, EntryQuestion: p.questionOf(a.EntryID), FormToken: s.FormToken(),
	}
	if a.Unhelpful+a.Helpful > 0 {
		data.Note += "; did not help " + times(a.Unhelpful) + ", helped " + times(a.Helpful)
	}
	if e := p.entry(a.EntryID); e != nil {
		data.EntryAnswer = e.Answer
	}
	data.Near, data.All = p.choices(r.Context(), a.Q, a.EntryID)
	return p.show(w, r, s, view{Title: data.Q, Here: pathQuestions}, "question", data)
}

func (p *Pages) answered(r *http.Request) (records.Answered, error) {
	number, err := strconv.ParseInt(r.PathValue("number"), 10, 64)
	if err != nil {
		return records.Answered{}, errMissing
	}
	a, err := p.Store.AnsweredQuestion(r.Context(), number)
	if errors.Is(err, records.ErrNotFound) {
		return records.Answered{}, errMissing
	}
	return a, err
}

// correction is a change that a form asks for.
type correction struct {
	Path, Entry, Wording string
	make                 func(ctx context.Context) (Change, error)
}

// accepting is the correction of a question that no entry answered.
func (p *Pages) accepting(r *http.Request) (correction, error) {
	g, err := p.group(r)
	if err != nil {
		return correction{}, err
	}
	c := correction{Path: pathQuestions + "/" + strconv.FormatInt(g.Number, 10), Entry: chosen(r), Wording: strings.TrimSpace(r.FormValue("wording"))}
	c.make = func(context.Context) (Change, error) {
		return p.Corrections.Accept(g, c.Entry, c.Wording)
	}
	return c, nil
}

// moving is the correction of a question that was answered.
func (p *Pages) moving(r *http.Request) (correction, error) {
	a, err := p.answered(r)
	if err != nil {
		return correction{}, err
	}
	c := correction{Path: answeredPath(a.Number), Entry: chosen(r), Wording: strings.TrimSpace(r.FormValue("wording"))}
	c.make = func(ctx context.Context) (Change, error) {
		return p.Corrections.Move(ctx, a.Number, c.Entry, c.Wording)
	}
	return c, nil
}

// chosen is the entry of a form: one of those that come close, or one of the list.
func chosen(r *http.Request) string {
	if near := r.FormValue("entry"); near != "" && near != "other" {
		return near
	}
	return r.FormValue("other")
}

// previewChange shows what a correction changes in the files. It was tried with the
// golden questions before.
func (p *Pages) previewChange(of func(*http.Request) (correction, error)) sessionFunc {
	return func(w http.ResponseWriter, r *http.Request, s session) error {
		c, err := of(r)
		if err != nil {
			return err
		}
		return p.preview(w, r, s, c, "")
	}
}

// preview shows a correction, with why it was not made.
func (p *Pages) preview(w http.ResponseWriter, r *http.Request, s session, c correction, reason string) error {
	data := struct {
		correction
		EntryQuestion, Reason, Obstacle, Digest string
		Refused                                 bool
		Lines                                   []diffLine
		Added                                   string
		FormToken                               string
	}{correction: c, EntryQuestion: p.questionOf(c.Entry), Reason: reason, Obstacle: p.Corrections.Obstacle(), FormToken: s.FormToken()}
	if c.Entry == curation.Unanswered {
		data.EntryQuestion = ""
	}
	status := http.StatusOK
	if c.Entry == "" {
		data.Refused, data.Reason = true, "Please choose an answer first."
	} else if change, err := c.make(r.Context()); err != nil {
		refused, ok := errors.AsType[*Refused](err)
		if !ok {
			return err
		}
		data.Refused, data.Reason = true, refused.Text
	} else {
		data.Lines, data.Added, data.Digest = readDiff(change.Diff), added(change.Diff), digest(change.Diff)
	}
	if data.Refused {
		status = http.StatusUnprocessableEntity
	}
	p.write(w, r, status, view{Title: "Check the change", Here: pathQuestions, Session: s}, "change", data)
	return nil
}

// makeChange makes the correction that was shown, and shows it again when it has become
// another one meanwhile.
func (p *Pages) makeChange(of func(*http.Request) (correction, error)) sessionFunc {
	return func(w http.ResponseWriter, r *http.Request, s session) error {
		c, err := of(r)
		if err != nil {
			return err
		}
		if obstacle := p.Corrections.Obstacle(); obstacle != "" {
			return p.preview(w, r, s, c, "")
		}
		change, err := c.make(r.Context())
		if err == nil && digest(change.Diff) != r.PostFormValue("digest") {
			return p.preview(w, r, s, c, "The files have changed meanwhile. Please look at the change again.")
		}
		if err == nil {
			err = change.Apply(r.Context())
		}
		if refused, ok := errors.AsType[*Refused](err); ok {
			return p.preview(w, r, s, c, refused.Text)
		}
		if err != nil {
			return err
		}
		return back(w, r, pathQuestions, "corrected")
	}
}

// dismissQuestion takes a question off the list.
func (p *Pages) dismissQuestion(w http.ResponseWriter, r *http.Request, _ session) error {
	g, err := p.group(r)
	if err != nil {
		return err
	}
	if err := p.Corrections.Dismiss(r.Context(), g); err != nil {
		return err
	}
	return back(w, r, pathQuestions, "dismissed")
}

// dismissAnswered takes a wrong answer off the list.
func (p *Pages) dismissAnswered(w http.ResponseWriter, r *http.Request, _ session) error {
	a, err := p.answered(r)
	if err != nil {
		return err
	}
	if err := p.Store.DismissAnswered(r.Context(), a.Number); err != nil {
		return err
	}
	return back(w, r, pathQuestions+"?show=wrong", "dismissed")
}

// digest names a diff in a form.
func digest(diff string) string {
	sum := sha256.Sum256([]byte(diff))
	return hex.EncodeToString(sum[:])
}

// diffLine is a line of a diff.
type diffLine struct {
	Kind string // "file", "added", "removed", or empty
	Text string
}

// readDiff divides a unified diff into lines, without the numbers that only programs
// need.
func readDiff(diff string) []diffLine {
	var lines []diffLine
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "@@"):
		case strings.HasPrefix(line, "+++ "):
			lines = append(lines, diffLine{"file", line[4:]})
		case strings.HasPrefix(line, "+"):
			lines = append(lines, diffLine{"added", line})
		case strings.HasPrefix(line, "-"):
			lines = append(lines, diffLine{"removed", line})
		default:
			lines = append(lines, diffLine{"", line})
		}
	}
	return lines
}

// added are the lines that a diff adds, to paste.
func added(diff string) string {
	var lines strings.Builder
	for _, line := range readDiff(diff) {
		if line.Kind == "added" {
			lines.WriteString(line.Text[1:] + "\n")
		}
	}
	return lines.String()
}
