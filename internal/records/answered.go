package records

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"frontdesk/contract"
)

// Answer is a question that an entry answered, with how often. It is stored as it is
// given: the caller masks what must not be kept.
type Answer struct {
	Key      string // the same for questions that are equal
	Q        string
	EntryID  string
	Match    contract.Match // how the entry was found
	Sureness float64        // of the selector, from 0 to 1; 0 where a model chose
	Asked    int            // how often
	At       time.Time

	helpful, unhelpful int // marks, which AddBatch takes from the feedback
}

// Answered is a question that an entry answered, with how often and how well. Times are
// kept to the microsecond.
type Answered struct {
	Number    int64          `json:"number"`
	Key       string         `json:"-"` // the same for questions that are equal
	Q         string         `json:"q"`
	EntryID   string         `json:"entry_id"`
	Match     contract.Match `json:"match"`    // how the entry was found, when it was asked last
	Sureness  float64        `json:"sureness"` // of the selector, from 0 to 1; 0 where a model chose
	Asked     int            `json:"asked"`
	Helpful   int            `json:"helpful"` // by how many clients a day it was marked so
	Unhelpful int            `json:"unhelpful"`
	Dismissed bool           `json:"dismissed,omitempty"` // it is on no list of wrong answers
	FirstAt   time.Time      `json:"first_at"`
	LastAt    time.Time      `json:"last_at"`
}

const answeredColumns = `number, question_key, q, entry_id, matched_by, sureness, asked, helpful, unhelpful, dismissed, created_at, asked_at`

// countAnswer is the part of an UPDATE that adds counts to an answered question, where
// source is the name of the row with the counts. Marks without a question leave the rest
// as it is.
func countAnswer(source string) string {
	return strings.ReplaceAll(`
			matched_by = CASE WHEN SOURCE.asked > 0 THEN SOURCE.matched_by ELSE answered.matched_by END,
			sureness = CASE WHEN SOURCE.asked > 0 THEN SOURCE.sureness ELSE answered.sureness END,
			asked_at = CASE WHEN SOURCE.asked > 0 THEN SOURCE.asked_at ELSE answered.asked_at END,
			asked = answered.asked + SOURCE.asked,
			helpful = answered.helpful + SOURCE.helpful,
			unhelpful = answered.unhelpful + SOURCE.unhelpful`, "SOURCE", source)
}

// trimAnswered deletes the answered questions beyond the given number of rows: those
// that were marked unhelpful stay longest, and of the others those that were asked most
// often.
func (s *Store) trimAnswered(ctx context.Context, most int) error {
	_, err := s.exec(ctx, `DELETE FROM answered WHERE number IN (
		SELECT number FROM answered ORDER BY dismissed, unhelpful DESC, asked DESC, asked_at DESC LIMIT 1000000 OFFSET $1)`, most)
	return err
}

// AnsweredFilter chooses answered questions.
type AnsweredFilter struct {
	EntryID string // empty means any
	Wrong   bool   // only those that were marked unhelpful and are not dismissed
	Text    string // only those whose question contains it, without regard to case
	Page
}

// condition is the WHERE clause of a filter, with its arguments.
func (f AnsweredFilter) condition() (clause string, args []any) {
	return ` WHERE ($1 = '' OR entry_id = $1) AND (NOT $2 OR (unhelpful > 0 AND NOT dismissed)) AND ` + contains("$3", "q"),
		[]any{f.EntryID, f.Wrong, pattern(f.Text)}
}

// AnsweredQuestions lists answered questions, the most asked first; wrong ones by how
// often they were marked. The list is never nil.
func (s *Store) AnsweredQuestions(ctx context.Context, filter AnsweredFilter) ([]Answered, error) {
	clause, args := filter.condition()
	order := ` ORDER BY asked DESC, number`
	if filter.Wrong {
		order = ` ORDER BY unhelpful DESC, asked DESC, number`
	}
	rows, err := s.reads.QueryContext(ctx, `SELECT `+answeredColumns+` FROM answered`+clause+order+filter.Page.clause(), args...)
	if err != nil {
		return nil, fmt.Errorf("records: list answered questions: %w", err)
	}
	list, err := collect(rows, scanAnswered)
	if err != nil {
		return nil, fmt.Errorf("records: list answered questions: %w", err)
	}
	return list, nil
}

