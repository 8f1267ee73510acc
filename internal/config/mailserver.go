package config

import (
	"errors"
	"fmt"

	"frontdesk/mailer"
)

// MailServer is where mails go. serve and the command that resends a mail read it.
type MailServer struct {
	SMTPURL     string `name:"smtp-url" env:"FRONTDESK_SMTP_URL" placeholder:"URL" secret:"" help:"Mail server: smtp://user:pass@host:port (STARTTLS when offered; ?tls=required or ?tls=none), smtps://…, or file: to keep each mail as a file in the data folder. Default: file: while the base address is a loopback one."`
	SMTPURLFile string `name:"smtp-url-file" env:"FRONTDESK_SMTP_URL_FILE" placeholder:"FILE" help:"File that holds the mail server's URL, in place of --smtp-url."`
}

// Transport returns the mail server of a command that sends. It has no default: the
// command cannot know where a service without one keeps its mails. dir is the data
// folder.
func (m MailServer) Transport(dir string) (mailer.Transport, error) {
	target, name, err := m.address()
	if err == nil && target == "" {
		err = errors.New("is required to send a mail: set it as for frontdesk serve (file: if that keeps its mails as files)")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	transport, err := mailer.Parse(target, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return transport, nil
}

// address returns the setting and the name under which it was given.
func (m MailServer) address() (target, name string, err error) {
	return secret("FRONTDESK_SMTP_URL", m.SMTPURL, m.SMTPURLFile)
}
