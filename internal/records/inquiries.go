package records

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// InquiryView is a part of the inquiries.
type InquiryView string

// The views of the owner's pages. An inquiry is in NewInquiries, AnsweredInquiries or
// DoneInquiries, or it is quarantined and neither marked as done nor mailed.
const (
	NewInquiries         InquiryView = "new"
	AnsweredInquiries    InquiryView = "answered" // and not done
	UndeliveredInquiries InquiryView = "failed"   // not done, and the mail failed or may have arrived
	QuarantinedInquiries InquiryView = "spam"
	DoneInquiries        InquiryView = "done"
	AllInquiries         InquiryView = "all"
)

// inquiryViews are the conditions of the views.
var inquiryViews = map[InquiryView]string{
	NewInquiries:         `done_at IS NULL AND answered_at IS NULL AND state <> 'quarantined'`,
	AnsweredInquiries:    `done_at IS NULL AND answered_at IS NOT NULL AND state <> 'quarantined'`,
	UndeliveredInquiries: `done_at IS NULL AND state IN ('failed', 'unknown')`,
	QuarantinedInquiries: `done_at IS NULL AND state = 'quarantined'`,
	DoneInquiries:        `done_at IS NOT NULL`,
	AllInquiries:         `1 = 1`,
}

// InquiryQuery chooses inquiries. The zero value chooses all of them.
type InquiryQuery struct {
	View InquiryView
	Text string // only those with this text in a field, whatever the case
	Page
}

// inquiryText is the text of an inquiry that a search finds and an erasure looks at, each field on a line of its own.
const inquiryText = "id || '\n' || name || '\n' || business || '\n' || email || '\n' || message || '\n' || phone" +
	" || '\n' || segment || '\n' || question || '\n' || note"

// chosen returns the condition that the inquiries q selects meet, and its arguments. Without a text, the condition
// reads only columns of an index. With an unknown view, it is invalid SQL, so that the statement fails.
func (q InquiryQuery) chosen() (where string, args []any) {
	where = `WHERE (` + inquiryViews[cmp.Or(q.View, AllInquiries)] + `)`
	if strings.TrimSpace(q.Text) != "" {
		where += ` AND lower(` + inquiryText + `) LIKE lower($1) ESCAPE '!'`
		args = []any{containing(q.Text)}
	}
	return where, args
}

// Inquiries lists the inquiries that a query chooses, newest first. The list is never
// nil.
func (s *Store) Inquiries(ctx context.Context, query InquiryQuery) ([]Inquiry, error) {
	where, args := query.chosen()
	return inquiryTable.list(ctx, s, "list inquiries", where+` ORDER BY created_at DESC, id DESC`+query.clause(), args...)
}

// CountInquiries returns how many of the inquiries that a query chooses, on all its pages,
// are in each view.
func (s *Store) CountInquiries(ctx context.Context, query InquiryQuery) (map[InquiryView]int, error) {
	ctx, cancel := bounded(ctx, listTimeout) // a search reads every row
	defer cancel()
	where, args := query.chosen()
	views := slices.Sorted(maps.Keys(inquiryViews))
	sums, counts, into := make([]string, len(views)), make([]int, len(views)), make([]any, len(views))
	for i, view := range views {
		sums[i], into[i] = `COUNT(CASE WHEN `+inquiryViews[view]+` THEN 1 END)`, &counts[i]
	}
	err := s.read(ctx, "count inquiries", into, `SELECT `+strings.Join(sums, ", ")+` FROM inquiries `+where, args...)
	byView := map[InquiryView]int{}
	for i, view := range views {
		byView[view] = counts[i]
	}
	return byView, err
}

// UnsentInquiries returns how many inquiries are in each state but Sent. A state without
// any is not in the map.
func (s *Store) UnsentInquiries(ctx context.Context) (map[State]int, error) {
	unsent := map[State]int{}
	err := each(ctx, s.reads, func(rows *sql.Rows) error {
		var state State
		var count int
		err := rows.Scan(&state, &count)
		unsent[state] = count
		return err
	}, `SELECT state, COUNT(*) FROM inquiries WHERE state <> 'sent' GROUP BY state`) // the condition has an index
	return unsent, wrap(err, "count unsent inquiries")
}

// MarkInquiry stores when an inquiry was answered and done; with two zero times it is new
// again. It fails with ErrNotFound if there is no such inquiry.
func (s *Store) MarkInquiry(ctx context.Context, id string, answered, done time.Time) error {
	return s.execOne(ctx, "mark inquiry "+id, ErrNotFound,
		`UPDATE inquiries SET answered_at = $2, done_at = $3 WHERE id = $1`, id, micros(&answered), micros(&done))
}

// NoteInquiry stores the owner's note on an inquiry. It fails with ErrNotFound if there is no
// such inquiry.
func (s *Store) NoteInquiry(ctx context.Context, id, note string) error {
	return s.execOne(ctx, "note on inquiry "+id, ErrNotFound, `UPDATE inquiries SET note = $2 WHERE id = $1`, id,
		storable(note))
}

// DeleteInquiry deletes an inquiry with its tries and idempotency keys, and returns it as
// it was. The errors are ErrNotFound, and ErrLeased while its mail is under way.
func (s *Store) DeleteInquiry(ctx context.Context, id string, now time.Time) (Inquiry, error) {
	return erasing(ctx, s, "delete inquiry "+id, func(tx transaction) (Inquiry, error) {
		deleted, err := inquiryTable.change(tx, `DELETE FROM inquiries
			WHERE id = $1 AND NOT (state = 'pending' AND lease_until >= $2)`, id, now.UnixMicro())
		if err == nil {
			_, err = tx.exec(`DELETE FROM notifications WHERE subject = $1`, id)
		} else if errors.Is(err, ErrNotFound) {
			if _, err = readInquiry(tx.ctx, tx, id); err == nil {
				err = ErrLeased
			}
		}
		return deleted, err
	})
}

// Page chooses a part of a list. The zero value chooses all of it.
type Page struct {
	Limit  int // 0 means no limit
	Offset int
}

// clause is the end of a SELECT statement that reads only the page.
func (p Page) clause() string {
	if p.Limit <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d OFFSET %d", p.Limit, max(0, p.Offset))
}

// wildcards are the characters with a meaning in a LIKE pattern.
var wildcards = strings.NewReplacer(`!`, `!!`, `%`, `!%`, `_`, `!_`)

// containing returns the pattern $1 of lower(column) LIKE lower($1) ESCAPE '!' for columns that contain text. The
// pattern of an empty text matches everything. SQLite knows the case of ASCII letters only.
func containing(text string) string {
	return "%" + wildcards.Replace(storable(strings.TrimSpace(text))) + "%"
}
