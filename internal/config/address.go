package config

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"frontdesk/contract"
)

// address is a public address: scheme, host (with a port unless it is the scheme's
// default), and a path without a final slash.
type address struct{ scheme, host, path string }

func (a address) String() string {
	if a == (address{}) {
		return ""
	}
	return a.scheme + "://" + a.host + a.path
}

// origin is the Origin header that browsers send for pages at this address.
func (a address) origin() string { return address{a.scheme, a.host, ""}.String() }

// withHost returns the origin with another host and the same port.
func (a address) withHost(host string) string {
	if _, port, err := net.SplitHostPort(a.host); err == nil {
		host += ":" + port
	}
	return a.scheme + "://" + host
}

func (a address) hostname() string { return (&url.URL{Host: a.host}).Hostname() }

// parseAddress reads an address and normalizes it as browsers do: lower case, the name in
// ASCII, without the scheme's default port; and without the final dot of a name, which no
// TLS client sends. An IPv6 zone (%) means something on one machine only, and is refused. The
// base address has no path, because the routes have fixed paths; the address of the workspace
// application may have one.
func parseAddress(text string, withPath bool) (address, error) {
	u, err := url.Parse(text)
	if err == nil {
		_, err = net.LookupPort("tcp", u.Port())
	}
	if err != nil || strings.Contains("."+strings.TrimSuffix(u.Hostname(), ".")+".", "..") || // an empty label
		strings.HasSuffix(u.Host, ":") || strings.Contains(u.Host, "%") || u.Scheme != "http" && u.Scheme != "https" {
		return address{}, fmt.Errorf("%q is not an address such as https://desk.example.org", text)
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || (path != "" && !withPath) {
		only := "scheme and host"
		if withPath {
			only = "scheme, host and path"
		}
		return address{}, fmt.Errorf("%q must be only %s, such as https://%s", text, only, u.Host)
	}
	name, err := contract.ASCIIHost(strings.TrimSuffix(u.Hostname(), "."))
	if err != nil {
		return address{}, fmt.Errorf("%q has no name such as desk.example.org: %w", text, err)
	}
	host := strings.Replace(u.Host, u.Hostname(), name, 1)
	return address{u.Scheme, contract.Authority(host, u.Scheme), path}, nil
}

// origin is an address without a path.
type origin struct{ address }

func parseOrigin(text string) (string, error) {
	at, err := parseAddress(text, false)
	return at.String(), err
}

// parseEach reads the values of a list, but not its empty ones.
func parseEach[T any](wrong faults, name string, texts []string, parse func(string) (T, error)) (values []T) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			value, err := parse(text)
			wrong.add(name, err)
			if err == nil {
				values = append(values, value)
			}
		}
	}
	return values
}
