package records

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"frontdesk/internal/payload"
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

// UploadedFolder is the folder of the data folder with pictures that no change has used yet, and UploadAge the age at
// which they are deleted.
const (
	UploadedFolder = "uploaded"
	UploadAge      = 24 * time.Hour
)

// MaxDiff is how many bytes the stored diff of a change may have, and its edits.
const MaxDiff = 4 << 20

// Change is a change of the content. Times are kept to the microsecond.
type Change struct {
	Number  int64        `json:"number"`
	Source  ChangeSource `json:"source"`
	Summary string       `json:"summary"`         // one line of words
	Diff    string       `json:"diff"`            // empty if unknown or longer than MaxDiff
	Edits   string       `json:"edits,omitempty"` // to undo it, as package content writes them; empty like Diff
	From    string       `json:"from"`            // revision of the content before the change
	To      string       `json:"to"`              // and after it
	Undoes  int64        `json:"undoes,omitempty"`
	At      time.Time    `json:"at"`
}

var changeTable = table[Change]{
	name:    "changes",
	columns: "number, source, summary, diff, edits, from_revision, to_revision, undoes, created_at",
	fields: func(c *Change) []any {
		return []any{&c.Number, &c.Source, &c.Summary, &c.Diff, &c.Edits, &c.From, &c.To, &c.Undoes, instant{&c.At}}
	},
	kind: "change", id: "to", order: "number",
}

// AddChange stores a change and returns its number. If another instance has stored it already, it returns that number.
// The summary of a page or a command, and the questions it settles, replace those of an edit by hand, even one that
// began at another revision. known is when the content was last read before.
func (s *Store) AddChange(ctx context.Context, c Change, known time.Time) (number int64, err error) {
	c.Summary = storable(c.Summary)
	for _, text := range []*string{&c.Diff, &c.Edits} {
		if *text = storable(*text); len(*text) > MaxDiff {
			*text = ""
		}
	}
	return result(ctx, s, "add a change of the content", func(tx transaction) (number int64, err error) {
		if err := tx.execIfAny(s.dialect.turn); err != nil {
			return 0, err
		}
		last, err := changeTable.get(tx.ctx, tx, `ORDER BY number DESC LIMIT 1`)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return 0, err
		}
		noticed := last // by another instance
		if err != nil || last.To != c.To {
			noticed, err = changeTable.get(tx.ctx, tx, `WHERE from_revision = $1 AND to_revision = $2 AND created_at >= $3
				ORDER BY number DESC LIMIT 1`, c.From, c.To, known.UnixMicro())
		}
		switch {
		case errors.Is(err, ErrNotFound):
			c.Number = last.Number + 1
			_, err = changeTable.add(tx, c)
			return c.Number, err
		case err == nil && noticed.Source == ByFile && c.Source != ByFile:
			if noticed.From != c.From {
				c.Edits = mergedEdits(noticed.Edits, c.Edits)
			}
			_, err = tx.exec(`UPDATE changes SET source = $1, summary = $2, undoes = $3, edits = $4 WHERE number = $5`,
				c.Source, c.Summary, c.Undoes, c.Edits, noticed.Number)
		}
		return noticed.Number, err
	})
}

// mergedEdits returns the edits of a change by hand with what only those of a page or a command have: the questions
// that it settles.
func mergedEdits(byHand, by string) string {
	var merged map[string]json.RawMessage
	if json.Unmarshal([]byte(by), &merged) != nil || json.Unmarshal([]byte(byHand), &merged) != nil { // one is empty
		return byHand
	}
	return string(payload.JSON(merged))
}

// Changes lists the changes of the content, the last first. The list is never nil.
func (s *Store) Changes(ctx context.Context, page Page) ([]Change, error) {
	return changeTable.list(ctx, s, "list changes of the content", `ORDER BY number DESC`+page.clause())
}

// CountChanges returns how many changes of the content are kept.
func (s *Store) CountChanges(ctx context.Context) (n int, err error) {
	err = s.read(ctx, "count changes of the content", []any{&n}, `SELECT COUNT(*) FROM changes`)
	return n, err
}

// Change returns one change of the content, or ErrNotFound.
func (s *Store) Change(ctx context.Context, number int64) (Change, error) {
	c, err := changeTable.get(ctx, s.reads, `WHERE number = $1`, number)
	return c, wrap(err, "read a change of the content")
}
