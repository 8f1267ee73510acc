package owner

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

type questionRow struct {
	Path, Q, Note string
	like          []string // questions that are nearly the same
	LastAt        time.Time
	Number        int64  // to choose it with others; 0 if it cannot be chosen
	Restore       string // where its form goes that brings it back to the list; empty if it is on it
}

// The parts of the list of questions beside the unanswered ones.
const (
	showWrong     = "wrong"
	showDismissed = "dismissed"
)

// listQuestions shows the unanswered questions, the wrong answers, or what was dismissed.
func (v visit) listQuestions() error {
	search, show := strings.TrimSpace(v.URL.Query().Get("q")), v.URL.Query().Get("show")
	groups, err := v.Curator.Groups(v.Context())
	if err != nil {
		return err
	}
	wrongCount, err := v.Store.CountAnswered(v.Context(), records.AnsweredFilter{Wrong: true})
	if err != nil {
		return err
	}
	var rows []questionRow
	total := 0
	switch show {
	case showWrong:
		rows, total, err = v.answeredRows(records.AnsweredFilter{Wrong: true, Text: search, Page: v.pageOf()})
	case showDismissed:
		rows, err = v.dismissedRows()
	default:
		show, rows = "", v.groupRows(groups)
	}
	if err != nil {
		return err
	}
	if show != showWrong {
		rows = slices.DeleteFunc(rows, func(row questionRow) bool { return !row.has(search) })
		total, rows = len(rows), onPage(v, rows)
	}
	return v.show(v.Text("owner.nav.questions"), "questions", data{
		"Tabs": []tab{
			{Text: "owner.questions.tab.unanswered", Path: pathQuestions, Count: len(groups), Current: show == ""},
			{Text: "owner.questions.tab.wrong", Path: listPath(showWrong), Count: wrongCount, Current: show == showWrong},
			// counting groups takes as long as listing them
			{Text: "owner.questions.tab.dismissed", Path: listPath(showDismissed), Uncounted: true,
				Current: show == showDismissed},
		},
		"Path": listPath(show), "Show": show, "KeepsAnswered": v.KeepsAnswered, "Search": search, "Rows": rows,
		"Total": total, "Pager": v.newPager(total),
	})
}

func listPath(show string) string {
	if show == "" {
		return pathQuestions
	}
	return withQuery(pathQuestions, "show", show)
}

// has reports whether the question, or one like it, contains a text.
func (row questionRow) has(text string) bool {
	return slices.ContainsFunc(append([]string{row.Q}, row.like...), func(q string) bool {
		return strings.Contains(strings.ToLower(q), strings.ToLower(text))
	})
}

// dismissedRows are the questions and the wrong answers that were taken off the list.
func (v visit) dismissedRows() (rows []questionRow, err error) {
	groups, err := v.Curator.Dismissed(v.Context())
	if err != nil {
		return nil, err
	}
	wrong, _, err := v.answeredRows(records.AnsweredFilter{Dismissed: true})
	for _, row := range append(v.groupRows(groups), wrong...) {
		row.Restore = row.Path + "/restore"
		if row.Number != 0 {
			row.Path, row.Number = "", 0 // a dismissed answer has no page
		}
		rows = append(rows, row)
	}
	return rows, err
}

func (v visit) groupRows(groups []questions.Group) (rows []questionRow) {
	for _, g := range groups {
		rows = append(rows, questionRow{
			Path: fmt.Sprint(pathQuestions, "/", g.Number), Q: contract.VisibleText(g.Q), LastAt: g.LastAt, Number: g.Number,
			Note: v.Count("owner.question.asked", g.Count) + v.also("owner.question.candidates", g.Unhelpful) +
				v.also("owner.question.wordings", len(g.Like)), like: g.Like,
		})
	}
	return rows
}

// answeredRows are the answered questions that a filter chooses, and how many there are on all pages. If the filter
// does not choose an entry, each row names the one that answered.
func (v visit) answeredRows(filter records.AnsweredFilter) (rows []questionRow, total int, err error) {
	found, err := v.Store.AnsweredQuestions(v.Context(), filter)
	if err != nil {
		return nil, 0, err
	}
	for _, a := range found {
		note := v.Count("owner.question.asked", a.Asked)
		if filter.EntryID == "" {
			note = v.Text("owner.question.with", v.questionOf(a.EntryID))
		}
		rows = append(rows, questionRow{Path: fmt.Sprint(pathAnswered, "/", a.Number),
			Q: contract.VisibleText(a.Q), Note: note + v.helped(a.Helpful, a.Unhelpful), LastAt: a.LastAt})
	}
	total, err = v.Store.CountAnswered(v.Context(), filter)
	return rows, total, err
}

