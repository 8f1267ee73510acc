package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// address is where something is published: scheme, host with a port unless it is
// the scheme's own, and a path without a final slash.
type address struct{ scheme, host, path string }

func (a address) String() string {
	if a == (address{}) {
		return ""
	}
	return a.scheme + "://" + a.host + a.path
}

// origin is the address as the browser pages at it tell their origin.
func (a address) origin() string { return address{a.scheme, a.host, ""}.String() }

// withHost is the same scheme and port on another host.
func (a address) withHost(host string) string {
	if _, port, err := net.SplitHostPort(a.host); err == nil {
		host += ":" + port
	}
	return a.scheme + "://" + host
}

// port is the port, unless it is the scheme's own.
func (a address) port() string { return (&url.URL{Host: a.host}).Port() }

// isLoopback reports whether the address can be reached from this machine alone.
func (a address) isLoopback() bool {
	host := (&url.URL{Host: a.host}).Hostname()
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761 6.3
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// parseAddress reads an address as browsers write it: lower case, without the
// scheme's own port. The routes stand at fixed paths, so the base address has no
// path; the workspace application's may.
func parseAddress(text string, withPath bool) (address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || defaultPorts[u.Scheme] == "" {
		return address{}, fmt.Errorf("%q is not an address such as https://desk.example.org", text)
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" || (path != "" && !withPath) {
		return address{}, fmt.Errorf("%q must be scheme and host alone, such as https://%s", text, u.Host)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), defaultPorts[u.Scheme])
	return address{u.Scheme, host, path}, nil
}

func parseOrigins(texts []string) ([]string, error) {
	var origins []string
	for _, text := range nonEmpty(texts) {
		origin, err := parseAddress(text, false)
		if err != nil {
			return nil, err
		}
		origins = append(origins, origin.String())
	}
	return origins, nil
}

func nonEmpty(texts []string) []string {
	var kept []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}
