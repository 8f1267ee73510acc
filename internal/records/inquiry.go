package records

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// State says how far the mail of an inquiry has come.
type State string

// The states of an inquiry.
const (
	Pending State = "pending" // stored; its mail is under way or was not tried
	Sent    State = "sent"    // the mail server has taken responsibility for it
	Failed  State = "failed"  // it certainly did not arrive
	Unknown State = "unknown" // it may have arrived

	// Quarantined means that the request looks like spam: it is stored and not mailed,
	// until the owner says so.
	Quarantined State = "quarantined"
)

// ErrNotFound says that there is no such record.
var ErrNotFound = errors.New("no such record")

// Inquiry is a pilot request with the mail that was made of it. The mail is kept
// as it was, so that a later delivery sends the same one. Times are kept to the
// microsecond.
type Inquiry struct {
	ID        string `json:"id"`
	MessageID string `json:"message_id"` // of the mail, without angle brackets

	Name     string `json:"name"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Message  string `json:"message"`
	Phone    string `json:"phone,omitempty"`
	Segment  string `json:"segment,omitempty"`

	Subject string `json:"subject"`
	Text    string `json:"text"`
	From    string `json:"from"`
	To      string `json:"to"`

	State     State     `json:"state"`
	Detail    string    `json:"detail,omitempty"` // why the last delivery did not succeed
	CreatedAt time.Time `json:"created_at"`
	SettledAt time.Time `json:"settled_at,omitzero"`
	// RetryAt is when a failed mail is tried again by itself; zero means never.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// DoneAt is when the owner marked the inquiry as done; zero while it is open.
	DoneAt time.Time `json:"done_at,omitzero"`

	// Lease is who sends the mail while the inquiry is pending.
	Lease Lease `json:"-"`

	// Limit is what AddInquiry counts the inquiry against; the zero value is no limit.
	Limit SendLimit `json:"-"`

	// Equal is the key that equal requests have in common, for AddInquiryOnce.
	Equal Key `json:"-"`

	// Notifications are stored by SettleInquiry, together with the outcome.
	Notifications []Notification `json:"-"`
}

// Queued reports whether the mail of the inquiry is still to be sent, without anyone
// asking for it.
func (i Inquiry) Queued() bool {
	return i.State == Pending || i.State == Failed && !i.RetryAt.IsZero()
}

// SendLimit bounds the inquiries that are added in a day (UTC) to be mailed at once.
type SendLimit struct {
	PerDay     int    // of all networks
	Network    string // where the request came from
	PerNetwork int    // of that one
}

// ErrDailySends reports that a SendLimit is reached: the inquiry was not stored.
var ErrDailySends = errors.New("the limit of inquiries that are mailed in a day is reached")

// count counts one inquiry of today. Both rows are locked until the transaction ends,
// always in this order.
func (l SendLimit) count(ctx context.Context, tx querier) error {
	if l == (SendLimit{}) {
		return nil
	}
	day := time.Now().Unix() / secondsOfDay
	for _, one := range []struct {
		name string
		most int
	}{{countSends + " " + l.Network, l.PerNetwork}, {countSends, l.PerDay}} {
		allowed, err := countWithin(ctx, tx, day, one.name, one.most)
		if err == nil && !allowed {
			err = ErrDailySends
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Filter chooses inquiries.
type Filter struct {
	State       State  // empty means any
	Undelivered bool   // only those whose mail failed, or may have arrived
	Text        string // only those with this text in a field, whatever the case
	Page
}

// inquiryTexts are the columns that a search of inquiries reads.
var inquiryTexts = []string{"id", "name", "business", "email", "message", "phone", "segment"}

// condition is the WHERE clause of a filter, with its arguments.
func (f Filter) condition() (clause string, args []any) {
	return ` WHERE ($1 = '' OR state = $1) AND (NOT $2 OR state IN ('failed', 'unknown')) AND ` + contains("$3", inquiryTexts...),
		[]any{f.State, f.Undelivered, pattern(f.Text)}
}

// NewInquiryID makes an id that no one can guess: "inq_" and 26 letters and digits.
func NewInquiryID() string { return newID("inq_") }

func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

const inquiryColumns = `id, message_id, name, business, email, message, phone, segment,
	subject, body, mail_from, mail_to, state, detail, created_at, settled_at, lease_owner, lease_until, retry_at, done_at`

// AddInquiry stores a new inquiry with its lease. When it returns nil, the inquiry
// survives a power failure. It returns ErrDailySends when the inquiry's Limit is
// reached. It stores no keys.
func (s *Store) AddInquiry(ctx context.Context, inq Inquiry) error {
	if err := s.change(ctx, "", func(tx *sql.Tx) error { return insertInquiry(ctx, tx, inq) }); err != nil {
		return fmt.Errorf("records: add inquiry: %w", err)
	}
	return nil
}

func insertInquiry(ctx context.Context, q querier, inq Inquiry) error {
	if _, err := addInquiryRow(ctx, q, inq, ""); err != nil {
		return err
	}
	if inq.State == Pending {
		if err := startTry(ctx, q, inq.ID, inq.Lease, inq.CreatedAt); err != nil {
			return err
		}
	}
	return inq.Limit.count(ctx, q)
}

// addInquiryRow adds an inquiry, unless the clause onConflict says otherwise.
func addInquiryRow(ctx context.Context, q querier, inq Inquiry, onConflict string) (added int64, err error) {
	return affected(q.ExecContext(ctx, `INSERT INTO inquiries (`+inquiryColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`+onConflict,
		inq.ID, inq.MessageID, inq.Name, inq.Business, inq.Email, inq.Message, inq.Phone, inq.Segment,
		inq.Subject, inq.Text, inq.From, inq.To, inq.State, inq.Detail,
		inq.CreatedAt.UnixMicro(), micros(inq.SettledAt), inq.Lease.Owner, inq.Lease.micros(), micros(inq.RetryAt), micros(inq.DoneAt)))
}

