package faq

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq/lexical"
	"frontdesk/faq/semantic"
	"frontdesk/internal/payload"
)

// Answerer answers questions from the approved entries of one content snapshot. It
// never changes, and is safe for concurrent use.
type Answerer struct {
	faq        content.FAQ
	entries    []content.Entry
	wordings   map[string][]*wording // by content.QuestionKey
	resolveURL func(string) string
	selector   *semantic.Selector
	precision  float64    // of the content
	untried    bool       // the golden questions have not been asked yet, so that the selector is sure of nothing
	languages  *languages // nil for one language
	synonyms   synonyms
}

type wording struct {
	entry int
	match contract.Match
	body  atomic.Pointer[[]byte] // the encoded answer, made when it is first given: few entries of a large FAQ are asked
}

// New makes the answerer of faq, whose selector compares words only. unanswered are questions that the owner wants
// unanswered: the selector compares questions with them too. resolveURL makes the address of an entry absolute.
func New(faq content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *Answerer {
	return With(nil)(faq, unanswered, resolveURL)
}

// Builder makes answerers; New is one.
type Builder = func(faq content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *Answerer

// With returns a function that makes answerers as New does, whose selectors ask the encoder of
// embedder about the questions that words leave open. A nil embedder leaves them to words.
func With(embedder *semantic.Embedder) Builder {
	return func(faq content.FAQ, unanswered []content.GoldenQuestion, resolveURL func(string) string) *Answerer {
		questions := texts(unanswered)
		words := lexical.New(faq.Entries, questions, lexical.Shipped())
		b := &Answerer{
			faq: faq, entries: faq.Entries, languages: newLanguages(faq), synonyms: newSynonyms(faq),
			wordings:   map[string][]*wording{},
			resolveURL: resolveURL,
			selector:   semantic.New(words, embedder, faq.Entries, questions),
			precision:  cmp.Or(faq.Precision, content.DefaultPrecision),
		}
		for i := range b.entries {
			match := contract.MatchExact
			for _, question := range b.entries[i].Wordings() {
				if key := content.QuestionKey(question); key != "" {
					b.wordings[key] = append(b.wordings[key], &wording{entry: i, match: match})
				}
				match = contract.MatchAlternate
			}
		}
		return b
	}
}

// Untried returns the answerer for the time before its golden questions were tried. It answers approved wordings and
// has candidates for every other question.
func (b *Answerer) Untried() *Answerer {
	c := *b
	c.untried = true
	return &c
}

// Prepare has embedder, which may be nil, encode what an answerer of faq and its golden questions need, until ctx
// ends. What it has read stays in memory until release is called, also after an error.
func Prepare(ctx context.Context, embedder *semantic.Embedder, faq content.FAQ, golden content.Golden) (release func(),
	err error) {
	unanswered := texts(golden.Unanswered)
	questions := append(texts(golden.Answered), unanswered...)
	for _, q := range questions {
		if first, second, ok := split(q); ok {
			questions = append(questions, first, second)
		}
	}
	return embedder.Prepare(ctx, faq.Entries, unanswered, questions)
}

func texts(questions []content.GoldenQuestion) []string {
	all := make([]string, len(questions))
	for i := range questions {
		all[i] = questions[i].Q
	}
	return all
}

// Has reports whether an entry bears the id, live or expired.
func (b *Answerer) Has(entryID string) bool {
	return slices.ContainsFunc(b.entries, func(e content.Entry) bool { return e.ID == entryID })
}

// Ask answers q from the answerer only: an approved wording, the selector when it is sure,
// the fallback. It waits for the encoder as long as ctx allows. A Cascade asks a
// model before the fallback.
func (b *Answerer) Ask(ctx context.Context, q string) contract.Answer {
	answer, _ := b.ask(ctx, q, b.live(), 0)
	return answer
}

// ask also returns the selector's choice, which is empty for an approved wording. longest
// bounds the wait for the encoder; 0 waits as long as ctx allows. The timer starts only after
// the exact match, because the timer costs several times as much as that.
func (b *Answerer) ask(ctx context.Context, q string, live func(entry int) bool, longest time.Duration) (
	contract.Answer, lexical.Choice,
) {
	if w := b.approved(ctx, q, live); w != nil {
		answer := b.answer(w.entry, w.match)
		body := w.body.Load()
		if body == nil {
			body = new(payload.JSON(answer))
			w.body.Store(body)
		}
		answer.Encoded = *body
		return answer, lexical.Choice{}
	}
	if longest > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, longest)
		defer cancel()
	}
	choice := b.choose(ctx, q, live)
	language := b.languageOf(ctx, q)
	choice.Best = b.preferLanguage(language, choice.Best)
	var answer contract.Answer
	if choice.Sure {
		answer = b.answer(choice.Best[0], contract.MatchSelector)
	} else {
		answer = b.fallback(language, b.unique(choice.Best[:choice.Near]))
	}
	answer.Confidence = choice.Confidence
	return answer, choice
}

