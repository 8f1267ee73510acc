package mailer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"frontdesk/internal/disk"
)

// AccountFile is the file of the data folder in which the owner's pages keep an account.
const AccountFile = "mail-account.json"

// The addresses of mails before the owner has set any. No mail can reach them (RFC 2606).
const (
	unsetFrom = "frontdesk@frontdesk.invalid"
	unsetTo   = "owner@frontdesk.invalid"
)

// Kept is an account as its file holds it.
type Kept struct {
	Server string `json:"server"` // as [Parse] reads it; with the password
	From   string `json:"from"`
	To     string `json:"to"` // one address, or several separated by commas
}

// Account is where mails go, from whom and to whom.
type Account struct {
	Transport
	From, To string
}

// OrNobody returns the account with addresses that reach no one in place of those that are missing.
func (a Account) OrNobody() Account {
	a.From, a.To = cmp.Or(a.From, unsetFrom), cmp.Or(a.To, unsetTo)
	return a
}

// ReachesNoOne reports whether a recipient stands for one that the owner has not set yet.
func ReachesNoOne(to string) bool { return to == unsetTo }

// IsSet reports whether a mail can be sent or kept.
func (a Account) IsSet() bool { return a.Transport != Unset{} }

// KeepsFiles reports whether mails are kept as files.
func (a Account) KeepsFiles() bool {
	_, isFolder := a.Transport.(*Folder)
	return isFolder
}

// Host is the mail server; empty without one.
func (a Account) Host() string {
	if server, isSMTP := a.Transport.(*SMTP); isSMTP {
		return server.host
	}
	return ""
}

// Account checks the account. The error names the part that is wrong.
func (k Kept) Account() (Account, error) {
	transport, err := Parse(k.Server, "")
	if err != nil {
		return Account{}, fmt.Errorf("server: %w", err)
	}
	if _, isSMTP := transport.(*SMTP); !isSMTP {
		return Account{}, errors.New("server: must begin with smtp:// or smtps://")
	}
	if _, err := ParseAddress(k.From); err != nil {
		return Account{}, fmt.Errorf("from: %w", err)
	}
	if _, err := ParseRecipients(k.To); err != nil {
		return Account{}, fmt.Errorf("to: %w", err)
	}
	return Account{transport, k.From, k.To}, nil
}

// Write stores the account in the data folder, readable by the user of the service only.
func (k Kept) Write(dataDir string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return errors.Join(encoder.Encode(k), disk.WriteFile(filepath.Join(dataDir, AccountFile), text.Bytes()))
}

// ReadKept reads the account of a data folder. Without one it returns the zero Kept.
func ReadKept(dataDir string) (k Kept, err error) {
	text, err := os.ReadFile(filepath.Join(dataDir, AccountFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Kept{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err == nil {
		_, err = k.Account()
	}
	if err != nil {
		return Kept{}, fmt.Errorf("the file %s: %w", AccountFile, err)
	}
	return k, nil
}

// Current is the account in use, which can be replaced while the service runs.
type Current struct{ account atomic.Pointer[Account] }

// NewCurrent returns a Current that holds account.
func NewCurrent(account Account) *Current {
	c := &Current{}
	c.Set(account)
	return c
}

// Now returns the account in use.
func (c *Current) Now() Account { return *c.account.Load() }

// Set replaces the account. Mails that are under way stay with the one before.
func (c *Current) Set(account Account) { c.account.Store(&account) }

// Addresses returns From and To, or an empty text for one that is not set.
func (a Account) Addresses() (from, to string) {
	if a.From != unsetFrom {
		from = a.From
	}
	if a.To != unsetTo {
		to = a.To
	}
	return from, to
}

// Send sends a mail by the account in use. Only a file may have addresses that reach no one: a mail server could accept
// them, and the mail would be lost.
func (c *Current) Send(ctx context.Context, m Message) error {
	account := c.Now()
	if account.IsSet() && !account.KeepsFiles() && (m.From == unsetFrom || m.To == unsetTo) {
		return errNobody
	}
	return account.Send(ctx, m)
}

// Unset is the Transport while no mail server is set up. Every mail fails, so that it is tried again later.
type Unset struct{}

var (
	errUnset  = failed(stageUnset, errors.New("no mail server is set up"))
	errNobody = failed(stageUnset, errors.New("FRONTDESK_MAIL_TO and FRONTDESK_MAIL_FROM must both be set"))
)

// IsUnset reports whether a mail failed because no mail server is set up, or no address.
func IsUnset(err error) bool { return errors.Is(err, errUnset) || errors.Is(err, errNobody) }

// Send implements Transport.
func (Unset) Send(context.Context, Message) error { return errUnset }

// Check implements Transport.
func (Unset) Check(context.Context, Message) error { return errUnset }

// String implements Transport.
func (Unset) String() string { return "none" }
