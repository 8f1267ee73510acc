package owner

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

// answers are the entries of faq.yaml.
var answers = form{
	path: pathAnswers, home: pathAnswers, itemPages: true, file: faqFile, list: "entries",
	texts: "owner.entries.", title: "question", fields: answerFields(),
}

// answerFields are the fields of an entry, with the answer right below its question.
func answerFields() []field {
	fields := fieldsOf(faqFile, content.Keys(faqFile, "entries"))
	fields = slices.DeleteFunc(fields, func(f field) bool { return f.Kind == content.KindLanguage })
	fields[1], fields[2] = fields[2], fields[1]
	return fields
}

// precision is how careful the answers are.
var precision = form{
	path: pathPrecision, home: pathAnswers, file: faqFile, texts: "owner.precision.",
	fields: fieldsOf(faqFile, []content.Key{{Name: "precision", Kind: kindPrecision}}),
}

// synonyms are the words that mean the same.
var synonyms = form{
	path: pathSynonyms, home: pathAnswers, file: faqFile, texts: "owner.synonyms.",
	fields: fieldsOf(faqFile, content.Keys(faqFile), "synonyms"),
}

// precisionOptions are the choices with what callers get at each, and what is chosen if it is none of them.
func (p *Pages) precisionOptions(s session) (options []option) {
	chosen := p.Precision
	if chosen == "" {
		now, _ := p.Curator.NewChange("").Get(faqFile, content.Path{"precision"}) // a file that cannot be read has no page
		chosen, _ = now.(string)
	}
	share, known, expected := content.DefaultPrecision, false, p.Service.Check().At
	if chosen != "" {
		share, _ = strconv.ParseFloat(chosen, 64)
	}
	for i, one := range Precisions {
		choice := option{Text: s.Text("owner.precision.choice." + strconv.Itoa(i+1))}
		switch {
		case one == share:
			choice.Value, known = chosen, true
		case one != content.DefaultPrecision:
			choice.Value = strconv.FormatFloat(one, 'f', -1, 64)
		}
		if at := expected[i]; at != nil {
			choice.Text += " " + s.Text("owner.precision.expected", at.Found, at.First, at.Wrong)
		}
		options = append(options, choice)
	}
	if !known {
		options = append(options, option{chosen, s.Text("owner.precision.choice.other", chosen)})
	}
	return options
}

// precisionNote says where the figures of the choices are from, or why there are none.
func (p *Pages) precisionNote(s session) string {
	switch check := p.Service.Check(); {
	case !check.Compared:
		return s.Text("owner.precision.comparing")
	case check.At[0] == nil:
		return s.Text("owner.precision.few")
	default:
		return s.Text("owner.precision.measured", check.At[0].Asked)
	}
}

// draftAnswer is a new answer to questions that no entry answered, whose numbers the request
// has, or to what a fact answers.
func (p *Pages) draftAnswer(r *http.Request) (draft item, settle func(context.Context) error, err error) {
	if id := r.URL.Query().Get("fact"); id != "" {
		return p.ownFact(id), nil, nil
	}
	numbers := r.URL.Query().Get("questions")
	if numbers == "" {
		return item{values: values{}}, nil, nil
	}
	groups, err := p.groupsOf(r.Context(), numbers)
	if err != nil {
		return draft, nil, err
	}
	var wordings []string
	for _, group := range groups {
		if !questions.IsMasked(group.Q) { // else asked for, never written
			wordings = append(wordings, contract.VisibleText(group.Q))
		}
	}
	draft.values = values{}
	if len(wordings) > 0 {
		draft.set("question", wordings[0])
		draft.set("alternates", wordings[1:])
	}
	return draft, p.Curator.Settle(groups), nil
}

// ownFact is an answer that replaces a fact, with its texts.
func (p *Pages) ownFact(id string) item {
	draft := item{id: id, values: values{}}
	for _, e := range p.Service.Live().Content.FAQ.Entries {
		if e.ID != id || !e.IsFact {
			continue
		}
		language := ""
		if first := p.languages()[0]; e.Lang != "" && e.Lang != first {
			language = "." + e.Lang
		}
		draft.set("question"+language, e.Question)
		draft.set("answer"+language, e.Answer)
		draft.set("alternates"+language, e.Alternates)
	}
	return draft
}

