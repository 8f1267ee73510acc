package records

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Imported counts the lines of an import.
type Imported struct {
	Added   int // records that are new to the database
	Present int // records that were there already, and were left as they are
}

// importTimeout bounds an import.
const importTimeout = time.Hour

// Import reads what Export wrote and adds the records that are not there yet, all or
// none: after an error the database is as it was. Records are known by their ids, and
// questions by their wording, so that a second import adds nothing. A question whose
// number is taken gets the next one. The error names the line.
//
// The service that uses the database next sends the inquiries and notifications that are
// pending.
func (s *Store) Import(ctx context.Context, r io.Reader) (imported Imported, err error) {
	ctx, cancel := context.WithTimeout(ctx, importTimeout)
	defer cancel()
	err = s.change(ctx, "", func(tx *sql.Tx) error {
		if imported, err = importLines(ctx, tx, r); err != nil {
			return err
		}
		return s.dialect.renumber(ctx, tx)
	})
	if err != nil {
		return Imported{}, fmt.Errorf("records: import: %w", err)
	}
	return imported, nil
}

func importLines(ctx context.Context, tx *sql.Tx, r io.Reader) (imported Imported, err error) {
	reader := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, readErr := reader.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return imported, readErr
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			added, err := importLine(ctx, tx, text, number)
			if err != nil {
				return imported, fmt.Errorf("line %d: %w", number, err)
			}
			if number > 1 {
				imported.count(added)
			}
		}
		if readErr != nil {
			if number == 1 && len(text) == 0 {
				return imported, errors.New("the file is empty")
			}
			return imported, nil
		}
	}
}

func (i *Imported) count(added int64) {
	if added > 0 {
		i.Added++
	} else {
		i.Present++
	}
}

// importLine adds the record of a line, and returns how many rows that added.
func importLine(ctx context.Context, tx *sql.Tx, text []byte, number int) (added int64, err error) {
	var head exportLine
	if err := json.Unmarshal(text, &head); err != nil {
		return 0, err
	}
	if number == 1 {
		if head.Type != typeExport {
			return 0, errors.New(`is not the first line of an export, {"type":"export","version":1}`)
		}
		if head.Version != exportVersion {
			return 0, fmt.Errorf("the export has version %d; this program reads version %d", head.Version, exportVersion)
		}
		return 0, nil
	}
	read, known := importers[head.Type]
	if !known {
		return 0, fmt.Errorf("%q is no type of record", head.Type)
	}
	return read(ctx, tx, text)
}

