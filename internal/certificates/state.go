package certificates

import (
	"cmp"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"time"

	"github.com/mholt/acmez/v3/acme"

	"frontdesk/internal/i18n"
)

// State is how the certificate of a domain is.
type State struct {
	Domain     string
	Start, End time.Time // zero without a certificate
	Err        error     // of the last attempt to get one, or why it is not for the domain
	Own        bool      // it is the owner's own file
}

// notice is how long before its end the owner is told of a certificate, or a quarter of its lifetime if that is
// shorter. One that is renewed was replaced long before.
const notice = 14 * 24 * time.Hour

// IsEnding reports whether the certificate ends soon, or has ended.
func (s State) IsEnding(now time.Time) bool { return !s.End.IsZero() && now.After(s.noticeAt()) }

func (s State) noticeAt() time.Time { return s.End.Add(-min(notice, s.End.Sub(s.Start)/4)) }

// Advice returns what to do about the certificate, as a message key without adviceKeys.
func (s State) Advice() string {
	switch {
	case s.Own && s.Err != nil:
		return "owndomains"
	case s.Own:
		return "ownfiles"
	case s.Err != nil:
		return advice(s.Err)
	}
	return "waiting"
}

// adviceKeys is the prefix of the messages that say what to do.
const adviceKeys = "owner.certificate."

// hints are the messages in the language of logs and commands.
var hints = i18n.For("en")

// Hint returns the advice in words.
func (s State) Hint() string { return hints.Text(adviceKeys + s.Advice()) }

// Hint returns what to do about an error of a request to the authority.
func Hint(err error) string { return hints.Text(adviceKeys + advice(err)) }

// problemAdvice is the advice on each problem that an authority reports (RFC 8555, 6.7).
var problemAdvice = map[string]string{
	acme.ProblemTypeRateLimited: "limited", acme.ProblemTypeDNS: "dns", acme.ProblemTypeCAA: "caa",
	acme.ProblemTypeConnection: "reach", acme.ProblemTypeUnauthorized: "reach", acme.ProblemTypeTLS: "reach",
	acme.ProblemTypeIncorrectResponse: "reach",
	acme.ProblemTypeServerInternal:    "down",
}

func advice(err error) string {
	if problem, ok := errors.AsType[acme.Problem](err); ok {
		return cmp.Or(problemAdvice[problem.Type], "other")
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired {
		return "clock"
	}
	if _, isFile := errors.AsType[*fs.PathError](err); isFile { // which is a net.Error too
		return "other"
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return "down"
	}
	return "other"
}
