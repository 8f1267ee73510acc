package site

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"frontdesk/content"
	"frontdesk/contract"
)

// Asked is the content of the page /ask: the question as it was typed or linked to, and the
// answer or the error. The zero value is the empty form.
type Asked struct {
	Path   string // of the request; it decides the language
	Q      string
	Answer *contract.Answer
	Err    *contract.Error
}

// askForm is the box in which a question is typed.
type askForm struct {
	Q, Error string
	Label    string
	Examples []*content.Entry
}

// Asked is the page /ask.
func (s *Site) Asked(a Asked) Page { return s.editionOf(a.Path).asked(a, time.Now(), nil) }

const (
	farAhead     = 0.5 // the confidence at which the first candidate is likelier than all others together
	longQuestion = 70  // characters of a question above which it is no headline, but a text
)

func (e *edition) asked(a Asked, now time.Time, mostAsked []string) Page {
	form := askForm{Q: a.Q, Label: e.t("ask.label")}
	question := strings.Join(strings.Fields(a.Q), " ")
	isSame := false // whether the approved question is the typed one
	var entry *content.Entry
	var candidates, related []*content.Entry
	lang, isLikely := "", false // the answer's language if it differs from the page's; whether to open the first candidate
	switch {
	case a.Answer != nil:
		entry, lang = e.answeredBy(a.Answer)
		form.Label = e.t("ask.again")
		candidates, isLikely = e.candidates(a.Answer), a.Answer.Confidence >= farAhead
		if entry != nil {
			related, form.Q = e.related(entry, now), "" // the box is for the next question
			isSame = strings.EqualFold(strings.TrimRight(question, "?!. "), strings.TrimRight(entry.Question, "?!. "))
		}
	case a.Err != nil:
		form.Error = e.askError(a.Err, a.Q)
	default:
		form.Examples = e.examples(mostAsked)
	}
	shown := data{
		"Ask": form, "Answer": a.Answer, "Entry": entry, "Lang": lang, "Candidates": candidates, "IsLikely": isLikely,
		"Related": related, "Q": question, "IsLong": utf8.RuneCountInString(question) > longQuestion, "IsSame": isSame,
		"Detail": e.detail(a.Err),
	}
	v := view{
		Plain: contract.PathAskPage, Title: e.t("ask.title"), IsOwn: true, Description: e.t("ask.about", e.Name), Now: now,
		Template: "ask", Shown: shown, ForOne: a.Answer != nil || a.Q != "" || a.Err != nil,
	}
	if a.Answer != nil {
		v.Question = question
	}
	return e.page(v, execute(e.text, "ask.md", shown))
}

// detail is an error for agents, as the API words it; empty for none.
func (e *edition) detail(err *contract.Error) string {
	if err == nil {
		return ""
	}
	problem := err.Problem(e.site.Base)
	return problem.Detail + " " + problem.Hint
}

// answeredBy returns the entry of an answer, nil for the fallback, and the language of
// the text if it differs from the page's.
func (e *edition) answeredBy(answer *contract.Answer) (entry *content.Entry, lang string) {
	if answer.EntryID != nil {
		if entry = e.entry(*answer.EntryID, *answer.Question); entry != nil {
			lang = e.foreign(entry)
		}
		return entry, lang
	}
	for _, other := range e.site.editions {
		if other.Fallback == answer.Answer && e.Fallback != answer.Answer {
			return nil, other.Language
		}
	}
	return nil, ""
}

// foreign returns the language of an entry if it differs from the edition's.
func (e *edition) foreign(entry *content.Entry) string {
	if language := cmp.Or(entry.Lang, e.site.Content.Language()); language != e.Language {
		return language
	}
	return ""
}

// shownEntries is how many questions the home page suggests, and how many follow an answer.
const shownEntries = 3

// examples returns the entries of the language that are asked most and never expire, then
// others in the order of the owner's file.
func (e *edition) examples(asked []string) (examples []*content.Entry) {
	entries := e.site.Content.FAQ.Entries
	const anyID = ""
	for _, id := range append(slices.Clone(asked), anyID) {
		for i := range entries {
			entry := &entries[i]
			if len(examples) < shownEntries && (id == anyID || id == entry.ID) && entry.Expires.IsZero() &&
				e.foreign(entry) == "" && !slices.Contains(examples, entry) {
				examples = append(examples, entry)
			}
		}
	}
	return examples
}

// topic is what related entries have in common.
type topic struct{ group, lang string }

// topics returns the places of the entries of each topic in the owner's file.
func topics(entries []content.Entry) map[topic][]int {
	places := map[topic][]int{}
	for i, entry := range entries {
		of := topic{entry.Group, entry.Lang}
		places[of] = append(places[of], i)
	}
	return places
}

// related returns the live entries of the same topic that are nearest in the owner's file.
func (e *edition) related(to *content.Entry, now time.Time) []*content.Entry {
	entries := e.site.Content.FAQ.Entries
	return nearest(entries, topics(entries)[topic{to.Group, to.Lang}], e.index(to.ID, to.Question), now)
}

// nearest returns the live entries whose indexes in places, which are sorted, are closest to place.
func nearest(entries []content.Entry, places []int, place int, now time.Time) (near []*content.Entry) {
	at, _ := slices.BinarySearch(places, place)
	before, after := at-1, at+1
	for len(near) < shownEntries && (before >= 0 || after < len(places)) {
		next := after
		if after == len(places) || before >= 0 && place-places[before] <= places[after]-place {
			next, before = before, before-1
		} else {
			after++
		}
		if entry := &entries[places[next]]; entry.Live(now) {
			near = append(near, entry)
		}
	}
	return near
}

// relatedQuestions lists the questions that follow each answer, without those that expire. If several languages have
// the same question, they are in the first of these.
func (e *edition) relatedQuestions(now time.Time) map[string][]string {
	all, entries := map[string][]string{}, e.site.Content.FAQ.Entries
	places := topics(entries)
	for place, entry := range entries {
		if all[entry.Question] != nil {
			continue
		}
		for _, other := range nearest(entries, places[topic{entry.Group, entry.Lang}], place, now) {
			if other.Expires.IsZero() {
				all[entry.Question] = append(all[entry.Question], other.Question)
			}
		}
	}
	return all
}

// candidates are the entries that may answer a question.
func (e *edition) candidates(answer *contract.Answer) (candidates []*content.Entry) {
	for _, c := range answer.Candidates {
		if entry := e.entry(c.EntryID, c.Question); entry != nil {
			candidates = append(candidates, entry)
		}
	}
	return candidates
}

// entry returns the entry with an id, in the language of its question, or nil.
func (e *edition) entry(id, question string) *content.Entry {
	if i := e.index(id, question); i >= 0 {
		return &e.site.Content.FAQ.Entries[i]
	}
	return nil
}

func (e *edition) index(id, question string) int {
	return slices.IndexFunc(e.site.Content.FAQ.Entries, func(entry content.Entry) bool {
		return entry.ID == id && entry.Question == question
	})
}