// approved returns the approved wording of a live entry that a question is, or nil.
func (b *Answerer) approved(ctx context.Context, q string, live func(entry int) bool) *wording {
	wordings := slices.Clone(b.wordings[content.QuestionKey(q)])
	wordings = slices.DeleteFunc(wordings, func(w *wording) bool { return !live(w.entry) })
	switch len(wordings) {
	case 0:
		return nil
	case 1:
		return wordings[0]
	}
	language := b.languageOf(ctx, q)
	at := slices.IndexFunc(wordings, func(w *wording) bool { return b.entries[w.entry].Speaks(language) })
	return wordings[max(at, 0)]
}

// live returns a function that reports whether an entry may answer now.
func (b *Answerer) live() func(entry int) bool {
	now := time.Now()
	return func(entry int) bool { return b.entries[entry].Live(now) }
}

// unique keeps the first entry of each id.
func (b *Answerer) unique(entries []int) (each []int) {
	for _, entry := range entries {
		if !slices.ContainsFunc(each, func(other int) bool { return b.entries[other].ID == b.entries[entry].ID }) {
			each = append(each, entry)
		}
	}
	return each
}

// preferLanguage replaces each entry by its live version in language, if there is one.
func (b *Answerer) preferLanguage(language string, entries []int) []int {
	if language == "" {
		return entries
	}
	entries = slices.Clone(entries)
	live := b.live()
	for i, entry := range entries {
		from, to := versions(b.entries, entry)
		for other := from; other < to; other++ {
			if b.entries[other].Speaks(language) && live(other) {
				entries[i] = other
				break
			}
		}
	}
	return entries
}

// versions returns the range of the entries with the id of an entry, one for each of its languages: they are adjacent.
func versions(entries []content.Entry, entry int) (from, to int) {
	from, to = entry, entry
	for from > 0 && entries[from-1].ID == entries[entry].ID {
		from--
	}
	for to < len(entries) && entries[to].ID == entries[entry].ID {
		to++
	}
	return from, to
}

// answer returns the answer that an entry gives. Its strings are the entry's own.
func (b *Answerer) answer(at int, match contract.Match) contract.Answer {
	entry := &b.entries[at]
	return contract.Answer{
		OK:          true,
		Answer:      entry.Answer,
		Reason:      contract.ReasonMatched,
		Match:       match,
		EntryID:     &entry.ID,
		Question:    &entry.Question,
		URL:         b.urlOf(entry),
		Revision:    &entry.Revision,
		Suggestions: []string{},
		Candidates:  []contract.Candidate{},
	}
}

// urlOf returns the absolute address of an entry, or nil if it has none.
func (b *Answerer) urlOf(entry *content.Entry) *string {
	if entry.URL == "" {
		return nil
	}
	return new(b.resolveURL(entry.URL))
}

// fallback returns the fallback with the closest entries as candidates, all in language or, if
// that is "", in the language of the first entry.
func (b *Answerer) fallback(language string, best []int) contract.Answer {
	best = best[:min(len(best), contract.MaxSuggestions)]
	if language == "" && len(best) > 0 {
		language = b.entries[best[0]].Lang
		best = b.preferLanguage(language, best)
	}
	answer := contract.Answer{
		OK:          true,
		Answer:      b.faq.FallbackIn(language),
		Reason:      contract.ReasonNoMatch,
		Match:       contract.MatchNone,
		Suggestions: make([]string, len(best)),
		Candidates:  make([]contract.Candidate, len(best)),
	}
	for i, at := range best {
		entry := &b.entries[at]
		answer.Suggestions[i] = entry.Question
		answer.Candidates[i] = contract.Candidate{
			EntryID: entry.ID, Question: entry.Question, Answer: entry.Answer, URL: b.urlOf(entry), Revision: entry.Revision,
		}
	}
	return answer
}
