package owner

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"frontdesk/contract"
	"frontdesk/internal/records"
)

// pathAnswers is the page of the entries.
const pathAnswers = Path + "answers"

// answerRow is an entry with what was asked of it.
type answerRow struct {
	records.EntryUse
	Question string
}

// Path is the address of an entry's page.
func (a answerRow) Path() string { return pathAnswers + "/" + url.PathEscape(a.EntryID) }

// Note is what was asked of the entry, in words.
func (a answerRow) Note() string {
	if a.Asked == 0 {
		return "not asked yet"
	}
	note := "asked " + times(a.Asked) + ", in " + count(a.Questions, "wording", "wordings")
	if a.Helpful > 0 {
		note += ", helped " + times(a.Helpful)
	}
	if a.Unhelpful > 0 {
		note += ", did not help " + times(a.Unhelpful)
	}
	return note
}

// listAnswers shows the entries, the most asked first.
func (p *Pages) listAnswers(w http.ResponseWriter, r *http.Request, s session) error {
	uses, err := p.Store.EntryUses(r.Context())
	if err != nil {
		return err
	}
	byEntry := map[string]records.EntryUse{}
	for _, use := range uses {
		byEntry[use.EntryID] = use
	}
	var rows []answerRow
	for _, e := range p.Service.Live().Content.FAQ.Entries {
		use := byEntry[e.ID]
		use.EntryID = e.ID
		rows = append(rows, answerRow{use, e.Question})
	}
	slices.SortStableFunc(rows, func(a, b answerRow) int { return cmp.Compare(b.Asked, a.Asked) })
	total := len(rows)
	first := min(total, (paging(r)-1)*pageSize)
	return p.show(w, r, s, view{Title: "Answers", Here: pathAnswers}, "answers", struct {
		Rows          []answerRow
		KeepsAnswered bool
		Pager         pager
	}{rows[first:min(total, first+pageSize)], p.KeepsAnswered, newPager(r, total)})
}

// showAnswer shows an entry and the questions that it answered.
func (p *Pages) showAnswer(w http.ResponseWriter, r *http.Request, s session) error {
	e := p.entry(r.PathValue("id"))
	if e == nil {
		return errMissing
	}
	filter := records.AnsweredFilter{EntryID: e.ID, Page: records.Page{Limit: pageSize, Offset: (paging(r) - 1) * pageSize}}
	asked, err := p.Store.AnsweredQuestions(r.Context(), filter)
	if err != nil {
		return err
	}
	total, err := p.Store.CountAnswered(r.Context(), filter)
	if err != nil {
		return err
	}
	var rows []questionRow
	for _, a := range asked {
		note := "asked " + times(a.Asked)
		if a.Helpful > 0 {
			note += ", helped " + times(a.Helpful)
		}
		if a.Unhelpful > 0 {
			note += ", did not help " + times(a.Unhelpful)
		}
		rows = append(rows, questionRow{answeredPath(a.Number), contract.VisibleText(a.Q), note, a.LastAt})
	}
	return p.show(w, r, s, view{Title: e.Question, Here: pathAnswers}, "answer", struct {
		Question, Answer, ID, File string
		Line                       int
		Alternates                 []string
		Rows                       []questionRow
		Total                      int
		KeepsAnswered              bool
		Pager                      pager
	}{e.Question, e.Answer, e.ID, "faq.yaml", e.Line, e.Alternates, rows, total, p.KeepsAnswered, newPager(r, total)})
}
