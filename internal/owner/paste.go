package owner

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"frontdesk/content"
	"frontdesk/internal/importer"
)

// pasteAnswers shows the form for many answers at once, and proposes what was pasted as drafts.
func (v visit) pasteAnswers() error {
	pasted := v.PostFormValue("pasted")
	showForm := func(reason string) error {
		return v.show(v.Text("owner.paste.title"), "paste", data{"Pasted": pasted, "Reason": reason})
	}
	if v.Method != http.MethodPost || v.PostFormValue("step") == stepEdit {
		return showForm("")
	}
	entries, conflicts, _, err := importer.Read([]byte(pasted), "", "")
	if err != nil {
		v.status = http.StatusUnprocessableEntity
		return showForm(v.Text("owner.paste.none"))
	}
	change := v.Curator.NewChange("")
	items, err := v.itemsOf(answers)
	if err != nil {
		return err
	}
	pr := proposal{
		Back: pathAnswers, Next: pathAnswers, Direct: true, Editable: true,
		Fields: url.Values{"pasted": {pasted}},
	}
	for _, q := range conflicts {
		pr.Warnings = append(pr.Warnings, v.Text("owner.paste.twice", q))
	}
	added := 0
	for _, entry := range entries {
		if slices.ContainsFunc(items, func(known item) bool { return asks(known, entry.Question) }) {
			pr.Warnings = append(pr.Warnings, v.Text("owner.paste.known", entry.Question))
			continue
		}
		id := v.newID(answers, entry.Question, items)
		if err := change.Insert(faqFile, content.Path{answers.list}, len(items), entry.Draft(id)); err != nil {
			return err
		}
		items = append(items, item{id: id})
		added++
	}
	if added == 0 {
		v.status = http.StatusUnprocessableEntity
		return showForm(strings.Join(pr.Warnings, "\n"))
	}
	change.Summary = v.Count("owner.paste.drafts", added)
	pr.Intro = change.Summary
	return v.propose(pr, change, nil)
}

// asks reports whether a question is a wording of an answer, in any language.
func asks(answer item, question string) bool {
	key := content.QuestionKey(question)
	for _, value := range answer.values {
		wordings, _ := value.([]string)
		if text, isText := value.(string); isText {
			wordings = []string{text}
		}
		if slices.ContainsFunc(wordings, func(wording string) bool { return content.QuestionKey(wording) == key }) {
			return true
		}
	}
	return false
}

// publish makes a draft an answer, and goes on to the next draft.
func (v visit) publish() error {
	id, next := v.PathValue("id"), pathAnswers
	change := v.Curator.NewChange("")
	path, err := change.ItemPath(faqFile, answers.list, id)
	if err == nil {
		err = change.Delete(faqFile, append(path, "draft"))
	}
	title := id
	for _, draft := range v.live().Drafts {
		if draft.ID == id {
			title = draft.Question
		} else if next == pathAnswers {
			next = answers.pagePath(draft.ID)
		}
	}
	return v.propose(proposal{
		Back: answers.pagePath(id), Next: next, Direct: true,
		Intro: v.Text("owner.quoted", title), Done: v.Text("owner.summary.published", title),
	}, change, err)
}
