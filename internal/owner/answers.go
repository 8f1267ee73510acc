package owner

import (
	"cmp"
	"slices"
	"strconv"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/internal/curation"
	"frontdesk/internal/questions"
	"frontdesk/internal/records"
)

// answers are the entries of faq.yaml.
var answers = form{
	path: pathAnswers, home: pathAnswers, file: faqFile, list: "entries",
	texts: "owner.entries.", title: "question",
	fields: fieldsOf(faqFile, content.Keys(faqFile, "entries"), "question", "answer", "alternates", "group", "url",
		"review_by", "expires", "prices", "draft"),
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

// precisionOptions returns the choices with what customers get at each, and the current value if it is another one.
func (v visit) precisionOptions() (options []option) {
	chosen := cmp.Or(v.Precision, v.textOf(faqFile, "precision"))
	share, known, expected := content.DefaultPrecision, false, v.Service.Check().At
	if chosen != "" {
		share, _ = strconv.ParseFloat(chosen, 64)
	}
	for i, one := range Precisions {
		choice := option{Text: v.Text("owner.precision.choice." + strconv.Itoa(i+1))}
		switch {
		case one == share:
			choice.Value, known = chosen, true
		case one != content.DefaultPrecision:
			choice.Value = strconv.FormatFloat(one, 'f', -1, 64)
		}
		if at := expected[i]; at != nil {
			choice.Text += " " + v.Text("owner.precision.expected", at.Found, at.First, at.Wrong)
		}
		options = append(options, choice)
	}
	if !known {
		options = append(options, option{chosen, v.Text("owner.precision.choice.other", chosen)})
	}
	return options
}

// precisionNote says where the figures of the choices are from, or why there are none.
func (v visit) precisionNote() string {
	switch check := v.Service.Check(); {
	case !check.Compared:
		return v.Text("owner.precision.comparing")
	case check.At[0] == nil:
		return v.Text("owner.precision.few")
	default:
		return v.Text("owner.precision.measured", check.At[0].Asked)
	}
}

// draftAnswer is a new answer to questions that no entry answered, whose numbers the request
// has and whose keys it returns, or to what a fact answers.
func (v visit) draftAnswer() (draft item, asked []string, err error) {
	if id := v.URL.Query().Get("fact"); id != "" {
		return v.ownFact(id), nil, nil
	}
	numbers := v.URL.Query().Get("questions")
	if numbers == "" {
		return item{values: values{}}, nil, nil
	}
	groups, err := v.groupsOf(numbers, v.Curator.Groups)
	if err != nil {
		return draft, nil, err
	}
	draft.values = values{}
	for _, group := range groups {
		if questions.IsMasked(group.Q) { // asked for, never written
			continue
		}
		wording := contract.VisibleText(group.Q)
		language := v.endingOf(curation.LanguageOf(v.live(), wording))
		if draft.text("question"+language) == "" {
			draft.set("question"+language, wording)
		} else {
			others, _ := draft.values["alternates"+language].([]string)
			draft.set("alternates"+language, append(others, wording))
		}
	}
	return draft, curation.KeysOf(groups), nil
}

// endingOf is how the inputs for the texts of a new item in a language end.
func (p *Pages) endingOf(language string) string {
	if language == "" || language == p.languages()[0] {
		return ""
	}
	return "." + language
}

// ownFact is an answer that replaces a fact, with its texts.
func (p *Pages) ownFact(id string) item {
	draft := item{id: id, values: values{}}
	for _, e := range p.live().FAQ.Entries {
		if e.ID != id || !e.IsFact {
			continue
		}
		language := p.endingOf(e.Lang)
		draft.set("question"+language, e.Question)
		draft.set("answer"+language, e.Answer)
		draft.set("alternates"+language, e.Alternates)
	}
	return draft
}

// unwant proposes to answer a fact no more.
func (v visit) unwant() error {
	live := v.live()
	id := v.PathValue("id")
	e := live.FAQ.Entry(id)
	if e == nil || !e.IsFact {
		return noItem
	}
	wanted := slices.DeleteFunc(live.FactIDs(), func(known string) bool {
		return known == id || !live.FAQ.IsFactWanted(known)
	})
	change, action := v.Curator.NewChange(""), v.Text("owner.answer.unwanted")
	return v.propose(proposal{
		Back: answers.pagePath(id), Next: pathAnswers,
		Intro: v.Text("owner.quoted", e.Question), Done: v.Text("owner.summary.changed", e.Question, action),
	}, change, change.Set(faqFile, content.Path{"facts"}, wanted))
}

// noteOf is what was asked of an entry, in words, or that it is a draft.
func (v visit) noteOf(e *content.Entry, use records.EntryUse) string {
	asked := v.Text("owner.answers.unasked")
	if use.Asked > 0 {
		asked = v.Count("owner.question.asked", use.Asked) + ", " + v.Count("owner.answers.wordings", use.Questions) +
			v.helped(use.Helpful, use.Unhelpful)
	}
	switch {
	case e.Draft:
		return v.Text("owner.answers.draft")
	case e.IsFact:
		return v.Text("owner.answers.fact") + ", " + asked
	}
	return asked
}

// helped is how often an answer helped and did not, to go after other words.
func (v visit) helped(helpful, unhelpful int) string {
	return v.also("owner.question.helped", helpful) + v.also("owner.question.unhelped", unhelpful)
}

// also is a message with a count, to go after other words; empty for 0.
func (v visit) also(key string, n int) string {
	if n == 0 {
		return ""
	}
	return ", " + v.Count(key, n)
}

// listAnswers shows the drafts, and then the entries, the most asked first.
func (v visit) listAnswers() error {
	uses, err := v.Store.EntryUses(v.Context())
	if err != nil {
		return err
	}
	byEntry := map[string]records.EntryUse{}
	for _, use := range uses {
		byEntry[use.EntryID] = use
	}
	live := v.live()
	entries := slices.Collect(live.FAQ.Each())
	slices.SortStableFunc(entries, func(a, b *content.Entry) int {
		return cmp.Compare(byEntry[b.ID].Asked, byEntry[a.ID].Asked)
	})
	entries = slices.Concat(slices.Collect(content.FAQ{Entries: live.Drafts}.Each()), entries)
	var rows []questionRow
	for _, e := range onPage(v, entries) {
		use := byEntry[e.ID]
		rows = append(rows, questionRow{Path: answers.pagePath(e.ID), Q: e.Question, Note: v.noteOf(e, use),
			LastAt: use.LastAt})
	}
	return v.show(v.Text("owner.nav.answers"), "answers", data{
		"Rows": rows, "KeepsAnswered": v.KeepsAnswered, "Pager": v.newPager(len(entries)),
	})
}

// showAnswer shows an entry in each language, and the questions that it answered.
func (v visit) showAnswer() error {
	live, id := v.live(), v.PathValue("id")
	texts := slices.Concat(live.Drafts, live.FAQ.Entries)
	texts = slices.DeleteFunc(texts, func(e content.Entry) bool { return e.ID != id })
	if len(texts) == 0 {
		return noItem
	}
	rows, total, err := v.answeredRows(records.AnsweredFilter{EntryID: id, Page: v.pageOf()})
	if err != nil {
		return err
	}
	editPath := withQuery(answers.editPath(""), "fact", id)
	if slices.ContainsFunc(texts, func(e content.Entry) bool { return !e.IsFact }) {
		editPath = answers.editPath(id)
	}
	return v.show(texts[0].Question, "answer", data{
		"Entry": texts[0], "EditPath": editPath, "Texts": texts, "Rows": rows, "Total": total,
		"KeepsAnswered": v.KeepsAnswered, "Pager": v.newPager(total),
	})
}
