package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// OwnerKeyKind is what a key of the owner opens.
type OwnerKeyKind string

// The kinds of keys.
const (
	SignInLink   OwnerKeyKind = "link"    // makes one session
	OwnerSession OwnerKeyKind = "session" // opens the owner's pages
)

// AddOwnerKey stores the hash of a key until it expires.
func (s *Store) AddOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, expires time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := s.exec(ctx, `INSERT INTO owner_keys (key_hash, kind, expires_at) VALUES ($1, $2, $3)`,
		hash, kind, expires.UnixMicro()); err != nil {
		return fmt.Errorf("records: add a key of the owner: %w", err)
	}
	return nil
}

// HasOwnerKey reports whether a key is stored that has not expired at now.
func (s *Store) HasOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, now time.Time) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var one int
	err := s.reads.QueryRowContext(ctx, `SELECT 1 FROM owner_keys WHERE key_hash = $1 AND kind = $2 AND expires_at > $3`,
		hash, kind, now.UnixMicro()).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("records: find a key of the owner: %w", err)
	}
	return true, nil
}

// UseOwnerKey deletes a key and reports whether it was there and had not expired at now.
// Of several callers with the same key one gets true.
func (s *Store) UseOwnerKey(ctx context.Context, kind OwnerKeyKind, hash string, now time.Time) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	n, err := s.exec(ctx, `DELETE FROM owner_keys WHERE key_hash = $1 AND kind = $2 AND expires_at > $3`, hash, kind, now.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("records: use a key of the owner: %w", err)
	}
	return n == 1, nil
}

// InquiryView is a part of the inquiries, as the owner's pages divide them.
type InquiryView string

// The views. An inquiry is in OpenInquiries or DoneInquiries, or it is quarantined and
// neither marked as done nor mailed.
const (
	OpenInquiries        InquiryView = "open"
	UndeliveredInquiries InquiryView = "failed" // open, and the mail failed or may have arrived
	QuarantinedInquiries InquiryView = "spam"
	DoneInquiries        InquiryView = "done"
	AllInquiries         InquiryView = "all"
)

// inquiryViews are the conditions of the views.
var inquiryViews = map[InquiryView]string{
	OpenInquiries:        `done_at IS NULL AND state <> 'quarantined'`,
	UndeliveredInquiries: `done_at IS NULL AND state IN ('failed', 'unknown')`,
	QuarantinedInquiries: `done_at IS NULL AND state = 'quarantined'`,
	DoneInquiries:        `done_at IS NOT NULL`,
	AllInquiries:         `1 = 1`,
}

// InquiryQuery chooses a page of inquiries, newest first.
type InquiryQuery struct {
	View          InquiryView
	Search        string // in a field, whatever the case; empty finds all
	Limit, Offset int
}

// InquiryPage is the inquiries that a query finds.
type InquiryPage struct {
	Inquiries []Inquiry // of this page; never nil
	Total     int       // of all pages
}

// FindInquiries returns a page of inquiries.
func (s *Store) FindInquiries(ctx context.Context, query InquiryQuery) (InquiryPage, error) {
	condition, known := inquiryViews[query.View]
	if !known {
		return InquiryPage{}, fmt.Errorf("records: find inquiries: %q is no view", query.View)
	}
	condition += ` AND ` + contains("$1", inquiryTexts...)
	search := pattern(storable(strings.TrimSpace(query.Search)))
	page := InquiryPage{}
	err := s.reads.QueryRowContext(ctx, `SELECT COUNT(*) FROM inquiries WHERE `+condition, search).Scan(&page.Total)
	if err != nil {
		return InquiryPage{}, fmt.Errorf("records: find inquiries: %w", err)
	}
	rows, err := s.reads.QueryContext(ctx, `SELECT `+inquiryColumns+` FROM inquiries WHERE `+condition+
		` ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`, search, query.Limit, query.Offset)
	if err == nil {
		page.Inquiries, err = collect(rows, scanInquiry)
	}
	if err != nil {
		return InquiryPage{}, fmt.Errorf("records: find inquiries: %w", err)
	}
	return page, nil
}

