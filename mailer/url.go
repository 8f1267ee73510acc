package mailer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"frontdesk/contract"
)

// Sender delivers mails. It must be safe for concurrent use.
type Sender interface {
	// Send returns nil once the mail server has accepted the mail, or its file is on the
	// disk. Otherwise it returns an *Error, whose Outcome says whether the mail may have
	// arrived: only a Failed mail is retried automatically. Send must
	// return when ctx ends.
	Send(ctx context.Context, m Message) error
}

// Transport is a Sender of the settings. Its String is the destination without secrets.
type Transport interface {
	Sender
	// Check tries everything that precedes a mail between the addresses of m, and sends
	// none. Its error is an *Error, or nil.
	Check(ctx context.Context, m Message) error
	fmt.Stringer
}

// security is how a connection is encrypted: the scheme of its address with the option tls.
type security string

const (
	opportunistic security = "smtp"              // STARTTLS when the server offers it
	required      security = "smtp?tls=required" // STARTTLS or no mail
	none          security = "smtp?tls=none"     // never encrypted
	implicit      security = "smtps"             // TLS from the first byte (RFC 8314 3.3)
)

// standardPorts are those of mail submission by scheme (RFC 6409, RFC 8314).
var standardPorts = map[string]string{"smtp": "587", "smtps": "465"}

// Parse reads the address of a mail server (decisions, FRONTDESK_SMTP_URL):
//
//	smtp://user:pass@host:port    STARTTLS when offered; ?tls=required or ?tls=none
//	smtps://user:pass@host:port   TLS from the start
//	file:                         each mail an .eml file in the folder mail of dataDir
//
// Its errors say what to change and never show the address: a password with an
// unescaped character can end up in any part of it.
func Parse(rawURL, dataDir string) (Transport, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("not a valid address: in the user name and password write " +
			"@ : / ? # % as %40 %3A %2F %3F %23 %25, and give the port as a number")
	}
	switch u.Scheme {
	case "file":
		if rawURL != "file:" {
			return nil, errors.New(`"file:" takes no path: mails are kept in the folder mail of the data folder`)
		}
		return FolderOf(dataDir), nil
	case "smtp", "smtps":
		return parseSMTP(u)
	default:
		return nil, errors.New(`must begin with smtp:// or smtps://, or be "file:"`)
	}
}

func parseSMTP(u *url.URL) (*SMTP, error) {
	if (u.Path != "" && u.Path != "/") || u.Fragment != "" || u.Opaque != "" {
		return nil, errors.New("must be scheme://user:pass@host:port with nothing after it except ?tls=; " +
			"in a password write / as %2F and # as %23")
	}
	s := &SMTP{host: u.Hostname(), user: u.User.Username(), dial: (&net.Dialer{}).DialContext}
	if s.host == "" {
		return nil, errors.New("has no host: write smtp://host:port")
	}
	name, err := contract.ASCIIHost(s.host)
	if err != nil {
		return nil, errors.New("has a host that is no name such as mail.example.org")
	}
	s.host = name
	s.password, _ = u.User.Password()
	if (s.user == "") != (s.password == "") {
		return nil, errors.New("has a user name without a password, or a password without a user name")
	}
	s.security = security(strings.TrimSuffix(u.Scheme+"?"+u.RawQuery, "?"))
	if !slices.Contains([]security{opportunistic, required, none, implicit}, s.security) {
		return nil, errors.New("has an unknown option: after smtp://… there may be ?tls=required or ?tls=none, and after " +
			"smtps://…, which is always encrypted, nothing; in a password write ? as %3F")
	}
	port := cmp.Or(u.Port(), standardPorts[u.Scheme])
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, errors.New("has a port that is not a number from 1 to 65535")
	}
	s.address = net.JoinHostPort(s.host, port)
	if s.security == none && s.user != "" && !contract.IsLoopback(s.host) {
		return nil, errors.New("would send the password unencrypted: leave tls=none out, or the user name and password")
	}
	return s, nil
}

// String is the address without user name and password.
func (s *SMTP) String() string {
	scheme, option, found := strings.Cut(string(s.security), "?")
	address := scheme + "://" + s.address
	if found {
		address += "?" + option
	}
	return address
}
