package records

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"frontdesk/contract"
)

// Answered is a question that an entry answered, with how often and how well. It is stored
// as it is given: the caller masks what must not be kept. Times are kept to the microsecond.
type Answered struct {
	Number    int64          `json:"number" db:"number"`
	Key       string         `json:"-" db:"question_key,required"` // the same for questions that are equal
	Q         string         `json:"q" db:"q,text"`
	EntryID   string         `json:"entry_id" db:"entry_id"`
	Match     contract.Match `json:"match" db:"matched_by"`  // how the entry was found, when it was asked last
	Sureness  float64        `json:"sureness" db:"sureness"` // of the selector, from 0 to 1; 0 where a model chose
	Asked     int            `json:"asked" db:"asked"`
	Helpful   int            `json:"helpful" db:"helpful"` // by how many clients a day it was marked so
	Unhelpful int            `json:"unhelpful" db:"unhelpful"`
	Dismissed bool           `json:"dismissed,omitempty" db:"dismissed"` // it is on no list of wrong answers
	FirstAt   time.Time      `json:"first_at" db:"created_at"`
	LastAt    time.Time      `json:"last_at" db:"asked_at"`
}

var answered = newTable(table[Answered]{
	name: "answered", numbered: true, sequence: "answered_numbers", key: "question_key, entry_id", kind: "answered",
	order: "number", since: "asked_at",
	line: func(a *Answered) any {
		return &struct {
			*Answered
			Key *string `json:"key"`
		}{a, &a.Key}
	},
})

// countAnswers counts answered questions and returns how many are new, at most room. A mark
// of a question that is not stored adds nothing, and marks leave the rest of a stored one as
// it is.
func (s *Store) countAnswers(ctx context.Context, tx *sql.Tx, answers []Answered, room int) (added int, err error) {
	for i := range answers {
		answers[i].FirstAt = answers[i].LastAt
	}
	return answered.merge(ctx, tx, s.dialect, answers, room, `new.asked > 0 OR old.number IS NOT NULL`, `
		matched_by = CASE WHEN excluded.asked > 0 THEN excluded.matched_by ELSE answered.matched_by END,
		sureness = CASE WHEN excluded.asked > 0 THEN excluded.sureness ELSE answered.sureness END,
		asked_at = CASE WHEN excluded.asked > 0 THEN excluded.asked_at ELSE answered.asked_at END,
		asked = answered.asked + excluded.asked,
		helpful = answered.helpful + excluded.helpful,
		unhelpful = answered.unhelpful + excluded.unhelpful`)
}

// AnsweredFilter chooses answered questions.
type AnsweredFilter struct {
	EntryID string // empty means any
	Wrong   bool   // only those that were marked unhelpful and are not dismissed
	// Dismissed chooses only those that were dismissed.
	Dismissed bool
	Text      string // only those whose question contains it, without regard to case
	Page
}

func (f AnsweredFilter) where() (w where) {
	if f.EntryID != "" {
		w.and(`entry_id = ?`, f.EntryID)
	}
	if f.Wrong {
		w.and(`unhelpful > 0 AND NOT dismissed`)
	}
	if f.Dismissed {
		w.and(`dismissed`)
	}
	w.contains(f.Text, "q")
	return w
}

// AnsweredQuestions lists answered questions, the most asked first; wrong ones by how
// often they were marked. The list is never nil.
func (s *Store) AnsweredQuestions(ctx context.Context, filter AnsweredFilter) ([]Answered, error) {
	order := ` ORDER BY asked DESC, number`
	if filter.Wrong {
		order = ` ORDER BY unhelpful DESC, asked DESC, number`
	}
	chosen := filter.where()
	list, err := answered.list(ctx, s.reads, chosen.String()+order+filter.Page.clause(), chosen.args...)
	return list, wrap(err, "list answered questions")
}

// CountAnswered returns how many answered questions a filter chooses on all its pages.
func (s *Store) CountAnswered(ctx context.Context, filter AnsweredFilter) (count int, err error) {
	chosen := filter.where()
	err = s.read(ctx, "count answered questions", []any{&count}, `SELECT COUNT(*) FROM answered`+chosen.String(),
		chosen.args...)
	return count, err
}

// AnsweredQuestion returns one answered question, or ErrNotFound.
func (s *Store) AnsweredQuestion(ctx context.Context, number int64) (Answered, error) {
	a, err := answered.get(ctx, s.reads, `WHERE number = $1`, number)
	return a, wrap(err, fmt.Sprint("read answered question ", number))
}

// EntryUse sums up what was asked of an entry.
type EntryUse struct {
	EntryID   string    `json:"entry_id" db:"entry_id"`
	Questions int       `json:"questions" db:"questions"` // different ones
	Asked     int       `json:"asked" db:"asked"`
	Helpful   int       `json:"helpful" db:"helpful"`
	Unhelpful int       `json:"unhelpful" db:"unhelpful"`
	LastAt    time.Time `json:"last_at" db:"last_at"`
}

// EntryUses sums up the answered questions by entry, the most asked entry first. An
// entry that was not asked is not in the list, which is never nil.
func (s *Store) EntryUses(ctx context.Context) ([]EntryUse, error) {
	uses, err := collect[EntryUse](ctx, s.reads,
		`SELECT entry_id, COUNT(*), SUM(asked), SUM(helpful), SUM(unhelpful), MAX(asked_at)
		FROM answered GROUP BY entry_id ORDER BY SUM(asked) DESC, entry_id`)
	return uses, wrap(err, "sum up answered questions")
}
