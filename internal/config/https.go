package config

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"frontdesk/mailer"
)

// IsOn reports whether the service answers HTTPS by itself.
func (a Addresses) IsOn() bool {
	return slices.ContainsFunc(a.Domain, func(name string) bool { return strings.TrimSpace(name) != "" })
}

// Published returns the addresses of the service and of the workspace application, empty
// without one. The error names each setting that is wrong.
func (a Addresses) Published() (base, app string, err error) {
	wrong := faults{}
	wrong.settle(&a)
	at, _ := a.base(wrong)
	return at.String(), a.AppURL.value.String(), wrong.join()
}

// base returns the base address, empty if only the port decides it, and the domains.
func (a Addresses) base(wrong faults) (base address, domains []string) {
	base = a.BaseURL.value.address
	domains = parseEach(wrong, "FRONTDESK_DOMAIN", a.Domain, parseDomain)
	switch {
	case len(domains) == 0:
	case a.BaseURL.Text == "":
		base = address{"https", domains[0], ""}
	case base.scheme != "https" || base.hostname() != domains[0]:
		wrong.add("FRONTDESK_BASE_URL", fmt.Errorf("%q must be https://%s, the first domain, or be left out", a.BaseURL, domains[0]))
	}
	return base, domains
}

// https fills in the name of the owner's pages, and checks what comes with the domains.
func (s Settings) https(service *Service, wrong faults) {
	needsDomain := func(name, value string) {
		if value != "" && !s.IsOn() {
			wrong.add(name, errors.New("needs FRONTDESK_DOMAIN: without it the service answers only HTTP"))
		}
	}
	needsDomain("FRONTDESK_HTTP_ADDR", s.HTTPAddr)
	needsDomain("FRONTDESK_TLS_CERT", s.TLSCert)
	needsDomain("FRONTDESK_TLS_KEY", s.TLSKey)
	needsDomain("FRONTDESK_OWNER_DOMAIN", s.OwnerDomain)
	if (s.TLSCert == "") != (s.TLSKey == "") {
		wrong.add("FRONTDESK_TLS_CERT", errors.New("and FRONTDESK_TLS_KEY belong together: set both or none"))
	}
	if at, err := parseAddress(s.ACMECA, true); err != nil || at.scheme != "https" {
		wrong.add("FRONTDESK_ACME_CA", fmt.Errorf("%q is not an https address of an ACME directory", s.ACMECA))
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
		err = errors.New("must be another name than those of FRONTDESK_DOMAIN, because only the owner's pages are there")
	}
	wrong.add("FRONTDESK_OWNER_DOMAIN", err)
	service.OwnerDomain = name
}

// parseDomain reads a name of a machine, in the form that the DNS has.
func parseDomain(text string) (string, error) {
	name, err := idna.Lookup.ToASCII(text)
	_, notIP := netip.ParseAddr(name)
	if at, wrong := parseAddress("https://"+name, false); err != nil || wrong != nil || notIP == nil || at.hostname() != name || at.port() != "" {
		return "", fmt.Errorf("%q is not a name such as desk.example.org", text)
	}
	return name, nil
}
