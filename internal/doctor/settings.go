package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"frontdesk/internal/config"
)

// settings finds what would stop the start, and variables that set nothing.
func (e *examination) settings(context.Context) Finding {
	_, levelErr := e.Settings.Level()
	_, formatErr := e.Settings.Console(false)
	if err := errors.Join(e.faulty, levelErr, formatErr); err != nil {
		return failed(joined(err), "frontdesk serve --help tells what each setting takes.")
	}
	if unknown := config.Unknown(e.Environ); len(unknown) > 0 {
		return warning("no such setting: "+strings.Join(unknown, ", "), "Misspelt? frontdesk serve --help lists every setting.")
	}
	return ok("%s", e.service.BaseURL)
}

// joined writes the faults of errors.Join in one line.
func joined(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// content finds what would stop the start in the content folder.
func (e *examination) content(context.Context) Finding {
	summary, warnings, err := e.Content()
	switch {
	case err != nil:
		return failed(joined(err), "frontdesk check tells each fault with file and line.")
	case e.Settings.Content == "":
		return warning("the embedded sample: "+summary, "frontdesk init DIR writes it to edit; then set FRONTDESK_CONTENT to that folder.")
	case warnings > 0:
		return warning(fmt.Sprintf("%s; warnings: %d", summary, warnings), "frontdesk check tells the warnings.")
	}
	return ok("%s", summary)
}

// widest are the shortest prefixes that can be a network of one's own proxies: all
// of 10.0.0.0/8, all of fd00::/8.
const (
	widestIPv4 = 8
	widestIPv6 = 8
)

// trustedProxies finds what would make the limits count the wrong client.
func (e *examination) trustedProxies(context.Context) Finding {
	const example = "name the addresses of the proxies alone, such as 127.0.0.1 or 10.0.0.7/32"
	for _, prefix := range e.service.TrustedProxies {
		if tooWide(prefix) {
			return failed(fmt.Sprintf("%s holds addresses of strangers: each could write itself another address and dodge the limits", prefix),
				"In FRONTDESK_TRUSTED_PROXIES "+example+".")
		}
	}
	switch {
	case len(e.service.TrustedProxies) > 0:
		return ok("%s", join(e.service.TrustedProxies))
	case strings.HasPrefix(e.service.BaseURL, "https:"):
		return warning("none, though the base address is https, which only a proxy in front of the service can answer: all callers share its limits",
			"Set FRONTDESK_TRUSTED_PROXIES: "+example+".")
	}
	return ok("none: each peer counts as the client")
}

func tooWide(prefix netip.Prefix) bool {
	if prefix.Addr().Is4() {
		return prefix.Bits() < widestIPv4
	}
	return prefix.Bits() < widestIPv6
}

func join[T fmt.Stringer](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.String()
	}
	return strings.Join(texts, ", ")
}

// port is the port of a listen address, which the default base address follows;
// zero where it has none.
func port(addr string) int {
	_, text, _ := net.SplitHostPort(addr)
	n, _ := strconv.Atoi(text)
	return n
}