// unwant proposes to answer a fact no more.
func (p *Pages) unwant(w http.ResponseWriter, r *http.Request, s session) error {
	live := p.Service.Live().Content
	id := r.PathValue("id")
	e := live.FAQ.Entry(id)
	if e == nil || !e.IsFact {
		return noItem
	}
	wanted := content.List{}
	for _, known := range live.FactIDs() {
		if known != id && live.FAQ.IsFactWanted(known) {
			wanted = append(wanted, known)
		}
	}
	change, action := p.Curator.NewChange(""), s.Text("owner.answer.unwanted")
	return p.propose(w, r, s, proposal{
		Back: answers.pagePath(id), Next: pathAnswers,
		Intro: s.Text("owner.quoted", e.Question), Done: s.Text("owner.summary.changed", e.Question, action),
	}, change, change.Set(faqFile, content.Path{"facts"}, wanted))
}

// noteOf is what was asked of an entry, in words, or that it is a draft.
func noteOf(s session, e *content.Entry, use records.EntryUse) string {
	asked := s.Text("owner.answers.unasked")
	if use.Asked > 0 {
		asked = s.Count("owner.question.asked", use.Asked) + ", " + s.Count("owner.answers.wordings", use.Questions) +
			helped(s, use.Helpful, use.Unhelpful)
	}
	switch {
	case e.Draft:
		return s.Text("owner.answers.draft")
	case e.IsFact:
		return s.Text("owner.answers.fact") + ", " + asked
	}
	return asked
}

// helped is how often an answer helped and did not, to go after other words.
func helped(s session, helpful, unhelpful int) (note string) {
	if helpful > 0 {
		note += ", " + s.Count("owner.question.helped", helpful)
	}
	if unhelpful > 0 {
		note += ", " + s.Count("owner.question.unhelped", unhelpful)
	}
	return note
}

// listAnswers shows the drafts, and then the entries, the most asked first.
func (p *Pages) listAnswers(w http.ResponseWriter, r *http.Request, s session) error {
	uses, err := p.Store.EntryUses(r.Context())
	if err != nil {
		return err
	}
	byEntry := map[string]records.EntryUse{}
	for _, use := range uses {
		byEntry[use.EntryID] = use
	}
	live := p.Service.Live().Content
	entries := slices.Collect(live.FAQ.Each())
	slices.SortStableFunc(entries, func(a, b *content.Entry) int {
		return cmp.Compare(byEntry[b.ID].Asked, byEntry[a.ID].Asked)
	})
	entries = slices.Concat(slices.Collect(content.FAQ{Entries: live.Drafts}.Each()), entries)
	var rows []questionRow
	for _, e := range onPage(r, entries) {
		use := byEntry[e.ID]
		rows = append(rows, questionRow{Path: answers.pagePath(e.ID), Q: e.Question, Note: noteOf(s, e, use),
			LastAt: use.LastAt})
	}
	return p.show(w, r, s, view{Title: s.Text("owner.nav.answers")}, "answers", data{
		"Rows": rows, "KeepsAnswered": p.KeepsAnswered, "Pager": newPager(r, len(entries)),
	})
}

// showAnswer shows an entry and the questions that it answered.
func (p *Pages) showAnswer(w http.ResponseWriter, r *http.Request, s session) error {
	live := p.Service.Live().Content
	all := content.FAQ{Entries: slices.Concat(live.Drafts, live.FAQ.Entries)}
	e := all.Entry(r.PathValue("id"))
	if e == nil {
		return noItem
	}
	rows, total, err := p.answeredRows(r, s, records.AnsweredFilter{EntryID: e.ID, Page: pageOf(r)})
	if err != nil {
		return err
	}
	var texts []content.Entry // in each language
	for _, in := range all.Entries {
		if in.ID == e.ID {
			texts = append(texts, in)
		}
	}
	return p.show(w, r, s, view{Title: e.Question}, "answer", data{
		"Entry": e, "EditPath": answers.editPath(e.ID), "Texts": texts, "Rows": rows, "Total": total,
		"KeepsAnswered": p.KeepsAnswered, "Pager": newPager(r, total),
	})
}
