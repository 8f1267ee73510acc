package conform

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// loopbackAddress returns the nth address of 127.16.0.0/12: each client of a run on
// loopback has its own.
func loopbackAddress(n uint32) net.IP { return net.IPv4(127, byte(16+n>>16&15), byte(n>>8), byte(n)) }

// target is the address to dial and the behaviour that it requires.
type target struct {
	address string
	tls     *tls.Config // nil without https
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
func locate(ctx context.Context, base *url.URL, options Options) (target, error) {
	t := target{polite: true, mode: modeRemote}
	if base.Scheme == "https" {
		t.tls = &tls.Config{ServerName: base.Hostname(), RootCAs: options.RootCAs, MinVersion: tls.VersionTLS12,
			NextProtos: []string{"http/1.1"}}
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", base.Hostname())
	if err != nil {
		return t, err
	}
	own := slices.IndexFunc(addresses, func(address netip.Addr) bool {
		return address.Unmap().Is4() && address.Unmap().IsLoopback()
	})
	t.address = net.JoinHostPort(addresses[max(own, 0)].Unmap().String(), cmp.Or(base.Port(), base.Scheme))
	if own < 0 {
		return t, nil
	}
	// Not every system has further loopback addresses.
	if conn, err := (target{address: t.address}).dial(ctx, loopbackAddress(rand.Uint32())); err != nil {
		t.mode = modeBound
	} else if _ = conn.Close(); options.Polite {
		t.mode = modeAsked
	} else {
		t.polite, t.mode = false, modeLoopback
	}
	return t, nil
}

const dialTimeout = 5 * time.Second

// dial connects to a target as a client.
func (t target) dial(ctx context.Context, from net.IP) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	if from != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: from}
	}
	if t.tls == nil {
		return dialer.DialContext(ctx, "tcp", t.address)
	}
	return (&tls.Dialer{NetDialer: &dialer, Config: t.tls}).DialContext(ctx, "tcp", t.address)
}

// parseTarget reads the address of a service.
func parseTarget(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		base.RawQuery != "" || base.ForceQuery || base.Fragment != "" {
		return nil, errors.New("the address of the service must begin with http:// or https://, name a host, and have no " +
			"user, no ? and no #")
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
		return ctx.Err()
	}
}