// questionOf is the question of an entry; its id when the content has lost it.
func (p *Pages) questionOf(id string) string {
	if e := p.live().FAQ.Entry(id); e != nil {
		return e.Question
	}
	return id
}

// choices are the entries that come closest to a question, and all entries.
func (v visit) choices(q, without string) (near, all []option) {
	published := v.live().FAQ
	for _, id := range v.Service.Suggest(v.Context(), q) {
		if e := published.Entry(id); e != nil && id != without {
			near = append(near, option{id, e.Question})
		}
	}
	for e := range published.Each() {
		if e.ID != without {
			all = append(all, option{e.ID, e.Question})
		}
	}
	slices.SortFunc(all, func(a, b option) int {
		return strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text))
	})
	return near, all
}

// shownWordings is how many wordings of a group the page shows.
const shownWordings = 12

// chooseTogether leads to the page of the questions that were chosen from the list.
func (v visit) chooseTogether() error {
	numbers := v.URL.Query()["n"]
	if len(numbers) == 0 {
		return v.redirect(pathQuestions, "none-chosen")
	}
	return v.redirect(pathQuestions+"/"+url.PathEscape(strings.Join(numbers, ",")), "")
}

// subject is what a page of questions is about: some that no entry answered, each with those
// like it, or one that an entry answered.
type subject struct {
	groups   []questions.Group
	answered records.Answered // the zero value for questions that no entry answered
}

func (q subject) isAnswered() bool { return q.answered.EntryID != "" }

// groupsReader returns groups of questions: Groups or Dismissed of the curator.
type groupsReader = func(context.Context) ([]questions.Group, error)

// subject returns what the path of a request names: groups from among, by their numbers with commas between them, or
// one answered question.
func (v visit) subject(among groupsReader) (q subject, err error) {
	if numbers := v.PathValue("numbers"); numbers != "" {
		q.groups, err = v.groupsOf(numbers, among)
		return q, err
	}
	q.answered, err = v.Store.AnsweredQuestion(v.Context(), v.numberOf())
	a := q.answered
	asked := records.Question{Q: a.Q, FirstAt: a.FirstAt, LastAt: a.LastAt}
	q.groups = []questions.Group{{Question: asked, Count: a.Asked}}
	return q, orGone(err, offTheList)
}

// numberOf is the number in the path of a request; one that nothing has for other texts.
func (v visit) numberOf() int64 {
	number, _ := strconv.ParseInt(v.PathValue("number"), 10, 64)
	return number
}

