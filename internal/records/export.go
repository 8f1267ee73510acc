package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// exportVersion is the version of the format of an export. Import reads this one.
const exportVersion = 1

// Types of the lines of an export, as their member "type" names them.
const (
	typeExport       = "export" // the first line
	typeInquiry      = "inquiry"
	typeFeedback     = "feedback"
	typeQuestion     = "question"
	typeWorkspace    = "workspace"
	typeModelCalls   = "model_calls"
	typeNotification = "notification"
	typeTry          = "try"
	typeAnswered     = "answered"
	typeDayTotal     = "day_total"
)

// Each line of an export is a record, with its type as the first member.
type (
	exportLine struct {
		Type    string `json:"type"`
		Version int    `json:"version"`
	}
	inquiryLine struct {
		Type string `json:"type"`
		Inquiry
	}
	feedbackLine struct {
		Type string `json:"type"`
		Feedback
	}
	questionLine struct {
		Type string `json:"type"`
		Question
		Key string `json:"key"`
	}
	answeredLine struct {
		Type string `json:"type"`
		Answered
		Key string `json:"key"`
	}
	tryLine struct {
		Type    string `json:"type"`
		Inquiry string `json:"inquiry_id"`
		Try
		Lease string `json:"lease"` // names the try
	}
	workspaceLine struct {
		Type string `json:"type"`
		Workspace
	}
	modelCallsLine struct {
		Type  string `json:"type"`
		Day   string `json:"day"` // of UTC, such as 2026-11-21
		Calls int64  `json:"calls"`
	}
	dayTotalLine struct {
		Type  string `json:"type"`
		Day   string `json:"day"` // of UTC, such as 2026-11-21
		Name  string `json:"name"`
		Count int64  `json:"count"`
	}
	notificationLine struct {
		Type      string    `json:"type"`
		ID        string    `json:"id"`
		Target    string    `json:"target"`
		Kind      string    `json:"kind"`
		Subject   string    `json:"subject"`
		Data      string    `json:"data,omitempty"`
		State     State     `json:"state"`
		Tries     int       `json:"tries"`
		Detail    string    `json:"detail,omitempty"`
		Due       time.Time `json:"due_at"`
		CreatedAt time.Time `json:"created_at"`
		SettledAt time.Time `json:"settled_at,omitzero"`
	}
)

// place is a position in the order of a table: after the row with this time or
// number and, among several with the same time, this id.
type place struct {
	number int64
	id     string
}

// exportPage is how many rows are read in one transaction.
const exportPage = 500

