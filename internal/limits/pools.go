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

// ParsePool reads the name of an assistant, which stands for its published ranges, or a
// range of addresses, or NAME=RANGE for another range of an assistant.
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
		return netip.Prefix{}, fmt.Errorf("%q is not an address range such as 10.0.0.0/8", text)
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
