package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// Answered is a question that an entry answered, with how often and how well. It is stored
// as given: the caller masks what must not be kept. Times are kept to the microsecond.
type Answered struct {
	Number     int64          `json:"number"`
	Key        string         `json:"-"` // the same for equal questions
	Q          string         `json:"q"`
	EntryID    string         `json:"entry_id"`
	Match      contract.Match `json:"match"`      // how the entry was found, when it was asked last
	Confidence float64        `json:"confidence"` // confidence of the selector, from 0 to 1; 0 if a model chose
	Asked      int            `json:"asked"`
	Helpful    int            `json:"helpful"` // by how many clients a day it was marked so
	Unhelpful  int            `json:"unhelpful"`
	Dismissed  bool           `json:"dismissed,omitempty"` // it is on no list of wrong answers
	FirstAt    time.Time      `json:"first_at"`
	LastAt     time.Time      `json:"last_at"`
}

var answeredTable = table[Answered]{
	name: "answered",
	columns: "number, question_key, q, entry_id, matched_by, confidence, asked, helpful, unhelpful, dismissed, " +
		"created_at, asked_at",
	fields: func(a *Answered) []any {
		return []any{&a.Number, &a.Key, &a.Q, &a.EntryID, &a.Match, &a.Confidence, &a.Asked, &a.Helpful, &a.Unhelpful,
			&a.Dismissed, instant{&a.FirstAt}, instant{&a.LastAt}}
	},
	kind: "answered", id: "key", order: "number",
	line: func(a *Answered) any {
		return &struct {
			*Answered
			Key *string `json:"key"`
		}{a, &a.Key}
	},
}

// countAnswer counts an answered question, or, if Asked is 0, only marks of it: they change
// nothing else of a stored one, and add none.
func countAnswer(tx transaction, a Answered, room int) (added int, err error) {
	insert := `INSERT INTO answered (question_key, entry_id, asked, matched_by, confidence, created_at, asked_at, helpful,
		unhelpful, q, dismissed)
		VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, false) ON CONFLICT (question_key, entry_id) DO NOTHING`
	if a.Asked == 0 {
		insert = ""
	}
	return upsert(tx, room, `UPDATE answered SET
		matched_by = CASE WHEN $3 > 0 THEN $4 ELSE matched_by END,
		confidence = CASE WHEN $3 > 0 THEN $5 ELSE confidence END,
		asked_at = CASE WHEN $3 > 0 THEN $6 ELSE asked_at END,
		asked = asked + $3, helpful = helpful + $7, unhelpful = unhelpful + $8
		WHERE question_key = $1 AND entry_id = $2`, insert,
		[]any{a.Key, a.EntryID, a.Asked, a.Match, a.Confidence, a.LastAt.UnixMicro(), a.Helpful, a.Unhelpful}, a.Q)
}

// AnsweredFilter chooses answered questions.
type AnsweredFilter struct {
	EntryID   string // empty means any
	Wrong     bool   // only those that were marked unhelpful and are not dismissed
	Dismissed bool   // only those that were dismissed
	Text      string // only those whose question contains it, without regard to case
	Page
}

// answeredChosen is the condition of a filter, whose arguments are $1 to $4.
const answeredChosen = `WHERE ($1 = '' OR entry_id = $1)
	AND (NOT $2 OR unhelpful > 0 AND NOT dismissed) AND (NOT $3 OR dismissed) AND lower(q) LIKE lower($4) ESCAPE '!'`

func (f AnsweredFilter) args() []any {
	return []any{f.EntryID, f.Wrong, f.Dismissed, containing(f.Text)}
}

// AnsweredQuestions lists answered questions, the most asked first; wrong ones by how
// often they were marked. The list is never nil.
func (s *Store) AnsweredQuestions(ctx context.Context, filter AnsweredFilter) ([]Answered, error) {
	return answeredTable.list(ctx, s, "list answered questions", answeredChosen+`
		ORDER BY CASE WHEN $2 THEN unhelpful ELSE 0 END DESC, asked DESC, number`+filter.clause(), filter.args()...)
}

// CountAnswered returns how many answered questions a filter chooses on all its pages.
func (s *Store) CountAnswered(ctx context.Context, filter AnsweredFilter) (count int, err error) {
	err = s.read(ctx, "count answered questions", []any{&count}, `SELECT COUNT(*) FROM answered `+answeredChosen,
		filter.args()...)
	return count, err
}

// AnsweredQuestion returns one answered question, or ErrNotFound.
func (s *Store) AnsweredQuestion(ctx context.Context, number int64) (Answered, error) {
	a, err := answeredTable.get(ctx, s.reads, `WHERE number = $1`, number)
	return a, wrap(err, fmt.Sprint("read answered question ", number))
}

// ActOnAnswered does the same with answered questions, by their numbers and else by the rules of ActOnQuestions. Their
// list is that of wrong answers; they are never accepted.
func (s *Store) ActOnAnswered(ctx context.Context, action QuestionAction, numbers ...int64) (int64, error) {
	return actOn(ctx, s, numbers, map[QuestionAction]string{
		Dismiss: `UPDATE answered SET dismissed = true WHERE number = $1`,
		Reopen:  `UPDATE answered SET dismissed = false WHERE number = $1`,
		Delete:  `DELETE FROM answered WHERE number = $1`,
	}[action])
}

// JSON returns the question as SwapAnswered reads it.
func (a Answered) JSON() json.RawMessage { return payload.JSON(answeredTable.line(&a)) }

// SwapAnswered deletes answered questions and adds the counts of others. Those that are not stored get a new number.
func (s *Store) SwapAnswered(ctx context.Context, deleted, added []json.RawMessage) error {
	if len(deleted)+len(added) == 0 {
		return nil
	}
	return s.change(ctx, "swap answered questions", func(tx transaction) error {
		for i, text := range slices.Concat(deleted, added) {
			var a Answered
			err := json.Unmarshal(text, answeredTable.line(&a))
			if err == nil && i < len(deleted) {
				_, err = tx.exec(`DELETE FROM answered WHERE question_key = $1 AND entry_id = $2`, a.Key, a.EntryID)
			} else if err == nil {
				_, err = countAnswer(tx, a, 1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// EntryUse sums up what was asked of an entry.
type EntryUse struct {
	EntryID   string    `json:"entry_id"`
	Questions int       `json:"questions"` // different ones
	Asked     int       `json:"asked"`
	Helpful   int       `json:"helpful"`
	Unhelpful int       `json:"unhelpful"`
	LastAt    time.Time `json:"last_at"`
}

// EntryUses sums up the answered questions by entry, the most asked entry first. An
// entry that was not asked is not in the list, which is never nil.
func (s *Store) EntryUses(ctx context.Context) ([]EntryUse, error) {
	uses, err := list(ctx, s.reads, func(u *EntryUse) []any {
		return []any{&u.EntryID, &u.Questions, &u.Asked, &u.Helpful, &u.Unhelpful, instant{&u.LastAt}}
	}, `SELECT entry_id, COUNT(*), SUM(asked), SUM(helpful), SUM(unhelpful), MAX(asked_at)
		FROM answered GROUP BY entry_id ORDER BY SUM(asked) DESC, entry_id`)
	return uses, wrap(err, "sum up answered questions")
}