// exported are the tables in the order of an export, the oldest row first.
var exported = []struct {
	query string // a page of rows behind a place
	args  func(after place, since int64) []any
	first func(since int64) place
	line  func(rows *sql.Rows) (line any, at place, err error)
}{
	{
		query: `SELECT ` + inquiryColumns + ` FROM inquiries WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3`,
		args:  byTime, first: sinceTime,
		line: func(rows *sql.Rows) (any, place, error) {
			inquiry, err := scanInquiry(rows)
			return inquiryLine{typeInquiry, inquiry}, place{inquiry.CreatedAt.UnixMicro(), inquiry.ID}, err
		},
	}, {
		query: `SELECT ` + tryColumns + ` FROM tries WHERE (started_at, lease_owner) > ($1, $2) ORDER BY started_at, lease_owner LIMIT $3`,
		args:  byTime, first: sinceTime,
		line: func(rows *sql.Rows) (any, place, error) {
			try, err := scanTry(rows)
			return tryLine{typeTry, try.InquiryID, try, try.LeaseOwner}, place{try.StartedAt.UnixMicro(), try.LeaseOwner}, err
		},
	}, {
		query: `SELECT ` + feedbackColumns + ` FROM feedback WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3`,
		args:  byTime, first: sinceTime,
		line: func(rows *sql.Rows) (any, place, error) {
			feedback, err := scanFeedback(rows)
			return feedbackLine{typeFeedback, feedback}, place{feedback.CreatedAt.UnixMicro(), feedback.ID}, err
		},
	}, {
		query: `SELECT ` + questionColumns + ` FROM questions WHERE number > $1 AND asked_at >= $2 ORDER BY number LIMIT $3`,
		args:  func(after place, since int64) []any { return []any{after.number, since, exportPage} },
		first: func(int64) place { return place{number: -1} },
		line: func(rows *sql.Rows) (any, place, error) {
			question, err := scanQuestion(rows)
			return questionLine{typeQuestion, question, question.Key}, place{number: question.Number}, err
		},
	}, {
		query: `SELECT ` + answeredColumns + ` FROM answered WHERE number > $1 AND asked_at >= $2 ORDER BY number LIMIT $3`,
		args:  func(after place, since int64) []any { return []any{after.number, since, exportPage} },
		first: func(int64) place { return place{number: -1} },
		line: func(rows *sql.Rows) (any, place, error) {
			answered, err := scanAnswered(rows)
			return answeredLine{typeAnswered, answered, answered.Key}, place{number: answered.Number}, err
		},
	}, {
		query: `SELECT ` + workspaceColumns + ` FROM workspaces WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3`,
		args:  byTime, first: sinceTime,
		line: func(rows *sql.Rows) (any, place, error) {
			workspace, err := scanWorkspace(rows)
			return workspaceLine{typeWorkspace, workspace}, place{workspace.CreatedAt.UnixMicro(), workspace.ID}, err
		},
	}, {
		query: `SELECT day, calls FROM model_calls WHERE day > $1 AND (day + 1) * 86400000000 > $2 ORDER BY day LIMIT $3`,
		args:  func(after place, since int64) []any { return []any{after.number, since, exportPage} },
		first: func(int64) place { return place{number: -1} },
		line: func(rows *sql.Rows) (any, place, error) {
			var day, calls int64
			err := rows.Scan(&day, &calls)
			return modelCallsLine{typeModelCalls, dateOf(day), calls}, place{number: day}, err
		},
	}, {
		query: `SELECT ` + notificationColumns + ` FROM notifications WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3`,
		args:  byTime, first: sinceTime,
		line: func(rows *sql.Rows) (any, place, error) {
			n, err := scanNotification(rows)
			return notificationLine{typeNotification, n.ID, n.Target, n.Kind, n.Subject, n.Data, n.State, n.Tries, n.Detail, n.Due, n.CreatedAt, n.SettledAt},
				place{n.CreatedAt.UnixMicro(), n.ID}, err
		},
	}, {
		query: `SELECT day, name, count FROM day_totals WHERE (day, name) > ($1, $2) AND (day + 1) * 86400000000 > $3 ORDER BY day, name LIMIT $4`,
		args:  func(after place, since int64) []any { return []any{after.number, after.id, since, exportPage} },
		first: func(int64) place { return place{number: -1} },
		line: func(rows *sql.Rows) (any, place, error) {
			var day, count int64
			var name string
			err := rows.Scan(&day, &name, &count)
			return dayTotalLine{typeDayTotal, dateOf(day), name, count}, place{day, name}, err
		},
	},
}

// dateOf writes a day, in days since 1970-01-01 UTC, as a date.
func dateOf(day int64) string { return time.Unix(day*secondsOfDay, 0).UTC().Format(time.DateOnly) }

func byTime(after place, _ int64) []any { return []any{after.number, after.id, exportPage} }

// sinceTime is the place before the first row of a time: no id is empty.
func sinceTime(since int64) place { return place{number: since} }

// Export writes every record since a point in time, one JSON object a line; the zero
// time means everything. Of a question it counts when it was asked last. A record that
// was stored before the call, and is not deleted meanwhile, is in it once. One that
// changes meanwhile is in one of its states.
//
// Rows are read page by page and written between two transactions, so that a reader
// that pauses holds nothing of the database open, and an export of any size takes
// little memory.
func (s *Store) Export(ctx context.Context, w io.Writer, since time.Time) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(exportLine{typeExport, exportVersion}); err != nil {
		return fmt.Errorf("records: export: %w", err)
	}
	for _, table := range exported {
		after, full := table.first(since.UnixMicro()), true
		for full {
			rows, err := s.reads.QueryContext(ctx, table.query, table.args(after, since.UnixMicro())...)
			if err != nil {
				return fmt.Errorf("records: export: %w", err)
			}
			page, err := collect(rows, func(rows *sql.Rows) (line any, err error) {
				line, after, err = table.line(rows)
				return line, err
			})
			if err != nil {
				return fmt.Errorf("records: export: %w", err)
			}
			for _, line := range page {
				if err := encoder.Encode(line); err != nil {
					return fmt.Errorf("records: export: %w", err)
				}
			}
			full = len(page) == exportPage
		}
	}
	return nil
}