// CountAnswered returns how many answered questions a filter chooses on all its pages.
func (s *Store) CountAnswered(ctx context.Context, filter AnsweredFilter) (count int, err error) {
	clause, args := filter.condition()
	if err := s.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM answered`+clause, args...).Scan(&count); err != nil {
		return 0, fmt.Errorf("records: count answered questions: %w", err)
	}
	return count, nil
}

// AnsweredQuestion returns one answered question, or ErrNotFound.
func (s *Store) AnsweredQuestion(ctx context.Context, number int64) (Answered, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+answeredColumns+` FROM answered WHERE number = $1`, number)
	if err != nil {
		return Answered{}, fmt.Errorf("records: read answered question %d: %w", number, err)
	}
	found, err := collect(rows, scanAnswered)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Answered{}, fmt.Errorf("records: read answered question %d: %w", number, err)
	}
	return found[0], nil
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
	rows, err := s.reads.QueryContext(ctx, `SELECT entry_id, COUNT(*), SUM(asked), SUM(helpful), SUM(unhelpful), MAX(asked_at)
		FROM answered GROUP BY entry_id ORDER BY SUM(asked) DESC, entry_id`)
	if err != nil {
		return nil, fmt.Errorf("records: sum up answered questions: %w", err)
	}
	uses, err := collect(rows, func(rows *sql.Rows) (EntryUse, error) {
		var use EntryUse
		var last int64
		err := rows.Scan(&use.EntryID, &use.Questions, &use.Asked, &use.Helpful, &use.Unhelpful, &last)
		use.LastAt = time.UnixMicro(last).UTC()
		return use, err
	})
	if err != nil {
		return nil, fmt.Errorf("records: sum up answered questions: %w", err)
	}
	return uses, nil
}

// DismissAnswered takes answered questions off the list of wrong answers. Unknown
// numbers are ignored.
func (s *Store) DismissAnswered(ctx context.Context, numbers ...int64) error {
	_, err := s.eachNumber(ctx, "dismiss answered questions", `UPDATE answered SET dismissed = true WHERE number = $1`, numbers)
	return err
}

// DeleteAnswered deletes answered questions and returns how many there were.
func (s *Store) DeleteAnswered(ctx context.Context, numbers ...int64) (int64, error) {
	return s.eachNumber(ctx, "delete answered questions", `DELETE FROM answered WHERE number = $1`, numbers)
}

// PruneAnswered deletes the answered questions that were first asked before a point in
// time, and those beyond the given number of rows. It returns how many were too old.
func (s *Store) PruneAnswered(ctx context.Context, before time.Time, most int) (deleted int64, err error) {
	deleted, err = s.prune(ctx, "answered", "number", before)
	if err == nil {
		err = s.inBackground(ctx, func() error { return s.trimAnswered(ctx, most) })
	}
	if err != nil {
		return deleted, fmt.Errorf("records: prune answered questions: %w", err)
	}
	return deleted, nil
}

// orderAnswers sorts answers as every instance does, so that no two transactions wait
// for each other's rows.
func orderAnswers(answers []Answer) {
	slices.SortFunc(answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.EntryID, b.EntryID))
	})
}

func scanAnswered(rows *sql.Rows) (Answered, error) {
	var a Answered
	var first, last int64
	err := rows.Scan(&a.Number, &a.Key, &a.Q, &a.EntryID, &a.Match, &a.Sureness, &a.Asked, &a.Helpful, &a.Unhelpful, &a.Dismissed, &first, &last)
	a.FirstAt, a.LastAt = time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
	return a, err
}
