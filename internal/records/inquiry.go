package records

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"frontdesk/contract"
)

// State says how far the mail of an inquiry has come.
type State string

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
	ID        string `json:"id" db:"id,required,text"`
	MessageID string `json:"message_id" db:"message_id"` // of the mail, without angle brackets
	// RequestID is the id of the request that made it, as in the log; empty where it is
	// older than schema 13.
	RequestID string `json:"request_id,omitempty" db:"request_id"`

	Name     string `json:"name" db:"name,text"`
	Business string `json:"business" db:"business,text"`
	Email    string `json:"email" db:"email,text"`
	Message  string `json:"message" db:"message,text"`
	Phone    string `json:"phone,omitempty" db:"phone,text"`
	Segment  string `json:"segment,omitempty" db:"segment,text"`
	// Question is the one that the person carried over into the form; empty without one.
	Question string `json:"question,omitempty" db:"question,text"`

	Subject string `json:"subject" db:"subject"`
	Text    string `json:"text" db:"body"`
	From    string `json:"from" db:"mail_from"`
	To      string `json:"to" db:"mail_to"`

	State     State     `json:"state" db:"state"`
	Detail    string    `json:"detail,omitempty" db:"detail"` // why the last delivery did not succeed
	CreatedAt time.Time `json:"created_at" db:"created_at"`
	SettledAt time.Time `json:"settled_at,omitzero" db:"settled_at,null"`
	// RetryAt is when a failed mail is tried again by itself; zero means never.
	RetryAt time.Time `json:"retry_at,omitzero" db:"retry_at,null"`
	// AnsweredAt and DoneAt are when the owner marked the inquiry as answered and as done; zero
	// while it is not.
	AnsweredAt time.Time `json:"answered_at,omitzero" db:"answered_at,null"`
	DoneAt     time.Time `json:"done_at,omitzero" db:"done_at,null"`
	Note       string    `json:"note,omitempty" db:"note,text"` // of the owner, for herself

	// Lease is the lease of the sender of the mail while the inquiry is pending.
	Lease Lease `json:"-" db:"*"`

	// Limit is what AddInquiry counts the inquiry against; the zero value is no limit.
	Limit SendLimit `json:"-"`

	// Equal is the key that equal requests have in common, for AddInquiry.
	Equal Key `json:"-"`

	// Notifications are stored by SettleInquiry, together with the outcome.
	Notifications []Notification `json:"-"`
}

// Title names who sent the inquiry.
func (i Inquiry) Title() string { return contract.Sender(i.Name, i.Business) }

// IsPrivate reports whether the inquiry names no business.
func (i Inquiry) IsPrivate() bool { return contract.IsPrivate(i.Business) }

var inquiries = newTable(table[Inquiry]{name: "inquiries", kind: "inquiry"})

// Queued reports whether the mail of the inquiry has failed, or its delivery was
// interrupted, and it is still to be sent without anyone asking for it. The first
// delivery of another request that is under way is not queued: each counts by itself.
func (i Inquiry) Queued(now time.Time) bool {
	retried := !i.RetryAt.IsZero() && (i.State == Failed || i.State == Pending)
	return retried || i.State == Pending && i.Lease.Until.Before(now)
}

// NewInquiryID makes an id that no one can guess: "inq_" and 26 letters and digits.
func NewInquiryID() string { return newID("inq_") }

func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// AddInquiry stores a new inquiry with its lease and its claim. When it returns nil, the
// inquiry survives a power failure. It returns ErrDailySends when the inquiry's Limit is
// reached.
//
// Of any number of callers with one key, on all instances, one takes its slot
// and stores its inquiry, and the others get ErrKeyTaken. Of callers whose inquiries
// have the same Equal, one stores its inquiry, and the others get ErrQueued while it is
// [Inquiry.Queued]; the zero Equal keeps no one from storing.
func (s *Store) AddInquiry(ctx context.Context, inq Inquiry, claim Claim) error {
	if err := claim.takeEarly(ctx, inq.Equal); err != nil {
		return err
	}
	return s.change(ctx, "add inquiry", func(ctx context.Context, tx *sql.Tx) error {
		if err := addInquiry(ctx, tx, inq); err != nil { // first: the keys refer to it
			return err
		}
		if err := addEqual(ctx, tx, inq); err != nil {
			return err
		}
		if err := inquiryKeys.add(ctx, tx, claim.Key, inq.ID, inq.CreatedAt); err != nil {
			return err
		}
		if err := take(ctx, claim.Slot); err != nil {
			return err
		}
		return inq.Limit.count(ctx, tx) // last: its rows are locked for all instances
	})
}

func addInquiry(ctx context.Context, tx *sql.Tx, inq Inquiry) error {
	_, err := inquiries.add(ctx, tx, inq, "")
	if err == nil && inq.State == Pending {
		err = startTry(ctx, tx, inq.ID, inq.Lease, inq.CreatedAt)
	}
	return err
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
func (l SendLimit) count(ctx context.Context, tx *sql.Tx) error {
	if l == (SendLimit{}) {
		return nil
	}
	day := dayOf(time.Now())
	counted, err := affected(tx.ExecContext(ctx, countWithin, day, countSends+" "+l.Network, l.PerNetwork, 1))
	if err == nil && counted == 1 {
		counted, err = affected(tx.ExecContext(ctx, countWithin, day, countSends, l.PerDay, 1))
	}
	if err == nil && counted == 0 {
		err = ErrDailySends
	}
	return err
}

// Inquiry returns one inquiry, or ErrNotFound.
func (s *Store) Inquiry(ctx context.Context, id string) (Inquiry, error) {
	inq, err := inquiries.get(ctx, s.reads, `WHERE id = $1`, id)
	return inq, wrap(err, "read inquiry "+id)
}

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
	w.contains(q.Text, inquiries.texts...)
	return w
}

// Inquiries lists the inquiries that a query chooses, newest first. The list is never
// nil.
func (s *Store) Inquiries(ctx context.Context, query InquiryQuery) ([]Inquiry, error) {
	chosen := query.where()
	list, err := inquiries.list(ctx, s.reads, chosen.String()+` ORDER BY created_at DESC, id DESC`+query.Page.clause(),
		chosen.args...)
	return list, wrap(err, "list inquiries")
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
	type row struct {
		State State `db:"state"`
		Count int   `db:"count"`
	}
	// which has an index
	rows, err := collect[row](ctx, s.reads, `SELECT state, COUNT(*) FROM inquiries WHERE state <> 'sent' GROUP BY state`)
	unsent := map[State]int{}
	for _, r := range rows {
		unsent[r.State] = r.Count
	}
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
		deleted, err := inquiries.change(ctx, tx,
			`DELETE FROM inquiries WHERE id = $1 AND NOT (state = 'pending' AND lease_until >= $2)`, id, now.UnixMicro())
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM notifications WHERE subject = $1`, id)
		} else if errors.Is(err, ErrNotFound) {
			if _, err = inquiries.get(ctx, tx, `WHERE id = $1`, id); err == nil {
				err = ErrLeased
			}
		}
		return deleted, err
	})
}
