package records

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/payload"
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

// Inquiry is a pilot request with the mail that was made of it, as the last attempt
// sent it, so that a later delivery sends the same one. Times are kept to the
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

var inquiryTable = table[Inquiry]{
	name: "inquiries",
	columns: "id, message_id, request_id, name, business, email, message, phone, segment, question, subject, body, " +
		"mail_from, mail_to, state, detail, created_at, settled_at, retry_at, answered_at, done_at, note, lease_owner, " +
		"lease_until, equal_to",
	fields: func(i *Inquiry) []any {
		return []any{&i.ID, &i.MessageID, &i.RequestID, &i.Name, &i.Business, &i.Email, &i.Message, &i.Phone, &i.Segment,
			&i.Question, &i.Subject, &i.Text, &i.From, &i.To, &i.State, &i.Detail, instant{&i.CreatedAt},
			micros(&i.SettledAt), micros(&i.RetryAt), micros(&i.AnsweredAt), micros(&i.DoneAt), &i.Note, &i.Lease.Owner,
			instant{&i.Lease.Until}, &i.Equal}
	},
	kind: "inquiry", id: "id", order: "created_at, id",
	// Equal requests join an imported inquiry that is queued, unless they already join another.
	imported: func(tx transaction, i *Inquiry) error {
		if !i.Queued(time.Now()) {
			return nil
		}
		_, err := tx.exec(`UPDATE inquiries SET equal_to = $1 WHERE id = $2
			AND NOT EXISTS (SELECT 1 FROM inquiries WHERE equal_to = $1 AND equal_to <> '')`, i.Fingerprint(), i.ID)
		return err
	},
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
	stored, err := result(ctx, s, "add inquiry", func(tx transaction) (Inquiry, error) {
		stored, err := addInquiry(tx, inq) // first: the keys refer to it
		if err == nil {
			err = inquiryKeys.add(tx, key, stored.ID, inq.CreatedAt)
		}
		if err == nil && stored.ID == inq.ID {
			err = inq.Limit.count(tx) // last: its rows are locked for all instances
		}
		return stored, err
	})
	if errors.Is(err, errKeyTaken) {
		return s.InquiryByKey(ctx, key, inq.CreatedAt)
	}
	return stored, err
}

// endEqual clears the fingerprint $1 at the time $2, unless its inquiry is queued. It repeats the condition of the
// partial index, because SQLite uses the index only then.
const endEqual = `UPDATE inquiries SET equal_to = '' WHERE equal_to = $1 AND equal_to <> '' AND NOT (
	state IN ('failed', 'pending') AND retry_at IS NOT NULL OR state = 'pending' AND lease_until < $2)`

