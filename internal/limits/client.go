package limits

import (
	"context"
	"net/netip"
)

// prefixIPv6 is the length of the IPv6 prefix that counts as one client: a single
// customer usually has a whole /64 (decisions).
const prefixIPv6 = 64

// Client is what a limit counts: one IPv4 address, or one IPv6 /64. In a Pool it is the
// person whom the assistant names, or else the whole pool. The zero value stands for all
// callers whose address is unknown; they share one limit.
type Client struct {
	addr   netip.Addr
	pool   *Pool    // nil for none
	person [16]byte // a hash of the name; zero for none
	exempt bool     // from the limits that have pools
}

// ClientOf returns the client at an address. An IPv4 address written as IPv6 is the
// IPv4 client, and zones do not distinguish clients.
func ClientOf(addr netip.Addr) Client {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		prefix, _ := addr.Prefix(prefixIPv6) // fails only beyond 128
		addr = prefix.Addr()
	}
	return Client{addr: addr}
}

// String is the first address of the client. It must not be logged.
func (c Client) String() string { return c.addr.String() }

// Network is the network that a client is in, as the caps of a day count it: an IPv4
// /24, an IPv6 /48, or a pool. It must not be logged.
func (c Client) Network() string {
	if c.pool != nil {
		return c.pool.Name
	}
	bits := 24
	if c.addr.Is6() {
		bits = 48
	}
	prefix, _ := c.addr.Prefix(bits) // likewise
	if !prefix.IsValid() {
		return "unknown"
	}
	return prefix.String()
}

// Account is the client as the cap of one client in a day counts it: its address, or its
// pool. It must not be logged.
func (c Client) Account() string {
	if c.pool != nil {
		return c.pool.Name
	}
	return c.String()
}

// isNamed reports whether an assistant names the person.
func (c Client) isNamed() bool { return c.person != [16]byte{} }

// Key is the client's name in memory, that of a person if one is named. It must be
// neither stored nor logged.
func (c Client) Key() string {
	if c.isNamed() {
		return "person " + string(c.person[:])
	}
	bytes := c.addr.As16()
	return string(bytes[:])
}

type clientKey struct{}

// WithClient returns a context that carries the client of a request.
func WithClient(ctx context.Context, client Client) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientFrom returns the client of the request that ctx belongs to, or the zero
// client.
func ClientFrom(ctx context.Context) Client {
	client, _ := ctx.Value(clientKey{}).(Client)
	return client
}
