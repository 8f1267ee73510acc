package mailer

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// Check logs in as Send does and leaves again: no mail is begun. from is the
// sender of the mails to come, whose domain is the name given to the server.
func (s *SMTP) Check(ctx context.Context, from string) error {
	sender, err := ParseAddress(from)
	if err != nil {
		return failed(stageMessage, err)
	}
	return s.connected(ctx, func(ctx context.Context, conn net.Conn) (*smtp.Client, *Error) {
		return s.open(ctx, conn, domain(sender.Address))
	})
}

// Check writes a file into the folder and takes it away. A folder that is not there
// is made with the first mail, and not before.
func (f *Folder) Check(context.Context, string) error {
	file, err := os.CreateTemp(f.dir, ".check-*")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = file.WriteString(time.Now().String())
		err = errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return failed(stageFile, err)
	}
	return nil
}

// hints are what the owner can do about a delivery that ends at a stage.
var hints = map[string]string{
	stageConnect:  "Check host and port in the address, and whether a firewall lets this machine out to them; mail is submitted at port 587 (smtp://) or 465 (smtps://).",
	stageTLS:      "smtps:// is TLS from the first byte, mostly at port 465, and asks for a valid certificate of that host name; at port 587 use smtp://.",
	stageGreeting: "What listens there does not speak SMTP first: a server at port 465 wants smtps://.",
	stageHello:    "The server refuses this machine, or the domain of the sender address.",
	stageStartTLS: "The server must offer STARTTLS with a valid certificate of its host name; ?tls=none sends unencrypted, on one's own network alone.",
	stageAuth:     "Check user name and password; many providers want a password made for programs. @ : / ? # % are written as %40 %3A %2F %3F %23 %25.",
	stageFile:     "The user that the service runs as must be able to write there, and the disk must not be full.",
}

// Hint is what the owner can do about it; empty where nothing can be said.
func (e *Error) Hint() string { return hints[e.Stage] }
