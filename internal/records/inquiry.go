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
	ID        string `json:"id"`
	MessageID string `json:"message_id"` // of the mail, without angle brackets
	// RequestID is the id of the request that made it, as in the log.
	RequestID string `json:"request_id,omitempty"`

	Name     string `json:"name"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Message  string `json:"message"`
	Phone    string `json:"phone,omitempty"`
	Segment  string `json:"segment,omitempty"`
	// Question is the one that the person carried over into the form; empty without one.
	Question string `json:"question,omitempty"`

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
	// AnsweredAt and DoneAt are when the owner marked the inquiry as answered and as done; zero
	// while it is not.
	AnsweredAt time.Time `json:"answered_at,omitzero"`
	DoneAt     time.Time `json:"done_at,omitzero"`
	Note       string    `json:"note,omitempty"` // of the owner, for herself

	// Lease is the lease of the sender of the mail while the inquiry is pending.
	Lease Lease `json:"-"`

	// Limit is what AddInquiry counts the inquiry against; the zero value is no limit.
	Limit SendLimit `json:"-"`

	// Equal is the fingerprint by which AddInquiry finds equal requests; empty finds none.
	Equal string `json:"-"`

	// Notifications are stored by SettleInquiry, together with the outcome.
	Notifications []Notification `json:"-"`
}

// Title names who sent the inquiry.
func (i Inquiry) Title() string { return contract.Sender(i.Name, i.Business) }

// IsPrivate reports whether the inquiry names no business.
func (i Inquiry) IsPrivate() bool { return contract.IsPrivate(i.Business) }

const inquiryColumns = `id, message_id, request_id, name, business, email, message, phone, segment, question,
	subject, body, mail_from, mail_to, state, detail, created_at, settled_at, retry_at, answered_at, done_at, note,
	lease_owner, lease_until, equal_to`

func (i *Inquiry) fields() []any {
	return []any{&i.ID, &i.MessageID, &i.RequestID, &i.Name, &i.Business, &i.Email, &i.Message, &i.Phone, &i.Segment,
		&i.Question, &i.Subject, &i.Text, &i.From, &i.To, &i.State, &i.Detail, instant{&i.CreatedAt}, micros(&i.SettledAt),
		micros(&i.RetryAt), micros(&i.AnsweredAt), micros(&i.DoneAt), &i.Note, &i.Lease.Owner, instant{&i.Lease.Until},
		&i.Equal}
}

var inquiryTable = table[Inquiry, *Inquiry]{
	kind: "inquiry", id: "id",
	page: `SELECT ` + inquiryColumns + ` FROM inquiries WHERE created_at >= $1 AND (created_at, id) > ($2, $3)
		ORDER BY created_at, id LIMIT $4`,
	after: func(i *Inquiry) []any { return []any{i.CreatedAt.UnixMicro(), i.ID} },
	line:  func(i *Inquiry) any { return i },
	insert: `INSERT INTO inquiries (` + inquiryColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
		$13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25) ON CONFLICT DO NOTHING`,
}

// Queued reports whether the mail of the inquiry has failed, or its delivery was
// interrupted, and it is still to be sent without anyone asking for it. An equal request
// joins it. The first delivery of another request that is under way is not queued: each
// counts by itself.
func (i Inquiry) Queued(now time.Time) bool {
	retried := !i.RetryAt.IsZero() && (i.State == Failed || i.State == Pending)
	return retried || i.State == Pending && i.Lease.Until.Before(now)
}

// Joinable reports whether the mail of the inquiry is sent or under way, so that another
// request with its key can have its answer.
func (i Inquiry) Joinable(now time.Time) bool {
	return i.State == Sent || i.State == Pending && !i.Lease.Until.Before(now)
}

// Fingerprint identifies the request that made the inquiry.
func (i Inquiry) Fingerprint() string {
	return Fingerprint(i.Name, i.Business, i.Email, i.Message, i.Phone, i.Segment)
}

// NewInquiryID makes an id that no one can guess: "inq_" and 26 letters and digits.
func NewInquiryID() string { return newID("inq_") }

func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// AddInquiry stores a new inquiry with its lease and its key, and returns it. It then
// survives a power failure.
//
// Where another inquiry has the key, or the same Equal and is [Inquiry.Queued], AddInquiry
// returns that one and stores no other; the key becomes a key of the equal one. It does so on
// all instances, for any number of callers at once. The errors are ErrKeyReused if the key was
// used for another request, and ErrDailySends when the inquiry's Limit is reached.
func (s *Store) AddInquiry(ctx context.Context, inq Inquiry, key Key) (Inquiry, error) {
	stored, err := result(ctx, s, "add inquiry", func(ctx context.Context, tx *sql.Tx) (Inquiry, error) {
		stored, err := addInquiry(ctx, tx, inq) // first: the keys refer to it
		if err == nil {
			err = inquiryKeys.add(ctx, tx, key, stored.ID, inq.CreatedAt)
		}
		if err == nil && stored.ID == inq.ID {
			err = inq.Limit.count(ctx, tx) // last: its rows are locked for all instances
		}
		return stored, err
	})
	if errors.Is(err, errKeyTaken) {
		return s.InquiryByKey(ctx, key, inq.CreatedAt)
	}
	return stored, err
}

// addInquiry stores an inquiry, or returns the equal one that is queued.
func addInquiry(ctx context.Context, tx *sql.Tx, inq Inquiry) (Inquiry, error) {
	for {
		if inq.Equal != "" {
			_, err := tx.ExecContext(ctx, `UPDATE inquiries SET equal_to = '' WHERE equal_to = $1 AND NOT (
				state IN ('failed', 'pending') AND retry_at IS NOT NULL OR state = 'pending' AND lease_until < $2)`,
				inq.Equal, inq.CreatedAt.UnixMicro())
			if err != nil {
				return Inquiry{}, err
			}
		}
		added, err := inquiryTable.add(ctx, tx, inq)
		if err != nil {
			return Inquiry{}, err
		}
		if added == 1 {
			if inq.State == Pending {
				err = startTry(ctx, tx, inq.ID, inq.Lease, inq.CreatedAt)
			}
			return inq, err
		}
		// Another instance may have stored the equal one since the UPDATE: its delivery is under way.
		equal, err := get[Inquiry](ctx, tx, `SELECT `+inquiryColumns+` FROM inquiries
			WHERE equal_to = $1 AND equal_to <> ''`, inq.Equal)
		if errors.Is(err, ErrNotFound) {
			err = errors.New("the id or the Message-ID is taken")
		}
		if err != nil || equal.Queued(inq.CreatedAt) {
			return equal, err
		}
	}
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

func readInquiry(ctx context.Context, db querier, id string) (Inquiry, error) {
	return get[Inquiry](ctx, db, `SELECT `+inquiryColumns+` FROM inquiries WHERE id = $1`, id)
}

// Inquiry returns one inquiry, or ErrNotFound.
func (s *Store) Inquiry(ctx context.Context, id string) (Inquiry, error) {
	inq, err := readInquiry(ctx, s.reads, id)
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