// InquiryCounts returns how many inquiries each view has.
func (s *Store) InquiryCounts(ctx context.Context) (map[InquiryView]int, error) {
	var open, undelivered, quarantined, done, all sql.NullInt64
	count := func(view InquiryView) string { return `SUM(CASE WHEN ` + inquiryViews[view] + ` THEN 1 ELSE 0 END)` }
	err := s.reads.QueryRowContext(ctx, `SELECT `+count(OpenInquiries)+`, `+count(UndeliveredInquiries)+`, `+
		count(QuarantinedInquiries)+`, `+count(DoneInquiries)+`, COUNT(*) FROM inquiries`).Scan(&open, &undelivered, &quarantined, &done, &all)
	if err != nil {
		return nil, fmt.Errorf("records: count inquiries: %w", err)
	}
	return map[InquiryView]int{
		OpenInquiries: int(open.Int64), UndeliveredInquiries: int(undelivered.Int64),
		QuarantinedInquiries: int(quarantined.Int64), DoneInquiries: int(done.Int64), AllInquiries: int(all.Int64),
	}, nil
}

// MarkInquiry marks an inquiry as done, or as open again with the zero time. It is
// ErrNotFound when there is no such inquiry.
func (s *Store) MarkInquiry(ctx context.Context, id string, done time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	n, err := s.exec(ctx, `UPDATE inquiries SET done_at = $1 WHERE id = $2`, micros(done), id)
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("records: mark inquiry %s: %w", id, err)
	}
	return nil
}

// dayTotalsKept is for how many days day_totals are kept: a year and a bit.
const dayTotalsKept = 400

// AddDayTotals adds counts to those of a day, in days since 1970-01-01 UTC.
func (s *Store) AddDayTotals(ctx context.Context, day int64, counts map[string]int) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := s.inBackground(ctx, func() error {
		return s.change(ctx, "", func(tx *sql.Tx) error {
			for _, name := range slices.Sorted(maps.Keys(counts)) { // two instances never wait for each other
				if _, err := tx.ExecContext(ctx, `INSERT INTO day_totals (day, name, count) VALUES ($1, $2, $3)
					ON CONFLICT (day, name) DO UPDATE SET count = day_totals.count + excluded.count`, day, name, counts[name]); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("records: add the counts of a day: %w", err)
	}
	return nil
}

// DayTotals returns what was counted on each day from a first one on, by name. The
// name InquiriesOfDay counts the stored inquiries.
func (s *Store) DayTotals(ctx context.Context, first int64) (map[int64]map[string]int, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT day, name, count FROM day_totals WHERE day >= $1
		UNION ALL SELECT created_at / 86400000000, $2, COUNT(*) FROM inquiries WHERE created_at >= $3 GROUP BY 1`,
		first, InquiriesOfDay, first*secondsOfDay*1_000_000)
	if err != nil {
		return nil, fmt.Errorf("records: read the counts of days: %w", err)
	}
	totals := map[int64]map[string]int{}
	_, err = collect(rows, func(rows *sql.Rows) (struct{}, error) {
		var day int64
		var name string
		var count int
		err := rows.Scan(&day, &name, &count)
		if totals[day] == nil {
			totals[day] = map[string]int{}
		}
		totals[day][name] += count
		return struct{}{}, err
	})
	if err != nil {
		return nil, fmt.Errorf("records: read the counts of days: %w", err)
	}
	return totals, nil
}

// InquiriesOfDay is the name under which DayTotals counts inquiries.
const InquiriesOfDay = "inquiries"

// pruneOwner deletes keys that have expired, and the counts of days long past.
func (s *Store) pruneOwner(ctx context.Context, now time.Time) error {
	if _, err := s.exec(ctx, `DELETE FROM owner_keys WHERE expires_at <= $1`, now.UnixMicro()); err != nil {
		return err
	}
	_, err := s.exec(ctx, `DELETE FROM day_totals WHERE day < $1`, now.Unix()/secondsOfDay-dayTotalsKept)
	return err
}

// QuestionsState is a text that changes with the list of open questions.
func (s *Store) QuestionsState(ctx context.Context) (string, error) {
	var count, asked, last, numbers sql.NullInt64
	err := s.reads.QueryRowContext(ctx, `SELECT COUNT(*), SUM(unanswered + unhelpful), MAX(asked_at), SUM(number) FROM questions
		WHERE NOT accepted AND NOT dismissed`).Scan(&count, &asked, &last, &numbers)
	if err != nil {
		return "", fmt.Errorf("records: read the state of the questions: %w", err)
	}
	return fmt.Sprint(count.Int64, asked.Int64, last.Int64, numbers.Int64), nil
}
