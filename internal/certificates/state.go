package certificates

import (
	"crypto/x509"
	"errors"
	"net"
	"time"

	"github.com/mholt/acmez/v3/acme"
)

// State is how the certificate of a domain is.
type State struct {
	Domain     string
	Start, End time.Time // zero without a certificate
	Err        error     // of the last try to get one, or why it is not for the domain
	Own        bool      // it is the owner's own file
}

// notice is how long before its end the owner is told of a certificate, or a quarter of its lifetime if that is
// shorter. One that is renewed was replaced long before.
const notice = 14 * 24 * time.Hour

// IsEnding reports whether the certificate ends soon, or has ended.
func (s State) IsEnding(now time.Time) bool { return !s.End.IsZero() && now.After(s.noticeAt()) }

func (s State) noticeAt() time.Time { return s.End.Add(-min(notice, s.End.Sub(s.Start)/4)) }

// Hint is what to do about the certificate.
func (s State) Hint() string {
	switch {
	case s.Own && s.Err != nil:
		return "Set FRONTDESK_TLS_CERT to a certificate for all domains."
	case s.Own:
		return "Replace the files of FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY; they are read again by themselves."
	case s.Err != nil:
		return Hint(s.Err)
	}
	return "The service is getting one; frontdesk doctor tries what that needs."
}

// hints are what to do about the problems that an authority reports (RFC 8555, 6.7).
var hints = map[string]string{
	acme.ProblemTypeRateLimited: "The certificate authority has had too many requests for this name. The service waits and tries again; do not restart it for that. FRONTDESK_ACME_CA can name another authority.",
	acme.ProblemTypeDNS:         "The name is not in the DNS. Add an A or AAAA record with the public address of this machine.",
	acme.ProblemTypeCAA:         "A CAA record in the DNS of the domain forbids this certificate authority. Change it, or set FRONTDESK_ACME_CA.",
}

// Hints about everything else.
const (
	hintReach = "The certificate authority does not find this service under the name. The DNS record must be the public address of this machine, and the firewall or router must let ports 80 and 443 through."
	hintClock = "The certificate of the authority is not valid at this time. Set the clock of this machine."
	hintDown  = "The certificate authority does not answer. The service tries again by itself. If this lasts, look at the connection of this machine to the internet, or set FRONTDESK_ACME_CA."
	hintOther = "See the error. frontdesk doctor tries what a certificate needs."
)

// Hint is what to do about an error of a request to the authority.
func Hint(err error) string {
	if problem, ok := errors.AsType[acme.Problem](err); ok {
		if known := hints[problem.Type]; known != "" {
			return known
		}
		switch problem.Type {
		case acme.ProblemTypeConnection, acme.ProblemTypeUnauthorized, acme.ProblemTypeTLS, acme.ProblemTypeIncorrectResponse:
			return hintReach
		case acme.ProblemTypeServerInternal:
			return hintDown
		}
		return hintOther
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return hintClock
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return hintDown
	}
	return hintOther
}
