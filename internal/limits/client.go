package limits

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	_ "embed" // the published ranges
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"frontdesk/contract"
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

// Network returns the key of daily caps that hold for a client's network: an IPv4 /24, an
// IPv6 /48, or a pool. It must not be logged.
func (c Client) Network() string {
	if c.pool != nil {
		return c.pool.Name
	}
	bits := 24
	if c.addr.Is6() {
		bits = 48
	}
	prefix, _ := c.addr.Prefix(bits) // invalid without an address
	if !prefix.IsValid() {
		return "unknown"
	}
	return prefix.String()
}

// Account returns the key of caps that hold for one client in a day: its address, or its pool.
// It must not be logged.
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

// hosted has the ranges of each hosted assistant, one line for each.
//
//go:embed hosted.txt
var hosted string

// namingAssistant is the assistant that names the person for whom it calls a tool.
const namingAssistant = "openai"

// presets returns the ranges of hosted.txt by the name of their assistant.
func presets() map[string][]string {
	ranges := map[string][]string{}
	for line := range strings.Lines(hosted) {
		if words := strings.Fields(line); words[0] != "#" {
			ranges[words[0]] = words[1:]
		}
	}
	return ranges
}

// PresetPools are the names of the assistants whose published ranges are known.
func PresetPools() []string { return slices.Sorted(maps.Keys(presets())) }

// Pool is a set of addresses from which many people come.
type Pool struct {
	Name     string
	Prefixes []netip.Prefix

	secret []byte // hashes the names of its people; empty where no name is believed
}

// ParsePool reads a range of addresses, the name of an assistant for its published ranges, or NAME=RANGE for another
// range of an assistant.
func ParsePool(text string) (Pool, error) {
	if prefix, err := ParsePrefix(text); err == nil {
		return Pool{Name: prefix.String(), Prefixes: []netip.Prefix{prefix}}, nil
	}
	name, own, isRange := strings.Cut(text, "=")
	ranges, isKnown := presets()[name]
	if !isKnown {
		return Pool{}, fmt.Errorf("%q is neither one of %s nor an address range such as 10.0.0.0/8", text,
			strings.Join(PresetPools(), ", "))
	}
	if isRange {
		ranges = []string{own}
	}
	pool := Pool{Name: name}
	for _, text := range ranges {
		prefix, err := ParsePrefix(text)
		if err != nil {
			return Pool{}, err
		}
		pool.Prefixes = append(pool.Prefixes, prefix)
	}
	return pool, nil
}

// ParsePrefix reads a range of addresses, or one address. A range of IPv4 addresses
// written as IPv6 is the IPv4 range.
func ParsePrefix(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
		prefix, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not an address or a range such as 10.0.0.7 or 10.0.0.0/8", text)
	}
	if bits := prefix.Bits() - 96; prefix.Addr().Is4In6() && bits >= 0 {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), bits)
	}
	return prefix.Masked(), nil
}

// Pools finds the clients that share a pool, and those without a limit. Nil has neither.
type Pools struct {
	ranges map[netip.Prefix]*Pool // nil for clients without a limit
	bits   []int                  // the lengths of these prefixes, the longest first
}

// NewPools puts pools and the ranges without a limit together. Of nested ranges the
// narrower one holds; of equal ones the one without a limit. Pools with one name are one
// pool. The names of people are hashed with the secret.
func NewPools(pools []Pool, exempt []netip.Prefix, secret []byte) *Pools {
	p, named := &Pools{ranges: map[netip.Prefix]*Pool{}}, map[string]*Pool{}
	for _, pool := range pools {
		if pool.Name == namingAssistant {
			pool.secret = secret
		}
		if named[pool.Name] == nil {
			named[pool.Name] = &pool
		}
		for _, prefix := range pool.Prefixes {
			p.ranges[prefix.Masked()] = named[pool.Name]
		}
	}
	for _, prefix := range exempt {
		p.ranges[prefix.Masked()] = nil
	}
	lengths := map[int]bool{}
	for prefix := range p.ranges {
		lengths[prefix.Bits()] = true
	}
	p.bits = slices.SortedFunc(maps.Keys(lengths), func(a, b int) int { return b - a })
	return p
}

// ClientOf returns the client at an address, in its pool if it is in one.
func (p *Pools) ClientOf(addr netip.Addr) Client {
	client := ClientOf(addr)
	if p == nil {
		return client
	}
	for _, bits := range p.bits {
		prefix, err := addr.Unmap().Prefix(bits) // fails for the length of an IPv6 prefix at an IPv4 address
		if pool, found := p.ranges[prefix]; found && err == nil {
			client.pool, client.exempt = pool, pool == nil
			break
		}
	}
	return client
}

// WithPerson returns the context of a call that an assistant makes for a person. Only in
// the pool of an assistant that names its people is the name believed; elsewhere, and
// where it is empty or too long, the client stays what it is.
func WithPerson(ctx context.Context, name string) context.Context {
	client := ClientFrom(ctx)
	if client.pool == nil || len(client.pool.secret) == 0 || name == "" || len(name) > contract.MaxSubject {
		return ctx
	}
	mac := hmac.New(sha256.New, client.pool.secret)
	mac.Write([]byte(name))
	copy(client.person[:], mac.Sum(nil))
	return WithClient(ctx, client)
}