// addInquiry stores an inquiry, or returns the equal one that is queued.
func addInquiry(tx transaction, inq Inquiry) (Inquiry, error) {
	for {
		if inq.Equal != "" {
			_, err := tx.exec(endEqual, inq.Equal, inq.CreatedAt.UnixMicro())
			if err != nil {
				return Inquiry{}, err
			}
		}
		added, err := inquiryTable.add(tx, inq)
		if err != nil {
			return Inquiry{}, err
		}
		if added == 1 {
			if inq.State == Pending {
				err = startTry(tx, inq.ID, inq.Lease, inq.CreatedAt)
			}
			return inq, err
		}
		// Another instance may have stored the equal one since the UPDATE: its delivery is under way.
		equal, err := inquiryTable.get(tx.ctx, tx, `WHERE equal_to = $1 AND equal_to <> ''`, inq.Equal)
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
var ErrDailySends = errors.New("the daily limit of mailed inquiries is reached")

// count counts one inquiry of today. Both rows are locked until the transaction ends,
// always in this order.
func (l SendLimit) count(tx transaction) error {
	if l == (SendLimit{}) {
		return nil
	}
	day := DayOf(time.Now())
	counted, err := tx.exec(countWithin, day, countSends+" "+l.Network, l.PerNetwork, 1)
	if err == nil && counted == 1 {
		counted, err = tx.exec(countWithin, day, countSends, l.PerDay, 1)
	}
	if err == nil && counted == 0 {
		err = ErrDailySends
	}
	return err
}

func readInquiry(ctx context.Context, db querier, id string) (Inquiry, error) {
	return inquiryTable.get(ctx, db, `WHERE id = $1`, id)
}

// Inquiry returns one inquiry, or ErrNotFound.
func (s *Store) Inquiry(ctx context.Context, id string) (Inquiry, error) {
	inq, err := readInquiry(ctx, s.reads, id)
	return inq, wrap(err, "read inquiry "+id)
}

// Lease is the right to send the mail of a pending inquiry, for one attempt. Its
// owner is a random word of that attempt, so that an attempt which was overtaken can
// be distinguished from the one that overtook it, even within one process.
//
// The database compares times that are passed in, so that clocks may differ between
// machines by the time that a lease is longer than a delivery.
type Lease struct {
	Owner string
	Until time.Time
}

// Errors of sending or settling an inquiry.
var (
	ErrLeased    = errors.New("its mail is under way")
	ErrSent      = errors.New("its mail was sent")
	ErrLeaseLost = errors.New("another sender holds its lease")
)

// Mail holds what an attempt replaces in the stored mail. Empty fields are kept.
type Mail struct{ From, To, Subject, Text string }

// claim makes the one inquiry that the condition chooses pending again under a new
// lease, and returns it, or ErrNotFound. The arguments of the condition begin with $7.
func (s *Store) claim(ctx context.Context, purpose string, lease Lease, mail Mail, condition string,
	args ...any) (Inquiry, error) {
	return result(ctx, s, purpose, func(tx transaction) (Inquiry, error) {
		inq, err := inquiryTable.change(tx, `UPDATE inquiries
			SET state = 'pending', detail = '', settled_at = NULL, lease_owner = $1, lease_until = $2,
				mail_from = COALESCE(NULLIF($3, ''), mail_from), mail_to = COALESCE(NULLIF($4, ''), mail_to),
				subject = COALESCE(NULLIF($5, ''), subject), body = COALESCE(NULLIF($6, ''), body)
			WHERE `+condition,
			append([]any{lease.Owner, lease.Until.UnixMicro(), mail.From, mail.To, mail.Subject, mail.Text}, args...)...)
		if err == nil {
			err = startTry(tx, inq.ID, inq.Lease, time.Now())
		}
		return inq, err
	})
}

// ClaimInquiry takes the lease of an inquiry that was not delivered, that is
// quarantined, or whose delivery was interrupted: it is pending then, and its lease has
// ended. Of any number of callers at once, one gets it. The errors are ErrNotFound, ErrSent,
// and ErrLeased while another holds the lease. The mail is stored before it is sent.
func (s *Store) ClaimInquiry(ctx context.Context, id string, lease Lease, mail Mail, now time.Time) (Inquiry, error) {
	purpose := "claim inquiry " + id
	ctx, cancel := bounded(ctx, CallTimeout)
	defer cancel()
	inq, err := s.claim(ctx, purpose, lease, mail, `id = $7
		AND (state IN ('failed', 'unknown', 'quarantined') OR (state = 'pending' AND lease_until < $8))`, id, now.UnixMicro())
	if !errors.Is(err, ErrNotFound) {
		return inq, err
	}
	found, err := readInquiry(ctx, s.reads, id)
	switch {
	case err != nil:
	case found.State == Sent:
		err = ErrSent
	default:
		err = ErrLeased // or it was a moment ago
	}
	return Inquiry{}, wrap(err, purpose)
}

// ClaimDue takes the lease of the oldest inquiry whose delivery was interrupted: its lease
// ended before expired. Without one it is the failed inquiry whose retry has been due for
// the longest time at retry; the zero time takes no retry. It returns ErrNotFound when
// there is none. Two callers never get the same.
func (s *Store) ClaimDue(ctx context.Context, lease Lease, mail Mail, expired, retry time.Time) (Inquiry, error) {
	const due = `(state = 'pending' AND lease_until < $7 OR state = 'failed' AND retry_at <= $8)`
	// The outer condition repeats the inner one: PostgreSQL looks at it again once
	// another transaction that had the row has ended.
	return s.claim(ctx, "claim a due inquiry", lease, mail, due+` AND id = (SELECT id FROM inquiries WHERE `+due+`
		ORDER BY state DESC, CASE state WHEN 'pending' THEN created_at ELSE retry_at END, id LIMIT 1)`, expired.UnixMicro(),
		retry.UnixMicro())
}

// retryFailed repeats the condition of the index for SQLite, as endEqual does.
const retryFailed = `UPDATE inquiries SET retry_at = $1 WHERE state = 'failed' AND state <> 'sent'`

// RetryFailed makes the mail of every failed inquiry due now.
func (s *Store) RetryFailed(ctx context.Context, now time.Time) error {
	_, err := s.exec(ctx, "retry failed mails", retryFailed, now.UnixMicro())
	return err
}

// SettleInquiry records how a try to deliver an inquiry ended: its State, its Detail for
// the owner's eyes, and its RetryAt. It stores the Notifications of the inquiry in the
// same transaction. It returns ErrLeaseLost when the lease of the inquiry is not the
// one in the database, or there is no such inquiry: the attempt that took the lease
// over has sent the mail again, and its outcome counts. The try is recorded in any case.
func (s *Store) SettleInquiry(ctx context.Context, inq Inquiry) error {
	purpose, now, settled := "settle inquiry "+inq.ID, time.Now().UnixMicro(), int64(0)
	err := s.change(ctx, purpose, func(tx transaction) (err error) {
		settled, err = tx.exec(
			`UPDATE inquiries SET state = $1, detail = $2, settled_at = $3, retry_at = $4
			WHERE id = $5 AND state = 'pending' AND lease_owner = $6`,
			inq.State, storable(inq.Detail), now, micros(&inq.RetryAt), inq.ID, inq.Lease.Owner)
		if err != nil {
			return err
		}
		_, err = tx.exec(`UPDATE tries SET state = $1, detail = $2, ended_at = $3
			WHERE inquiry_id = $4 AND lease_owner = $5 AND ended_at IS NULL`,
			inq.State, storable(inq.Detail), now, inq.ID, inq.Lease.Owner)
		if err != nil || settled == 0 {
			return err
		}
		return storeNotifications(tx, inq.Notifications)
	})
	if err == nil && settled == 0 {
		err = wrap(ErrLeaseLost, purpose)
	}
	return err
}

// Attempt is one try to send the mail of an inquiry. Times are kept to the microsecond.
type Attempt struct {
	InquiryID  string `json:"-"`
	LeaseOwner string `json:"-"`

	StartedAt time.Time `json:"started_at"`
	// zero while it is under way, and when it was interrupted
	EndedAt time.Time `json:"ended_at,omitzero"`
	State   State     `json:"state"`            // of the inquiry after it
	Detail  string    `json:"detail,omitempty"` // why it did not succeed
}

// attemptTable adds an attempt only to an inquiry that is stored: an export may
// hold an attempt of an inquiry that came in after the inquiries were written.
var attemptTable = table[Attempt]{
	name:    "tries",
	columns: "inquiry_id, lease_owner, started_at, ended_at, state, detail",
	fields: func(t *Attempt) []any {
		return []any{&t.InquiryID, &t.LeaseOwner, instant{&t.StartedAt}, micros(&t.EndedAt), &t.State, &t.Detail}
	},
	condition: `EXISTS (SELECT 1 FROM inquiries WHERE id = $1)`,
	kind:      "try", id: "inquiry_id", order: "inquiry_id, lease_owner", // which has an index
	line: func(t *Attempt) any {
		return &struct {
			InquiryID *string `json:"inquiry_id"`
			*Attempt
			Lease *string `json:"lease"` // names the attempt
		}{&t.InquiryID, t, &t.LeaseOwner}
	},
}

// startTry notes that the mail of an inquiry is going to be sent under a lease.
func startTry(tx transaction, inquiryID string, lease Lease, at time.Time) error {
	_, err := attemptTable.add(tx, Attempt{InquiryID: inquiryID, LeaseOwner: lease.Owner, State: Pending, StartedAt: at})
	return err
}

// Tries lists the attempts to send the mail of an inquiry, oldest first. The list is never nil.
func (s *Store) Tries(ctx context.Context, inquiryID string) ([]Attempt, error) {
	return attemptTable.list(ctx, s, "list tries", `WHERE inquiry_id = $1 ORDER BY started_at, lease_owner`, inquiryID)
}

// Key is an Idempotency-Key as it is stored. It is scoped by the e-mail address of
// its request, and hashed so that a reader of the database cannot use it. The zero
// Key is none.
type Key struct {
	Email       string // folded
	Hash        string
	Fingerprint string // of the request made under the key
}

// NewKey returns the key of a request, by the value of its Idempotency-Key. An empty value is
// no key.
func NewKey(email, value, fingerprint string) Key {
	if value == "" {
		return Key{}
	}
	return Key{Email: contract.FoldAddress(email), Hash: hash([]byte(value)), Fingerprint: fingerprint}
}

// Fingerprint identifies a request by its fields.
func Fingerprint(fields ...string) string { return hash(payload.JSON(fields)) }

func hash(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// ErrKeyReused reports that the key was used for another request.
var ErrKeyReused = errors.New("the key was used for another request")

var errKeyTaken = errors.New("another record already has the key")

// keyTable holds the keys of one kind of record.
type keyTable struct{ name, id string }

var (
	inquiryKeys   = keyTable{"inquiry_keys", "inquiry_id"}
	workspaceKeys = keyTable{"workspace_keys", "workspace_id"}
)

// add stores a key with its record, which must be in the database. A key is free again
// contract.KeyLifetime after it was stored; the error of any other is errKeyTaken. The zero
// key is not stored.
func (t keyTable) add(tx transaction, key Key, id string, created time.Time) error {
	if key == (Key{}) {
		return nil
	}
	_, err := tx.exec(`DELETE FROM `+t.name+` WHERE email = $1 AND key_hash = $2 AND created_at < $3`,
		key.Email, key.Hash, created.Add(-contract.KeyLifetime).UnixMicro())
	if err != nil {
		return err
	}
	added, err := tx.exec(`INSERT INTO `+t.name+` (email, key_hash, fingerprint, `+t.id+`, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (email, key_hash) DO NOTHING`,
		key.Email, key.Hash, key.Fingerprint, id, created.UnixMicro())
	if err == nil && added == 0 {
		err = errKeyTaken
	}
	return err
}

// byKey returns the record that has a key, unless the key is free again. Errors are
// ErrNotFound, also for the zero key, and ErrKeyReused if the record is of another request.
func byKey[T any](
	ctx context.Context, s *Store, t keyTable, of table[T], key Key, now time.Time,
) (record T, err error) {
	const purpose = "read a key"
	if key == (Key{}) {
		return record, ErrNotFound
	}
	var id, fingerprint string
	err = s.read(ctx, purpose, []any{&id, &fingerprint}, `SELECT `+t.id+`, fingerprint FROM `+t.name+`
		WHERE email = $1 AND key_hash = $2 AND created_at >= $3`, key.Email, key.Hash,
		now.Add(-contract.KeyLifetime).UnixMicro())
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return record, wrap(ErrNotFound, purpose)
	case err != nil:
		return record, err
	case fingerprint != key.Fingerprint:
		return record, wrap(ErrKeyReused, purpose)
	}
	record, err = of.get(ctx, s.reads, `WHERE id = $1`, id)
	return record, wrap(err, purpose)
}

// InquiryByKey returns the inquiry that was stored under a key, in the contract.KeyLifetime
// before now. Errors are ErrNotFound, and ErrKeyReused if it was stored for another request.
func (s *Store) InquiryByKey(ctx context.Context, key Key, now time.Time) (Inquiry, error) {
	return byKey(ctx, s, inquiryKeys, inquiryTable, key, now)
}

// WorkspaceByKey returns the workspace that was stored under a key, by the rules of
// InquiryByKey.
func (s *Store) WorkspaceByKey(ctx context.Context, key Key, now time.Time) (Workspace, error) {
	return byKey(ctx, s, workspaceKeys, workspaceTable, key, now)
}
