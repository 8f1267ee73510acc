package conform

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"
)

// loopbackAddress returns the nth address of 127.16.0.0/12: each client of a run on
// loopback has its own.
func loopbackAddress(n uint32) net.IP { return net.IPv4(127, byte(16+n>>16&15), byte(n>>8), byte(n)) }

// target is the address to dial and the behaviour that it requires.
type target struct {
	address string
	tls     bool
	roots   *x509.CertPool // nil: the system's
	polite  bool
	mode    string
}

// Modes of a run, as the report prints them.
const (
	modeLoopback = "loopback: a client address of its own for each check"
	modeRemote   = "polite: the target is not on loopback, so one request at a time and within the limits"
	modeAsked    = "polite, as requested: one request at a time and within the limits"
	modeBound    = "polite: this machine has no further loopback addresses, so one request at a time and within the limits"
)

// locate resolves a target and finds out whether it can be called from many addresses.
func locate(ctx context.Context, base *url.URL) (target, error) {
	t := target{tls: base.Scheme == "https", polite: true, mode: modeRemote}
	port := base.Port()
	if port == "" {
		port = map[bool]string{true: "443", false: "80"}[t.tls]
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", base.Hostname())
	if err != nil {
		return t, err
	}
	t.address = net.JoinHostPort(addresses[0].Unmap().String(), port)
	for _, address := range addresses {
		address = address.Unmap()
		if !address.Is4() || !address.IsLoopback() {
			continue
		}
		t.address, t.mode = net.JoinHostPort(address.String(), port), modeBound
		if canBind(ctx, t.address) {
			t.polite, t.mode = false, modeLoopback
		}
		break
	}
	return t, nil
}

// canBind reports whether the system has further loopback addresses.
func canBind(ctx context.Context, address string) bool {
	conn, err := dial(ctx, target{address: address}, "", loopbackAddress(rand.Uint32()))
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

const dialTimeout = 5 * time.Second

// dial connects to a target as a client.
func dial(ctx context.Context, to target, host string, from net.IP) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	if from != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: from}
	}
	if !to.tls {
		return dialer.DialContext(ctx, "tcp", to.address)
	}
	secure := tls.Dialer{NetDialer: &dialer, Config: &tls.Config{
		ServerName: host, RootCAs: to.roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
	}}
	return secure.DialContext(ctx, "tcp", to.address)
}

// parseTarget reads the address of a service.
func parseTarget(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, &UsageError{"the address of the service is not a URL"}
	case base.Scheme != "http" && base.Scheme != "https", base.Hostname() == "":
		return nil, &UsageError{"the address of the service must begin with http:// or https:// and name a host"}
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, &UsageError{"the address of the service must have no user, no ? and no #"}
	}
	base.Path = strings.TrimRight(base.Path, "/")
	return base, nil
}

// wait sleeps until d has passed or the context ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return fmt.Errorf("interrupted: %w", ctx.Err())
	}
}