func (v visit) groupsOf(numbers string, among groupsReader) (groups []questions.Group, err error) {
	all, err := among(v.Context())
	among = func(context.Context) ([]questions.Group, error) { return all, err }
	for text := range strings.SplitSeq(numbers, ",") {
		number, _ := strconv.ParseInt(text, 10, 64) // else one that no question has
		group, err := v.Curator.Group(v.Context(), number, among)
		if err != nil {
			return nil, orGone(err, offTheList)
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// showQuestions shows questions, to choose the answer that they get: one, or several that get
// the same.
func (v visit) showQuestions() error {
	shown, err := v.subject(v.Curator.Groups)
	if err != nil {
		return err
	}
	a := shown.answered
	answer, newPath := "", ""
	if !shown.isAnswered() {
		newPath = withQuery(answers.editPath(""), "questions", v.PathValue("numbers"))
	} else if e := v.live().FAQ.Entry(a.EntryID); e != nil { // else the content has lost it
		answer = e.Answer
	}
	title := contract.VisibleText(shown.groups[0].Q)
	if len(shown.groups) > 1 {
		title = v.Count("owner.questions.count", len(shown.groups))
	}
	near, all := v.choices(shown.groups[0].Q, a.EntryID)
	var synonym, synonyms string
	if !shown.isAnswered() && len(shown.groups) == 1 {
		if word, used := v.Service.Synonym(v.Context(), shown.groups[0].Q); word != "" {
			synonym, synonyms = v.Text("owner.question.synonym", word, used), v.withSynonym(word, used)
		}
	}
	return v.show(title, "question", data{
		"Path": v.URL.Path, "Questions": shown.groups, "Helped": v.helped(a.Helpful, a.Unhelpful), "Most": shownWordings,
		"Near": near, "All": all, "NewPath": newPath, "Synonym": synonym, "Synonyms": synonyms,
		"EntryID": a.EntryID, "EntryQuestion": v.questionOf(a.EntryID), "EntryAnswer": answer, // of the one that answered
	})
}

// withSynonym returns the groups of synonyms, as their form shows them, with a word in the group of another.
func (p *Pages) withSynonym(word, used string) string {
	groups := slices.Clone(p.live().FAQ.Synonyms)
	at := slices.IndexFunc(groups, func(group []string) bool {
		return slices.ContainsFunc(group, func(w string) bool { return strings.EqualFold(w, used) })
	})
	if at < 0 {
		groups = append(groups, []string{word, used})
	} else {
		groups[at] = append(slices.Clip(groups[at]), word)
	}
	var lines []string
	for _, group := range groups {
		lines = append(lines, lineOf(group))
	}
	return strings.Join(lines, "\n")
}

// accept proposes to answer questions with an entry, or one that was answered with none.
func (v visit) accept() error {
	accepted, err := v.subject(v.Curator.Groups)
	if err != nil {
		return err
	}
	entry, own, list := v.chosen(), v.Form["wording"], ""
	wordings, masked := curation.Wordings(accepted.groups, own)
	var change *content.Change
	switch {
	case entry == "":
		err = reason{key: "owner.reason.choose"}
	case masked != nil:
		err = masked
	case accepted.isAnswered():
		list = showWrong
		change, err = v.Curator.Move(v.Context(), accepted.answered.Number, entry, wordings[0])
	default:
		change, err = v.Curator.Accept(accepted.groups, entry, wordings)
	}
	what := v.questionOf(entry)
	intro := v.intro(what, own)
	switch e := v.live().FAQ.Entry(entry); {
	case entry == "":
		intro = ""
	case entry == curation.Unanswered:
		what, intro = v.Text("owner.question.none"), v.Text("owner.question.will.none")
	case e != nil && e.IsFact:
		intro += " " + v.Text("owner.question.will.own")
	}
	return v.propose(proposal{
		Back: strings.TrimSuffix(v.URL.Path, "/accept"), Next: listPath(list),
		Intro: intro, Done: v.Text("owner.summary.changed", strings.Join(wordings, ", "), what),
		Fields: url.Values{"entry": {entry}, "wording": own},
	}, change, err)
}

// intro says that wordings will get the answer to question.
func (v visit) intro(question string, wordings []string) string {
	switch {
	case len(wordings) > 1:
		return v.Text("owner.question.will.many", question)
	case len(wordings) == 1 && strings.TrimSpace(wordings[0]) != "":
		return v.Text("owner.question.will", strings.TrimSpace(wordings[0]), question)
	}
	return v.Text("owner.question.will.one", question)
}

// chosen is the entry of a form: one that comes close, or the one chosen from the list.
func (v visit) chosen() string {
	entry, other := v.FormValue("entry"), v.FormValue("other")
	isOpened := entry == "" || entry == v.FormValue("opened") // what is chosen when the page opens
	if entry == "other" || other != "" && isOpened {
		return other
	}
	return entry
}

// dismiss takes questions off the list.
func (v visit) dismiss() error {
	q, err := v.subject(v.Curator.Groups)
	if err == nil {
		err = v.act(records.Dismiss, q)
	}
	if err != nil {
		return err
	}
	list := ""
	if q.isAnswered() {
		list = showWrong
	}
	return v.redirect(listPath(list), "dismissed")
}

// restore brings questions back to the list.
func (v visit) restore() error {
	q, err := v.subject(v.Curator.Dismissed)
	if err == nil {
		err = v.act(records.Reopen, q)
	}
	isTwice := v.PathValue("numbers") != "" && errors.Is(err, offTheList) // a double click finds it restored already
	if err != nil && !isTwice {
		return err
	}
	return v.redirect(listPath(showDismissed), "restored")
}

func (v visit) act(action records.QuestionAction, q subject) (err error) {
	if q.isAnswered() {
		_, err = v.Store.ActOnAnswered(v.Context(), action, q.answered.Number)
		return err
	}
	return v.Curator.Act(v.Context(), action, q.groups)
}
