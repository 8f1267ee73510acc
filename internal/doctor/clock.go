package doctor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxDrift is how far the clock may be from that of others: signatures are made a
// few seconds back, and mails and limits need not be better.
const maxDrift = 30 * time.Second

// clock compares this machine's clock with the Date of answers from elsewhere
// (RFC 9110 6.6.1). Answers of this machine itself would show nothing.
func (e *examination) clock(ctx context.Context) Finding {
	for _, address := range e.elsewhere() {
		theirs, err := e.dateAt(ctx, address)
		if err != nil {
			continue // its own check tells why
		}
		drift := e.now().Sub(theirs).Abs()
		if drift > maxDrift {
			return warning(fmt.Sprintf("differs from that of %s by %v", address, drift.Round(time.Second)),
				"Set the clock by NTP (timedatectl set-ntp true): signatures that seem to come from the future or the past are refused.")
		}
		return ok("agrees with that of %s to within %v", address, max(drift.Round(time.Second), time.Second))
	}
	return skipped("nobody elsewhere has answered to compare it with")
}

// elsewhere lists addresses on other machines that the settings lead to.
func (e *examination) elsewhere() []string {
	var addresses []string
	// The base address last: its proxy may well be on this machine.
	for _, address := range append([]string{e.service.Model.URL}, append(e.service.AgentDirectories, e.service.BaseURL)...) {
		if u, err := url.Parse(address); err == nil && u.Host != "" && !isLoopback(u.Hostname()) {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

func isLoopback(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}

func (e *examination) dateAt(ctx context.Context, address string) (time.Time, error) {
	response, err := e.get(ctx, address)
	if err != nil {
		return time.Time{}, err
	}
	_ = response.Body.Close()
	return http.ParseTime(response.Header.Get("Date"))
}
