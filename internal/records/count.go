package records

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"
)

// dayCount is how often something was counted on a day, over all instances.
type dayCount struct {
	Day   date   `json:"day"`
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// date is a number of days since 1970-01-01 UTC. Its text is like 2026-11-21.
type date int64

// MarshalText implements encoding.TextMarshaler.
func (d date) MarshalText() ([]byte, error) {
	return StartOfDay(int64(d)).AppendFormat(nil, time.DateOnly), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *date) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.DateOnly, string(text))
	*d = date(DayOf(at))
	return err
}

const secondsOfDay = 24 * 60 * 60

// DayOf returns the number of days from 1970-01-01 UTC to at. All methods of Store number days in this way.
func DayOf(at time.Time) int64 { return at.Unix() / secondsOfDay }

// DayIn is DayOf for the date that clocks in zone show at a time.
func DayIn(at time.Time, zone *time.Location) int64 {
	_, offset := at.In(zone).Zone()
	return DayOf(at.Add(time.Duration(offset) * time.Second))
}

// StartOfDay returns the start of a day in UTC.
func StartOfDay(day int64) time.Time { return time.Unix(day*secondsOfDay, 0).UTC() }

// Names of counts that limit something on their day.
const (
	limitPrefix = "limit "
	countRows   = limitPrefix + "rows"   // rows of feedback, questions and answered questions
	countSends  = limitPrefix + "sends"  // real sends of inquiries; with a network behind a space, those from there
	countNotice = limitPrefix + "notice" // with a subject behind a space: notices to the owner
	// countClientCalls counts the calls of the model that a client caused; the client follows after a space.
	countClientCalls = limitPrefix + "model"
)

// LimitsKept is for how many days after its own a count that limits something is kept.
const LimitsKept = 2

// Other counts, countCalls and those of AddDayTotals, are kept for totalsKept days.
const (
	countCalls = "model_calls" // all calls of the model

	totalsKept = 400
)

// InquiriesOfDay is the name under which DayTotals counts inquiries.
const InquiriesOfDay = "inquiries"

// dayTotalTable holds the counts of a day that are not limits. An import keeps the larger of two counts.
var dayTotalTable = table[dayCount]{
	name: "day_totals", columns: "day, name, count",
	fields:   func(c *dayCount) []any { return []any{&c.Day, &c.Name, &c.Count} },
	conflict: `(day, name) DO UPDATE SET count = excluded.count WHERE day_totals.count < excluded.count`,
	kind:     "day_total", id: "day", order: "day, name",
	exported: `name NOT LIKE 'limit %'`,
}

// countWithin counts $4 more under the name $2, unless the count of the day $1 would exceed $3.
const countWithin = `INSERT INTO day_totals (day, name, count)
	SELECT $1, $2, CAST($4 AS BIGINT) WHERE CAST($4 AS BIGINT) <= CAST($3 AS BIGINT)
	ON CONFLICT (day, name) DO UPDATE SET count = day_totals.count + excluded.count
	WHERE day_totals.count + excluded.count <= CAST($3 AS BIGINT)`

// countOf selects the count of the day $1 under the name $2.
const countOf = `SELECT COALESCE(MAX(count), 0) FROM day_totals WHERE day = $1 AND name = $2`

// AddModelCall counts one call of the model on a day and reports whether it is among the first
// most ones, over all instances. With a client it counts the calls that this client caused,
// without one all calls. Of concurrent callers exactly most are allowed.
func (s *Store) AddModelCall(ctx context.Context, day int64, client string, most int) (allowed bool, err error) {
	name := countCalls
	if client != "" {
		name = countClientCalls + " " + client
	}
	counted, err := s.execInBackground(ctx, "add model call", countWithin, day, name, most, 1)
	return counted == 1, err
}

// ModelCalls returns how many calls of the model were counted on a day.
func (s *Store) ModelCalls(ctx context.Context, day int64) (calls int, err error) {
	err = s.read(ctx, "model calls", []any{&calls}, countOf, day, countCalls)
	return calls, err
}

// ClaimNotice claims the owner's notice about a subject on a day. It returns false if one is claimed since a day.
func (s *Store) ClaimNotice(ctx context.Context, subject string, since, day int64) (claimed bool, err error) {
	counted, err := s.exec(ctx, "claim a notice", `INSERT INTO day_totals (day, name, count)
		SELECT CAST($1 AS BIGINT), CAST($2 AS TEXT), 1
		WHERE NOT EXISTS (SELECT 1 FROM day_totals WHERE name = $2 AND day >= $3)
		ON CONFLICT DO NOTHING`, day, countNotice+" "+subject, since)
	return counted == 1, err
}

// ReleaseNotice gives the claim back, so that the notice can be sent later that day.
func (s *Store) ReleaseNotice(ctx context.Context, subject string, day int64) error {
	_, err := s.exec(ctx, "release a notice", `DELETE FROM day_totals WHERE day = $1 AND name = $2`, day,
		countNotice+" "+subject)
	return err
}

// AddDayTotals adds to the counts of a day of the business.
func (s *Store) AddDayTotals(ctx context.Context, day int64, counts map[string]int) error {
	const purpose = "add the counts of a day"
	return s.inBackground(ctx, purpose, func(ctx context.Context) error {
		return s.change(ctx, purpose, func(tx transaction) error {
			for _, name := range slices.Sorted(maps.Keys(counts)) { // in order, so no two instances wait for each other
				if _, err := tx.exec(countWithin, day, name, int64(math.MaxInt64), counts[name]); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// DayTotals returns the counts of each day from first on, by name. InquiriesOfDay is the number of inquiries stored on
// that day in zone.
func (s *Store) DayTotals(ctx context.Context, first int64, zone *time.Location) (map[int64]map[string]int, error) {
	const quarter = 15 * 60 // seconds: in every zone, days begin at a quarter of an hour in UTC
	counts, err := list(ctx, s.reads, dayTotalTable.fields, `SELECT day, name, count FROM day_totals
		WHERE day >= $1 AND name NOT LIKE 'limit %'
		UNION ALL SELECT created_at / $4, $2, COUNT(*) FROM inquiries WHERE created_at >= $3 GROUP BY 1`,
		first, InquiriesOfDay, (first-1)*secondsOfDay*1_000_000, quarter*1_000_000)
	totals := map[int64]map[string]int{}
	for _, c := range counts {
		day := int64(c.Day)
		if c.Name == InquiriesOfDay { // counted by quarter of an hour
			day = DayIn(time.Unix(day*quarter, 0), zone)
		}
		switch {
		case day < first:
			continue
		case totals[day] == nil:
			totals[day] = map[string]int{}
		}
		totals[day][c.Name] += int(c.Count)
	}
	return totals, wrap(err, "read the counts of days")
}
