package mailer

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// Check connects and logs in as Send does, but begins no mail. from is the sender of
// later mails; its domain is the name that the server is given.
func (s *SMTP) Check(ctx context.Context, from string) error {
	sender, err := ParseAddress(from)
	if err != nil {
		return failed(stageMessage, err)
	}
	return s.connected(ctx, func(ctx context.Context, conn net.Conn) (*smtp.Client, *Error) {
		return s.open(ctx, conn, domain(sender.Address))
	})
}

// Check writes a file into the folder and deletes it. A missing folder is not an error:
// the first mail makes it.
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

// hints say what the owner can do about a delivery that failed at a stage.
var hints = map[string]string{
	stageConnect:  "Check host and port in the address, and whether a firewall blocks them for this machine; mail is submitted at port 587 (smtp://) or 465 (smtps://).",
	stageTLS:      "smtps:// is TLS from the first byte, mostly at port 465, and asks for a valid certificate of that host name; at port 587 use smtp://.",
	stageGreeting: "What listens there does not speak SMTP first: a server at port 465 wants smtps://.",
	stageHello:    "The server refuses this machine, or the domain of the sender address.",
	stageStartTLS: "The server must offer STARTTLS with a valid certificate of its host name; ?tls=none sends unencrypted, only for your own network.",
	stageAuth:     "Check user name and password; many providers need a password made for programs (an app password). @ : / ? # % are written as %40 %3A %2F %3F %23 %25.",
	stageFile:     "The user that the service runs as must be able to write there, and the disk must not be full.",
}

// Hint says what the owner can do about the failure; it is empty for stages without one.
func (e *Error) Hint() string { return hints[e.Stage] }
