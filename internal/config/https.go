package config

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"frontdesk/contract"
	"frontdesk/internal/owner"
	"frontdesk/mailer"
)

// IsOn reports whether the service answers HTTPS by itself.
func (a Addresses) IsOn() bool {
	return slices.ContainsFunc(a.Domain, func(name string) bool { return strings.TrimSpace(name) != "" })
}

// CertifiedDomains returns the domains that need a certificate: the service's and that of the owner's pages.
func (s Service) CertifiedDomains() []string {
	names := slices.Clone(s.Domains)
	if s.OwnerDomain != "" {
		names = append(names, s.OwnerDomain)
	}
	return names
}

// Published returns the addresses of the service and of the workspace application, empty
// without one. The error names each setting that is wrong.
func (a Addresses) Published() (base, app string, err error) {
	wrong := faults{}
	wrong.settle(&a)
	at, _ := a.base(wrong)
	return at.String(), a.AppURL.Value.String(), wrong.join()
}

// base returns the base address, empty if only the port decides it, and the domains.
func (a Addresses) base(wrong faults) (base address, domains []string) {
	base = a.BaseURL.Value.address
	domains = parseEach(wrong, "FRONTDESK_DOMAIN", a.Domain, parseDomain)
	switch {
	case len(domains) == 0:
	case a.BaseURL.Text == "":
		base = address{"https", domains[0], ""}
	case base.scheme != "https" || base.hostname() != domains[0]:
		wrong.addf("FRONTDESK_BASE_URL",
			"%q must be https://%s, the first domain, or be left out", a.BaseURL, domains[0])
	}
	return base, domains
}

// https fills in the name of the owner's pages, and checks what comes with the domains.
func (s Settings) https(service *Service, wrong faults) {
	for name, value := range map[string]string{
		"FRONTDESK_HTTP_ADDR": s.HTTPAddr, "FRONTDESK_OWNER_DOMAIN": s.OwnerDomain,
		"FRONTDESK_TLS_CERT": s.TLSCert, "FRONTDESK_TLS_KEY": s.TLSKey,
	} {
		if value != "" && !s.IsOn() {
			wrong.addf(name, "needs FRONTDESK_DOMAIN: without it the service answers only HTTP")
		}
	}
	if (s.TLSCert == "") != (s.TLSKey == "") {
		wrong.addf("FRONTDESK_TLS_CERT", "and FRONTDESK_TLS_KEY belong together: set both or none")
	} else if s.TLSCert != "" {
		if _, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey); err != nil {
			wrong.addf("FRONTDESK_TLS_CERT", "cannot be used with FRONTDESK_TLS_KEY: %v", err)
		}
	}
	if at, err := parseAddress(s.ACMECA, true); err != nil || at.scheme != "https" {
		wrong.addf("FRONTDESK_ACME_CA", "%q is not an https address of an ACME directory", s.ACMECA)
	}
	if s.ACMEEmail != "" {
		_, err := mailer.ParseAddress(s.ACMEEmail)
		wrong.add("FRONTDESK_ACME_EMAIL", err)
	}
	if s.OwnerDomain == "" {
		return
	}
	name, err := parseDomain(s.OwnerDomain)
	if slices.Contains(service.Domains, name) {
		err = errors.New("must differ from the names in FRONTDESK_DOMAIN, because it has only the owner's pages")
	}
	wrong.add("FRONTDESK_OWNER_DOMAIN", err)
	service.OwnerDomain = name
}

// parseDomain reads a name of a machine, in the form that the DNS has.
func parseDomain(text string) (string, error) {
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(text, "."))
	_, notIP := netip.ParseAddr(name)
	if at, wrong := parseAddress("https://"+name, false); err != nil || wrong != nil || notIP == nil ||
		at.hostname() != name { // the name has a port
		return "", fmt.Errorf("%q is not a name such as desk.example.org", text)
	}
	return name, nil
}

// minAdminToken is the fewest characters of the token: fewer could be guessed.
const minAdminToken = 16

// ownerPages fills in the address of the owner's pages and the token that opens them,
// which is required when other machines can reach the admin address.
func (s Settings) ownerPages(service *Service, base address, wrong faults) {
	at := s.OwnerURL.Value
	switch {
	case s.OwnerURL.Text == "" && service.OwnerDomain != "":
		service.OwnerURL = base.withHost(service.OwnerDomain) + owner.Path
	case s.OwnerURL.Text == "":
		service.OwnerURL = OwnerURLAt(s.AdminAddr)
	case at.path+"/" != owner.Path:
		wrong.addf("FRONTDESK_OWNER_URL",
			"%q must end with %s right behind the host: the pages are at that path", s.OwnerURL, owner.Path)
	default:
		service.OwnerURL = at.String() + "/"
	}
	const example = "Set it to a random text of at least %d characters, such as the output of openssl rand -hex 24"
	token, name := wrong.secret("FRONTDESK_ADMIN_TOKEN", s.AdminToken, s.AdminTokenFile)
	switch {
	case token == "" && s.AdminAddr != "" && wrong["FRONTDESK_ADMIN_ADDR"] == nil && !isLoopbackAddr(s.AdminAddr):
		wrong.addf(name, "is required while FRONTDESK_ADMIN_ADDR is %s: other machines may reach the owner's "+
			"pages there. "+
			example, s.AdminAddr, minAdminToken)
	case token == "" && service.OwnerDomain != "":
		wrong.addf(name, "is required with FRONTDESK_OWNER_DOMAIN. "+example, minAdminToken)
	case token != "" && utf8.RuneCountInString(token) < minAdminToken:
		wrong.addf(name, "is shorter than %d characters and could be guessed", minAdminToken)
	case !isHeaderText(token):
		// it is a secret, so it is not shown
		wrong.addf(name, "holds a character that cannot be sent as a bearer token")
	}
	service.AdminToken = token
}

// isLoopbackAddr reports whether only this machine can reach an address to listen on. It is
// false for host names other than localhost, because they may name any machine.
func isLoopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && host != "" && contract.IsLoopback(host)
}

// OwnerURLAt is the address of the owner's pages on this machine, or on the host that an
// admin address names. It is empty without an admin address, and for one without a
// port, which does not start.
func OwnerURLAt(adminAddr string) string {
	host, port, err := net.SplitHostPort(adminAddr)
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + owner.Path
}
