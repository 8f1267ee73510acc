package records

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// Question is a question that the content did not answer well, with how often. It is stored
// as it is given: the caller masks what must not be kept. Times are kept to the microsecond.
type Question struct {
	Number     int64     `json:"number" db:"number"`
	Key        string    `json:"-" db:"question_key,required"` // the same for questions that are equal
	Q          string    `json:"q" db:"q,text"`
	Unanswered int       `json:"unanswered" db:"unanswered"`         // how often no entry answered
	Unhelpful  int       `json:"unhelpful" db:"unhelpful"`           // how often the answer did not help
	EntryID    string    `json:"entry_id,omitempty" db:"entry_id"`   // of the answer that did not help, when it is known
	Accepted   bool      `json:"accepted,omitempty" db:"accepted"`   // it has become an alternate and is on no list
	Dismissed  bool      `json:"dismissed,omitempty" db:"dismissed"` // the owner has taken it off the list
	FirstAt    time.Time `json:"first_at" db:"created_at"`
	LastAt     time.Time `json:"last_at" db:"asked_at"`
}

var questions = newTable(table[Question]{
	name: "questions", numbered: true, sequence: "question_numbers", key: "question_key", kind: "question",
	order: "number", since: "asked_at",
	line: func(q *Question) any {
		return &struct {
			*Question
			Key *string `json:"key"`
		}{q, &q.Key}
	},
})

// countQuestions counts questions and returns how many are new, at most room. An accepted
// question that is asked in vain again is open again and counted from now: the content has
// lost it since.
func (s *Store) countQuestions(ctx context.Context, tx *sql.Tx, asked []Question, room int) (added int, err error) {
	for i := range asked {
		asked[i].FirstAt = asked[i].LastAt
	}
	return questions.merge(ctx, tx, s.dialect, asked, room, `true`, `
		unanswered = CASE WHEN questions.accepted THEN 0 ELSE questions.unanswered END + excluded.unanswered,
		unhelpful = CASE WHEN questions.accepted THEN 0 ELSE questions.unhelpful END + excluded.unhelpful,
		entry_id = CASE WHEN excluded.entry_id = '' THEN questions.entry_id ELSE excluded.entry_id END,
		accepted = false, asked_at = excluded.asked_at`)
}

// Questions lists the open questions by number. The list is never nil.
func (s *Store) Questions(ctx context.Context) ([]Question, error) {
	list, err := questions.list(ctx, s.reads, `WHERE NOT accepted AND NOT dismissed ORDER BY number`)
	return list, wrap(err, "list questions")
}

// DismissedQuestions lists the questions that were dismissed, by number. The list is never nil.
func (s *Store) DismissedQuestions(ctx context.Context) ([]Question, error) {
	list, err := questions.list(ctx, s.reads, `WHERE dismissed ORDER BY number`)
	return list, wrap(err, "list dismissed questions")
}

// QuestionsState changes with the list of open questions.
type QuestionsState struct {
	Count, Numbers int64 // how many they are, and the sum of their numbers
	Asked          int64 // how often all of them were asked in vain
	Last           int64 // when one was asked last, in microseconds since 1970
}

// QuestionsState is the state of the open questions.
func (s *Store) QuestionsState(ctx context.Context) (state QuestionsState, err error) {
	err = s.read(ctx, "read the state of the questions", []any{&state.Count, &state.Numbers, &state.Asked, &state.Last},
		`SELECT COUNT(*), COALESCE(SUM(number), 0), COALESCE(SUM(unanswered + unhelpful), 0), COALESCE(MAX(asked_at), 0) FROM questions WHERE NOT accepted AND NOT dismissed`)
	return state, err
}

// QuestionAction is what an owner does with questions.
type QuestionAction string

// The actions. A question that was deleted is a new one when it is asked again.
const (
	Accept  QuestionAction = "accept"  // off the list of unanswered questions, until it is asked in vain again
	Dismiss QuestionAction = "dismiss" // off its list, however often it is asked again
	Reopen  QuestionAction = "restore" // back on its list, with all its counts
	Delete  QuestionAction = "delete"
)

// ActOnQuestions does the same with questions, and returns how many there were. Unknown
// numbers are ignored.
func (s *Store) ActOnQuestions(ctx context.Context, action QuestionAction, numbers ...int64) (int64, error) {
	return s.actOn(ctx, action, questions.name, numbers)
}

// ActOnAnswered does the same with answered questions, which are never accepted: their list
// is that of wrong answers.
func (s *Store) ActOnAnswered(ctx context.Context, action QuestionAction, numbers ...int64) (int64, error) {
	return s.actOn(ctx, action, answered.name, numbers)
}

// actOn takes the rows always in the same order, so that two owners never wait for each
// other.
func (s *Store) actOn(ctx context.Context, action QuestionAction, table string, numbers []int64) (int64, error) {
	statement := map[QuestionAction]string{
		Accept:  `UPDATE ` + table + ` SET accepted = true`,
		Dismiss: `UPDATE ` + table + ` SET dismissed = true`,
		Reopen:  `UPDATE ` + table + ` SET dismissed = false`,
		Delete:  `DELETE FROM ` + table,
	}[action] + ` WHERE number = $1`
	return result(ctx, s, fmt.Sprint(action, " ", table),
		func(ctx context.Context, tx *sql.Tx) (changed int64, err error) {
			for _, number := range slices.Sorted(slices.Values(numbers)) {
				n, err := affected(tx.ExecContext(ctx, statement, number))
				if err != nil {
					return 0, err
				}
				changed += n
			}
			return changed, nil
		})
}
