package records

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ChangeSource is the way by which the content was changed.
type ChangeSource string

const (
	ByPage    ChangeSource = "page"    // a page of the owner
	ByCommand ChangeSource = "command" // a command
	ByFile    ChangeSource = "file"    // an edit of a file by hand
)

// ChangeAge is how long a change is kept.
const ChangeAge = 365 * 24 * time.Hour

// ReplacedFolder is the folder of the data folder with the pictures that were replaced or
// removed, each under the digest of its bytes.
const ReplacedFolder = "replaced"

// MaxDiff is how many bytes the stored diff of a change may have.
const MaxDiff = 4 << 20

// Change is a change of the content. Times are kept to the microsecond.
type Change struct {
	Number  int64        `json:"number" db:"number"`
	Source  ChangeSource `json:"source" db:"source"`
	Summary string       `json:"summary" db:"summary,text"`    // in a line of words
	Diff    string       `json:"diff" db:"diff,text"`          // empty when it is not known, or longer than MaxDiff
	From    string       `json:"from" db:"from_revision"`      // the revision of the content before it
	To      string       `json:"to" db:"to_revision,required"` // and after it
	Undoes  int64        `json:"undoes,omitempty" db:"undoes"`
	At      time.Time    `json:"at" db:"created_at"`
}

var changes = newTable(table[Change]{name: "changes", numbered: true, kind: "change", order: "number"})

// AddChange stores a change under the next number. Instances that share the content notice
// the same change: it is stored once. An instance that noticed it as an edit by hand leaves
// the words to the page or the command that made it. Known is when the caller read the
// content as it was before.
func (s *Store) AddChange(ctx context.Context, c Change, known time.Time) error {
	c.Summary, c.Diff = storable(c.Summary), storable(c.Diff)
	if len(c.Diff) > MaxDiff {
		c.Diff = ""
	}
	return s.change(ctx, "add a change of the content", func(ctx context.Context, tx *sql.Tx) error {
		if err := s.takeTurn(ctx, tx); err != nil {
			return err
		}
		last, err := changes.get(ctx, tx, `ORDER BY number DESC LIMIT 1`)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if err == nil && last.To == c.To {
			if last.Source == ByFile && c.Source != ByFile {
				_, err = tx.ExecContext(ctx, `UPDATE changes SET source = $1, summary = $2, undoes = $3 WHERE number = $4`,
					c.Source, c.Summary, c.Undoes, last.Number)
			}
			return err
		}
		noticed, err := changes.list(ctx, tx, `WHERE from_revision = $1 AND to_revision = $2 AND created_at >= $3`, c.From,
			c.To, known.UnixMicro())
		if err != nil || len(noticed) > 0 {
			return err
		}
		c.Number = last.Number + 1
		_, err = changes.add(ctx, tx, c, "")
		return err
	})
}

// Changes lists the changes of the content, the last first. The list is never nil.
func (s *Store) Changes(ctx context.Context, page Page) ([]Change, error) {
	list, err := changes.list(ctx, s.reads, `ORDER BY number DESC`+page.clause())
	return list, wrap(err, "list changes of the content")
}

// CountChanges returns how many changes of the content are kept.
func (s *Store) CountChanges(ctx context.Context) (n int, err error) {
	err = s.read(ctx, "count changes of the content", []any{&n}, `SELECT COUNT(*) FROM changes`)
	return n, err
}

// Change returns one change of the content, or ErrNotFound.
func (s *Store) Change(ctx context.Context, number int64) (Change, error) {
	c, err := changes.get(ctx, s.reads, `WHERE number = $1`, number)
	return c, wrap(err, "read a change of the content")
}
