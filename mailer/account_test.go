package mailer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"frontdesk/internal/expect"
)

func TestKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.Same(t, "a folder without an account", Kept{}, expect.Value(ReadKept(dir))(t))
	kept := Kept{Server: "smtp://desk:p%26w@mail.example:2525?tls=required", From: "Desk <desk@example.org>", To: "a@example.org, b@example.org"}
	expect.OK(t, kept.Write(dir))
	expect.Same(t, "read again", kept, expect.Value(ReadKept(dir))(t))
	file := filepath.Join(dir, AccountFile)
	expect.Same(t, "the file has mode", 0o600, expect.Value(os.Stat(file))(t).Mode())
	account := expect.Value(kept.Account())(t)
	expect.Same(t, "the server without its password", "smtp://mail.example:2525?tls=required", account.String())
	for name, tt := range map[string]struct{ text, want string }{
		"no JSON":    {"{", "unexpected end"},
		"no server":  {`{"from":"a@example.org","to":"a@example.org"}`, "server: "},
		"files":      {`{"server":"file:","from":"a@example.org","to":"a@example.org"}`, "server: "},
		"sender":     {`{"server":"smtp://mail.example","from":"desk","to":"a@example.org"}`, "from: "},
		"recipients": {`{"server":"smtp://mail.example","from":"a@example.org","to":"owner"}`, "to: "},
	} {
		expect.Write(t, file, tt.text)
		expect.Holds(t, name, fmt.Sprint(expect.ErrorOf(ReadKept(dir))), AccountFile, tt.want)
	}
}

type outbox struct {
	Unset
	sent []Message
}

func (o *outbox) Send(_ context.Context, m Message) error {
	o.sent = append(o.sent, m)
	return nil
}

// A stored mail gets the addresses of the account. Without any it keeps its own.
func TestCurrent(t *testing.T) {
	t.Parallel()
	none := Account{Transport: Unset{}}.OrNobody()
	c := NewCurrent(none)
	expect.Same(t, "without a server", "mail failed at set-up: no mail server is set up", c.Send(t.Context(), Message{}).Error())
	if none.IsSet() || none.KeepsFiles() || !ReachesNoOne(none.To) {
		t.Errorf("an account without a server: %+v", none)
	}
	server := &outbox{}
	for _, half := range []Account{{server, none.From, "owner@example.org"}, {server, "desk@example.org", none.To}} {
		c.Set(half)
		expect.Error(t, "half an account", c.Send(t.Context(), Message{From: none.From, To: none.To}), errNobody)
	}
	set := Account{server, "desk@example.org", "owner@example.org"}
	c.Set(set)
	expect.OK(t, c.Send(t.Context(), Message{ID: "1", From: set.From, To: set.To}))
	expect.Same(t, "the mails", []Message{{ID: "1", From: set.From, To: set.To}}, server.sent)
	for account, want := range map[Account]string{set: set.From + set.To, none: ""} {
		from, to := account.Addresses()
		expect.Same(t, "the addresses", want, from+to)
	}
}