// SettleInquiry records how a try to deliver an inquiry ended: its State, its Detail for
// the owner's eyes, and its RetryAt. It stores the Notifications of the inquiry in the
// same transaction. It returns ErrLeaseLost when the lease of the inquiry is not the
// one in the database, or there is no such inquiry: the attempt that took the lease
// over has sent the mail again, and its outcome counts. The try is recorded in any case.
func (s *Store) SettleInquiry(ctx context.Context, inq Inquiry) error {
	now, settled := time.Now().UnixMicro(), int64(0)
	err := s.change(ctx, "", func(tx *sql.Tx) (err error) {
		settled, err = affected(tx.ExecContext(ctx, `UPDATE inquiries SET state = $1, detail = $2, settled_at = $3, retry_at = $4
			WHERE id = $5 AND state = 'pending' AND lease_owner = $6`,
			inq.State, storable(inq.Detail), now, micros(inq.RetryAt), inq.ID, inq.Lease.Owner))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE tries SET state = $1, detail = $2, ended_at = $3
			WHERE inquiry_id = $4 AND lease_owner = $5 AND ended_at IS NULL`,
			inq.State, storable(inq.Detail), now, inq.ID, inq.Lease.Owner)
		if err != nil || settled == 0 {
			return err
		}
		_, err = addNotificationRows(ctx, tx, inq.Notifications)
		return err
	})
	if err == nil && settled == 0 {
		err = ErrLeaseLost
	}
	if err != nil {
		return fmt.Errorf("records: settle inquiry %s: %w", inq.ID, err)
	}
	return nil
}

// Inquiry returns one inquiry, or ErrNotFound.
func (s *Store) Inquiry(ctx context.Context, id string) (Inquiry, error) {
	inq, err := oneInquiry(ctx, s.reads, `SELECT `+inquiryColumns+` FROM inquiries WHERE id = $1`, id)
	if err != nil {
		return Inquiry{}, fmt.Errorf("records: read inquiry %s: %w", id, err)
	}
	return inq, nil
}

// oneInquiry is the one inquiry that a statement returns, or ErrNotFound.
func oneInquiry(ctx context.Context, db reader, statement string, args ...any) (Inquiry, error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return Inquiry{}, err
	}
	found, err := collect(rows, scanInquiry)
	if err == nil && len(found) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Inquiry{}, err
	}
	return found[0], nil
}

// Inquiries lists the inquiries that the filter chooses, newest first. The list is
// never nil.
func (s *Store) Inquiries(ctx context.Context, filter Filter) ([]Inquiry, error) {
	clause, args := filter.condition()
	rows, err := s.reads.QueryContext(ctx, `SELECT `+inquiryColumns+` FROM inquiries`+clause+
		` ORDER BY created_at DESC, id DESC`+filter.Page.clause(), args...)
	if err != nil {
		return nil, fmt.Errorf("records: list inquiries: %w", err)
	}
	inquiries, err := collect(rows, scanInquiry)
	if err != nil {
		return nil, fmt.Errorf("records: list inquiries: %w", err)
	}
	return inquiries, nil
}

// CountInquiriesBy returns how many inquiries a filter chooses on all its pages.
func (s *Store) CountInquiriesBy(ctx context.Context, filter Filter) (count int, err error) {
	clause, args := filter.condition()
	if err := s.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM inquiries`+clause, args...).Scan(&count); err != nil {
		return 0, fmt.Errorf("records: count inquiries: %w", err)
	}
	return count, nil
}

// CountUndelivered counts the inquiries of each state but Sent. A state without any
// is not in the map.
func (s *Store) CountUndelivered(ctx context.Context) (map[State]int, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT state, COUNT(*) FROM inquiries WHERE state <> 'sent' GROUP BY state`)
	if err != nil {
		return nil, fmt.Errorf("records: count inquiries: %w", err)
	}
	counts := map[State]int{}
	_, err = collect(rows, func(rows *sql.Rows) (State, error) {
		var state State
		var count int
		err := rows.Scan(&state, &count)
		counts[state] = count
		return state, err
	})
	if err != nil {
		return nil, fmt.Errorf("records: count inquiries: %w", err)
	}
	return counts, nil
}

func scanInquiry(rows *sql.Rows) (Inquiry, error) {
	var inq Inquiry
	var created, leased int64
	var settled, retry, done sql.NullInt64
	err := rows.Scan(&inq.ID, &inq.MessageID, &inq.Name, &inq.Business, &inq.Email, &inq.Message,
		&inq.Phone, &inq.Segment, &inq.Subject, &inq.Text, &inq.From, &inq.To, &inq.State, &inq.Detail,
		&created, &settled, &inq.Lease.Owner, &leased, &retry, &done)
	inq.Lease.setMicros(leased)
	inq.CreatedAt = time.UnixMicro(created).UTC()
	if settled.Valid {
		inq.SettledAt = time.UnixMicro(settled.Int64).UTC()
	}
	if retry.Valid {
		inq.RetryAt = time.UnixMicro(retry.Int64).UTC()
	}
	if done.Valid {
		inq.DoneAt = time.UnixMicro(done.Int64).UTC()
	}
	return inq, err
}
