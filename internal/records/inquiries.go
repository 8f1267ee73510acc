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
	View          InquiryView
	States        []State   // empty means any
	Text          string    // only those with this text in a field, whatever the case
	Since, Before time.Time // only those that came in at Since or later, and before Before
	Page
}

// where is the WHERE clause of a query. No database executes that of an unknown view.
func (q InquiryQuery) where() (w where) {
	w.and(inquiryViews[cmp.Or(q.View, AllInquiries)])
	if len(q.States) > 0 {
		states := make([]any, len(q.States))
		for i, state := range q.States {
			states[i] = state
		}
		w.and(`state IN `+placeholders(len(states)), states...)
	}
	if !q.Since.IsZero() {
		w.and(`created_at >= ?`, q.Since.UnixMicro())
	}
	if !q.Before.IsZero() {
		w.and(`created_at < ?`, q.Before.UnixMicro())
	}
	w.contains(q.Text, "id", "name", "business", "email", "message", "phone", "segment", "question", "note")
	return w
}

// Inquiries lists the inquiries that a query chooses, newest first. The list is never
// nil.
func (s *Store) Inquiries(ctx context.Context, query InquiryQuery) ([]Inquiry, error) {
	chosen := query.where()
	all, err := list[Inquiry](ctx, s.reads, `SELECT `+inquiryColumns+` FROM inquiries`+chosen.String()+
		` ORDER BY created_at DESC, id DESC`+query.Page.clause(), chosen.args...)
	return all, wrap(err, "list inquiries")
}

// CountInquiries returns how many of the inquiries that a query chooses, on all its pages,
// are in each view.
func (s *Store) CountInquiries(ctx context.Context, query InquiryQuery) (map[InquiryView]int, error) {
	chosen := query.where()
	views := slices.Sorted(maps.Keys(inquiryViews))
	sums, counts, into := make([]string, len(views)), make([]int, len(views)), make([]any, len(views))
	for i, view := range views {
		sums[i], into[i] = `COUNT(CASE WHEN `+inquiryViews[view]+` THEN 1 END)`, &counts[i]
	}
	err := s.read(ctx, "count inquiries", into, `SELECT `+strings.Join(sums, ", ")+` FROM inquiries`+chosen.String(),
		chosen.args...)
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
// again. It is ErrNotFound when there is no such inquiry.
func (s *Store) MarkInquiry(ctx context.Context, id string, answered, done time.Time) error {
	return s.execOne(ctx, "mark inquiry "+id, ErrNotFound,
		`UPDATE inquiries SET answered_at = $2, done_at = $3 WHERE id = $1`, id, micros(&answered), micros(&done))
}

// NoteInquiry stores the owner's note on an inquiry. It is ErrNotFound when there is no such
// inquiry.
func (s *Store) NoteInquiry(ctx context.Context, id, note string) error {
	return s.execOne(ctx, "note on inquiry "+id, ErrNotFound, `UPDATE inquiries SET note = $2 WHERE id = $1`, id,
		storable(note))
}

// DeleteInquiry deletes an inquiry with its tries and idempotency keys, and returns it as
// it was. The errors are ErrNotFound, and ErrLeased while its mail is under way.
func (s *Store) DeleteInquiry(ctx context.Context, id string, now time.Time) (Inquiry, error) {
	return result(ctx, s, "delete inquiry "+id, func(ctx context.Context, tx *sql.Tx) (Inquiry, error) {
		deleted, err := get[Inquiry](ctx, tx, `DELETE FROM inquiries
			WHERE id = $1 AND NOT (state = 'pending' AND lease_until >= $2) RETURNING `+inquiryColumns, id, now.UnixMicro())
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM notifications WHERE subject = $1`, id)
		} else if errors.Is(err, ErrNotFound) {
			if _, err = readInquiry(ctx, tx, id); err == nil {
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

// where is a WHERE clause that is built of conditions.
type where struct {
	conditions []string
	args       []any
}

// and adds a condition, in which each ? is the next argument.
func (w *where) and(condition string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprint("$", len(w.args)), 1)
	}
	w.conditions = append(w.conditions, "("+condition+")")
}

// placeholders is a list of n arguments in a condition.
func placeholders(n int) string { return `(?` + strings.Repeat(`, ?`, n-1) + `)` }

// contains adds the condition that one of the columns contains a text, whatever the case.
// SQLite knows the case of ASCII letters only.
func (w *where) contains(text string, columns ...string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	likes := make([]string, len(columns))
	for i, column := range columns {
		likes[i] = `lower(` + column + `) LIKE lower(?) ESCAPE '!'`
	}
	w.and(strings.Join(likes, " OR "), slices.Repeat([]any{containing(text)}, len(columns))...)
}

// String is the clause.
func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(w.conditions, " AND ")
}

// wildcards are the characters with a meaning in a LIKE pattern.
var wildcards = strings.NewReplacer(`!`, `!!`, `%`, `!%`, `_`, `!_`)

// storable is a text of others, such as a mail server's reply, in a form that every
// database takes: PostgreSQL has neither NUL nor invalid UTF-8.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// containing returns the pattern of a LIKE ... ESCAPE '!' condition for texts that contain
// text. The pattern of an empty text matches everything.
func containing(text string) string {
	return "%" + wildcards.Replace(storable(strings.TrimSpace(text))) + "%"
}
