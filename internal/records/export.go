package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// A line of an export is a record with its kind before it.
type (
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
)

// exported are the tables in the order of an export, the oldest row first. Each
// query takes the microsecond from which on rows are wanted.
var exported = []struct {
	query string
	line  func(rows *sql.Rows) (any, error)
}{
	{
		`SELECT ` + inquiryColumns + ` FROM inquiries WHERE created_at >= $1 ORDER BY created_at, id`,
		func(rows *sql.Rows) (any, error) {
			inquiry, err := scanInquiry(rows)
			return inquiryLine{"inquiry", inquiry}, err
		},
	}, {
		`SELECT ` + feedbackColumns + ` FROM feedback WHERE created_at >= $1 ORDER BY created_at, id`,
		func(rows *sql.Rows) (any, error) {
			feedback, err := scanFeedback(rows)
			return feedbackLine{"feedback", feedback}, err
		},
	}, {
		`SELECT ` + questionColumns + ` FROM questions WHERE asked_at >= $1 ORDER BY number`,
		func(rows *sql.Rows) (any, error) {
			question, err := scanQuestion(rows)
			return questionLine{"question", question}, err
		},
	}, {
		`SELECT ` + workspaceColumns + ` FROM workspaces WHERE created_at >= $1 ORDER BY created_at, id`,
		func(rows *sql.Rows) (any, error) {
			workspace, err := scanWorkspace(rows)
			return workspaceLine{"workspace", workspace}, err
		},
	}, {
		`SELECT day, calls FROM model_calls WHERE (day + 1) * 86400000000 > $1 ORDER BY day`,
		scanModelCalls,
	},
}

func scanModelCalls(rows *sql.Rows) (any, error) {
	var day, calls int64
	err := rows.Scan(&day, &calls)
	return modelCallsLine{"model_calls", time.Unix(day*86400, 0).UTC().Format(time.DateOnly), calls}, err
}

// Export writes every record since a point in time, one JSON object a line, as all
// of them are at one moment; the zero time means everything. Of a question it counts
// when it was asked last. Rows are written as they are read: an export of any size
// takes little memory. Others may write meanwhile.
func (s *Store) Export(ctx context.Context, w io.Writer, since time.Time) error {
	tx, err := s.reads.BeginTx(ctx, &s.dialect.snapshot)
	if err != nil {
		return fmt.Errorf("records: export: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // it has changed nothing
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, table := range exported {
		rows, err := tx.QueryContext(ctx, table.query, since.UnixMicro())
		if err != nil {
			return fmt.Errorf("records: export: %w", err)
		}
		if err := writeLines(encoder, rows, table.line); err != nil {
			return fmt.Errorf("records: export: %w", err)
		}
	}
	return nil
}

func writeLines(encoder *json.Encoder, rows *sql.Rows, line func(*sql.Rows) (any, error)) error {
	defer rows.Close()
	for rows.Next() {
		record, err := line(rows)
		if err != nil {
			return err
		}
		if err := encoder.Encode(record); err != nil {
			return err
		}
	}
	return rows.Err()
}
