package records

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"time"

	"frontdesk/contract"
)

// Erased counts what Erase has deleted, by table.
type Erased struct {
	Inquiries  int `json:"inquiries"`  // with their attempts
	Workspaces int `json:"workspaces"` // draft workspaces of trials
	Feedback   int `json:"feedback"`   // whose question or comment contains the address
	Questions  int `json:"questions"`  // likewise; masking keeps addresses out of them
	Answered   int `json:"answered"`   // likewise
	Changes    int `json:"changes"`    // rows of the history of the content; the content itself stays
	Keys       int `json:"keys"`       // idempotency keys

	Notifications int `json:"notifications"` // to the owner, about these inquiries and workspaces

	// Mentions are the ids of inquiries of other people whose text contains the address.
	// They are not deleted: only the owner knows whether they should be.
	Mentions []string `json:"mentions"`
}

// Erase deletes everything that is stored of the person with an e-mail address, whatever
// the case of its letters, in one transaction. While a mail of that person is under way it
// returns ErrLeased and deletes nothing.
func (s *Store) Erase(ctx context.Context, email string, now time.Time) (Erased, error) {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	folded := contract.FoldAddress(email)
	return result(ctx, s, "erase a person", func(ctx context.Context, tx *sql.Tx) (Erased, error) {
		var sending bool
		err := tx.QueryRowContext(ctx,
			`SELECT EXISTS (SELECT 1 FROM inquiries WHERE lower(email) = $1 AND state = 'pending' AND lease_until >= $2)`,
			folded, now.UnixMicro()).Scan(&sending)
		if err == nil && sending {
			err = ErrLeased
		}
		if err != nil {
			return Erased{}, err
		}
		return eraseRows(ctx, tx, folded)
	})
}

func eraseRows(ctx context.Context, tx *sql.Tx, folded string) (erased Erased, err error) {
	for _, table := range []struct {
		count     *int
		statement string
	}{
		{&erased.Keys, `DELETE FROM inquiry_keys WHERE email = $1`},
		{&erased.Keys, `DELETE FROM workspace_keys WHERE email = $1`},
		{&erased.Notifications, `DELETE FROM notifications WHERE subject IN (SELECT id FROM inquiries WHERE lower(email) = $1
			UNION SELECT id FROM workspaces WHERE lower(email) = $1)`},
		{&erased.Inquiries, `DELETE FROM inquiries WHERE lower(email) = $1`},
		{&erased.Workspaces, `DELETE FROM workspaces WHERE lower(email) = $1`},
	} {
		n, err := affected(tx.ExecContext(ctx, table.statement, folded))
		if err != nil {
			return Erased{}, err
		}
		*table.count += int(n)
	}
	for _, texts := range []struct {
		count        *int
		find, delete string
	}{
		{&erased.Feedback, `SELECT id, q || ' ' || comment FROM feedback
			WHERE lower(q || ' ' || comment) LIKE $1 ESCAPE '!'`, `DELETE FROM feedback WHERE id = $1`},
		{&erased.Questions, `SELECT number, q FROM questions WHERE lower(q) LIKE $1 ESCAPE '!' ORDER BY 1`,
			`DELETE FROM questions WHERE number = $1`},
		{&erased.Answered, `SELECT number, q FROM answered WHERE lower(q) LIKE $1 ESCAPE '!' ORDER BY 1`,
			`DELETE FROM answered WHERE number = $1`},
		{&erased.Changes, `SELECT number, summary || ' ' || diff || ' ' || edits FROM changes
			WHERE lower(summary || ' ' || diff || ' ' || edits) LIKE $1 ESCAPE '!'`, `DELETE FROM changes WHERE number = $1`},
	} {
		keys, err := mentioning(ctx, tx, folded, texts.find)
		for _, key := range keys {
			if err == nil {
				_, err = tx.ExecContext(ctx, texts.delete, key)
			}
		}
		if err != nil {
			return Erased{}, err
		}
		*texts.count = len(keys)
	}
	mentions, err := mentioning(ctx, tx, folded, `SELECT id, inquiry FROM (SELECT id, name || ' ' || business
		|| ' ' || email || ' ' || message || ' ' || phone || ' ' || segment || ' ' || question
		|| ' ' || note AS inquiry FROM inquiries) AS i
		WHERE lower(inquiry) LIKE $1 ESCAPE '!' ORDER BY id`)
	erased.Mentions = []string{}
	for _, id := range mentions {
		erased.Mentions = append(erased.Mentions, id.(string))
	}
	return erased, err
}

// mentioning returns the keys of the rows that mention an address. The statement selects keys
// and texts that contain it.
func mentioning(ctx context.Context, tx *sql.Tx, folded, statement string) (keys []any, err error) {
	mentioned := mentions(folded)
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var key any
		var text string
		err := rows.Scan(&key, &text)
		if mentioned.MatchString(strings.ToLower(text)) {
			keys = append(keys, key)
		}
		return err
	}, statement, containing(folded))
	return keys, err
}

// mentions matches texts in lower case that contain an address in lower case, and not as a
// part of another address.
func mentions(address string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\pL\pN.!#$%&'*+/=?^_{|}~-])` + regexp.QuoteMeta(address) + `[.-]*(?:$|[^\pL\pN.-])`)
}
