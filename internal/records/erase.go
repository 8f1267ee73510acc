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
// the case of its letters, in one transaction. Mentions are found before it, because that reads
// every inquiry. While a mail of that person is under way it returns ErrLeased and deletes nothing.
func (s *Store) Erase(ctx context.Context, email string, now time.Time) (Erased, error) {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	folded := contract.FoldAddress(email)
	others, err := mentioning[string](ctx, s.reads, folded, "inquiries", "id", inquiryText, "lower(email)")
	if err != nil {
		return Erased{}, wrap(err, "find mentions")
	}
	return erasing(ctx, s, "erase a person", func(tx transaction) (Erased, error) {
		var sending bool
		err := tx.QueryRowContext(tx.ctx,
			`SELECT EXISTS (SELECT 1 FROM inquiries WHERE lower(email) = $1 AND state = 'pending' AND lease_until >= $2)`,
			folded, now.UnixMicro()).Scan(&sending)
		if err == nil && sending {
			err = ErrLeased
		}
		if err != nil {
			return Erased{}, err
		}
		erased, err := eraseRows(tx, folded)
		erased.Mentions = others
		return erased, err
	})
}

// erasing executes a deletion and then empties SQLite's write-ahead log, which may still hold the rows. If that fails,
// the next Prune does it.
func erasing[T any](ctx context.Context, s *Store, purpose string, do func(transaction) (T, error)) (T, error) {
	done, err := result(ctx, s, purpose, do)
	if err == nil {
		_ = s.vacuum(ctx)
	}
	return done, err
}

func eraseRows(tx transaction, folded string) (erased Erased, err error) {
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
		n, err := tx.exec(table.statement, folded)
		if err != nil {
			return Erased{}, err
		}
		*table.count += int(n)
	}
	for _, texts := range []struct {
		count            *int
		table, key, text string
	}{
		{&erased.Feedback, "feedback", "id", "q || ' ' || comment"},
		{&erased.Questions, "questions", "number", "q"},
		{&erased.Answered, "answered", "number", "q"},
		{&erased.Changes, "changes", "number", "summary || ' ' || diff || ' ' || edits"},
	} {
		keys, err := mentioning[any](tx.ctx, tx, folded, texts.table, texts.key, texts.text, `''`)
		for _, key := range keys {
			if err == nil {
				_, err = tx.exec(`DELETE FROM `+texts.table+` WHERE `+texts.key+` = $1`, key)
			}
		}
		if err != nil {
			return Erased{}, err
		}
		*texts.count = len(keys)
	}
	return erased, nil
}

// mentioning returns the keys of the rows of a table that mention an address. The database finds those whose text
// contains it. Rows whose author has the address are left out. The list is never nil.
func mentioning[K any](ctx context.Context, db querier, folded, table, key, text, author string) (keys []K,
	err error) {
	keys, mentioned := []K{}, mentions(folded)
	err = each(ctx, db, func(rows *sql.Rows) error {
		var key K
		var text string
		err := rows.Scan(&key, &text)
		if mentioned.MatchString(strings.ToLower(text)) {
			keys = append(keys, key)
		}
		return err
	}, `SELECT `+key+`, `+text+` FROM `+table+` WHERE lower(`+text+`) LIKE $1 ESCAPE '!' AND `+author+` <> $2
		ORDER BY 1`, containing(folded), folded)
	return keys, err
}

// mentions matches texts in lower case that contain an address in lower case, and not as a
// part of another address. Changes hold texts as lines of a diff, which begin with + or -,
// and with the escapes of JSON.
func mentions(address string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^[+-]?|[^\pL\pN.!#$%&'*+/=?^_{|}~-]|\\(?:[nrt]|u[0-9a-f]{4}))` +
		regexp.QuoteMeta(address) + `[.-]*(?:$|[^\pL\pN.-])`)
}