// importers add one record each, by the type of its line.
var importers = map[string]func(ctx context.Context, tx *sql.Tx, text []byte) (added int64, err error){
	typeInquiry: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line inquiryLine
		if err := unmarshalRecord(text, &line, func() string { return line.ID }); err != nil {
			return 0, err
		}
		return addInquiryRow(ctx, tx, line.Inquiry, ` ON CONFLICT (id) DO NOTHING`)
	},
	typeTry: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line tryLine
		if err := unmarshalRecord(text, &line, func() string { return line.Inquiry }); err != nil {
			return 0, err
		}
		line.Try.InquiryID, line.Try.LeaseOwner = line.Inquiry, line.Lease
		return addTryRow(ctx, tx, line.Try) // an export of a part may lack its inquiry
	},
	typeFeedback: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line feedbackLine
		if err := unmarshalRecord(text, &line, func() string { return line.ID }); err != nil {
			return 0, err
		}
		return addFeedbackRow(ctx, tx, line.Feedback, ` ON CONFLICT (id) DO NOTHING`)
	},
	typeQuestion: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line questionLine
		if err := unmarshalRecord(text, &line, func() string { return line.Key }); err != nil {
			return 0, err
		}
		return importQuestion(ctx, tx, line.Question, line.Key)
	},
	typeAnswered: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line answeredLine
		if err := unmarshalRecord(text, &line, func() string { return line.Key }); err != nil {
			return 0, err
		}
		return importAnswered(ctx, tx, line.Answered, line.Key)
	},
	typeWorkspace: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line workspaceLine
		if err := unmarshalRecord(text, &line, func() string { return line.ID }); err != nil {
			return 0, err
		}
		return addWorkspaceRow(ctx, tx, line.Workspace, ` ON CONFLICT (id) DO NOTHING`)
	},
	typeModelCalls: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line modelCallsLine
		if err := unmarshalRecord(text, &line, func() string { return line.Day }); err != nil {
			return 0, err
		}
		day, err := time.Parse(time.DateOnly, line.Day)
		if err != nil {
			return 0, err
		}
		return affected(tx.ExecContext(ctx, `INSERT INTO model_calls (day, calls, created_at) VALUES ($1, $2, $3)
			ON CONFLICT (day) DO UPDATE SET calls = excluded.calls WHERE model_calls.calls < excluded.calls`,
			day.Unix()/secondsOfDay, line.Calls, day.UnixMicro()))
	},
	typeDayTotal: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var line dayTotalLine
		if err := unmarshalRecord(text, &line, func() string { return line.Name }); err != nil {
			return 0, err
		}
		day, err := time.Parse(time.DateOnly, line.Day)
		if err != nil {
			return 0, err
		}
		return affected(tx.ExecContext(ctx, `INSERT INTO day_totals (day, name, count) VALUES ($1, $2, $3)
			ON CONFLICT (day, name) DO UPDATE SET count = excluded.count WHERE day_totals.count < excluded.count`,
			day.Unix()/secondsOfDay, line.Name, line.Count))
	},
	typeNotification: func(ctx context.Context, tx *sql.Tx, text []byte) (int64, error) {
		var n notificationLine
		if err := unmarshalRecord(text, &n, func() string { return n.ID }); err != nil {
			return 0, err
		}
		return affected(tx.ExecContext(ctx, `INSERT INTO notifications (`+notificationColumns+`)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', $10, $11) ON CONFLICT DO NOTHING`,
			n.ID, n.Target, n.Kind, n.Subject, n.Data, n.State, n.Tries, n.Detail, n.Due.UnixMicro(), n.CreatedAt.UnixMicro(), micros(n.SettledAt)))
	},
}

// unmarshalRecord reads a line whose id must not be empty.
func unmarshalRecord(text []byte, line any, id func() string) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // else a later format would lose what it added
	if err := decoder.Decode(line); err != nil {
		return err
	}
	if id() == "" {
		return errors.New("the record has no id")
	}
	return nil
}

func importQuestion(ctx context.Context, tx *sql.Tx, q Question, key string) (added int64, err error) {
	return affected(tx.ExecContext(ctx, `INSERT INTO questions
		(number, question_key, q, unanswered, unhelpful, entry_id, accepted, dismissed, created_at, asked_at)
		SELECT CASE WHEN EXISTS (SELECT 1 FROM questions WHERE number = $1) THEN MAX(number) + 1 ELSE $1 END,
			$2, $3, $4, $5, $6, $7, $8, $9, $10 FROM questions WHERE true
		ON CONFLICT (question_key) DO NOTHING`,
		q.Number, key, q.Q, q.Unanswered, q.Unhelpful, q.EntryID, q.Accepted, q.Dismissed, q.FirstAt.UnixMicro(), q.LastAt.UnixMicro()))
}

func importAnswered(ctx context.Context, tx *sql.Tx, a Answered, key string) (added int64, err error) {
	return affected(tx.ExecContext(ctx, `INSERT INTO answered
		(number, question_key, q, entry_id, matched_by, sureness, asked, helpful, unhelpful, dismissed, created_at, asked_at)
		SELECT CASE WHEN EXISTS (SELECT 1 FROM answered WHERE number = $1) THEN MAX(number) + 1 ELSE $1 END,
			$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM answered WHERE true
		ON CONFLICT (question_key, entry_id) DO NOTHING`,
		a.Number, key, a.Q, a.EntryID, a.Match, a.Sureness, a.Asked, a.Helpful, a.Unhelpful, a.Dismissed, a.FirstAt.UnixMicro(), a.LastAt.UnixMicro()))
}
