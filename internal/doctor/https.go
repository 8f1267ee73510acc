package doctor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/internal/certificates"
)

const (
	noDomain = "FRONTDESK_DOMAIN is not set: a reverse proxy answers HTTPS"
	wrongCA  = "FRONTDESK_ACME_CA must be the address of an ACME directory."
)

// maxClockError is how wrong the clock may be: certificates begin an hour before they are issued.
const maxClockError = 10 * time.Minute

// domains looks the names up in the DNS.
func (e *examination) domains(ctx context.Context) Finding {
	names := e.service.CertifiedDomains()
	if len(names) == 0 {
		return skipped(noDomain)
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return failed(err.Error(), "The addresses of this machine cannot be read.")
	}
	var elsewhere []string
	for i, name := range names {
		found, err := net.DefaultResolver.LookupIPAddr(ctx, name)
		if err != nil {
			return failed(err.Error(), "Add an A or AAAA record for "+name+" with the public address of this machine.")
		}
		isHere := func(at net.IPAddr) bool {
			return slices.ContainsFunc(own, func(a net.Addr) bool { ip, ok := a.(*net.IPNet); return ok && ip.IP.Equal(at.IP) })
		}
		if !slices.ContainsFunc(found, isHere) {
			elsewhere = append(elsewhere, fmt.Sprintf("%s leads to %s", name, found[0].IP))
		}
		names[i] = bothForms(name)
	}
	if len(elsewhere) > 0 {
		return warning(strings.Join(elsewhere, ", ")+", which is no address of this machine",
			"That is right behind a router, or where a provider translates addresses: ports 80 and 443 must then arrive here. "+
				"Else correct the DNS record.")
	}
	return ok(strings.Join(names, ", "))
}

// certificates looks at the ends of the certificates, and asks their authority for its directory and the time.
func (e *examination) certificates(ctx context.Context) Finding {
	names, settings := e.service.CertifiedDomains(), e.Settings
	if len(names) == 0 {
		return skipped(noDomain)
	}
	states, err := certificates.Read(ctx, certificates.Config{
		Domains: names, Folder: filepath.Join(settings.Dir(), certificates.Folder), CA: settings.ACMECA,
		CertFile: settings.TLSCert, KeyFile: settings.TLSKey, Log: zerolog.Nop(),
	})
	if err != nil {
		return failed(err.Error(), "FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY must be PEM files that belong together and "+
			"that the user of the service can read.")
	}
	if settings.TLSCert == "" {
		if finding := e.authority(ctx); finding.Result != OK {
			return finding
		}
	}
	ends := make([]string, len(states))
	for i, state := range states {
		ends[i] = state.Domain + " until " + state.End.Format(time.DateOnly)
		switch {
		case state.Err != nil:
			return failed(state.Err.Error(), state.Hint())
		case state.End.IsZero():
			ends[i] = state.Domain + " has none yet; the service gets it"
		case time.Now().After(state.End):
			return failed("the certificate of "+state.Domain+" has ended on "+state.End.Format(time.DateOnly), state.Hint())
		case state.IsEnding(time.Now()):
			return warning("the certificate of "+ends[i]+" was not renewed", state.Hint())
		}
	}
	return ok(strings.Join(ends, ", "))
}

// authority fetches the directory of the certificate authority and compares the clocks.
func (e *examination) authority(ctx context.Context) Finding {
	ca := e.Settings.ACMECA
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, ca, nil) // an address, by the check of the settings
	response, err := e.client.Do(request)
	if err != nil {
		return failed(err.Error(), certificates.Hint(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return failed(ca+" is answered with "+response.Status, wrongCA)
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil && time.Since(date).Abs() > maxClockError {
		return failed(fmt.Sprintf("the clock is %v wrong, compared with %s", time.Since(date).Abs().Round(time.Second), ca),
			"Set the clock of this machine: certificates are valid between two times.")
	}
	return ok(ca + " answers")
}
