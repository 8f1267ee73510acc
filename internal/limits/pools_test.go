package limits

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/expect"
)

const inOpenAI, inNetwork, inExempt = "203.0.113.9", "2001:db8:5::9", "198.51.100.7"

func testPools() *Pools {
	var pools []Pool
	for _, text := range []string{"openai=203.0.113.0/25", "openai=203.0.113.128/25", "2001:db8:5::/48", "anthropic"} {
		pool, err := ParsePool(text)
		if err != nil {
			panic(err)
		}
		pools = append(pools, pool)
	}
	return NewPools(pools, []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("2001:db8:5:1::/64"), netip.MustParsePrefix("203.0.113.200/32")}, []byte("secret"))
}

func named(t *testing.T, pools *Pools, addr, name string) context.Context {
	return WithPerson(WithClient(t.Context(), pools.ClientOf(netip.MustParseAddr(addr))), name)
}

func TestParsePool(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"10.1.2.3", "10.1.2.3/32 [10.1.2.3/32]"},
		{"10.1.2.3/8", "10.0.0.0/8 [10.0.0.0/8]"},
		{"::ffff:10.1.2.3/104", "10.0.0.0/8 [10.0.0.0/8]"},
		{"::ffff:10.1.2.3", "10.1.2.3/32 [10.1.2.3/32]"},
		{"::/0", "::/0 [::/0]"},
		{"2001:db8::1/32", "2001:db8::/32 [2001:db8::/32]"},
		{"openai=203.0.113.0/24", "openai [203.0.113.0/24]"},
		{"anthropic=2001:db8::/48", "anthropic [2001:db8::/48]"},
		{"anthropic", "anthropic [160.79.104.0/21 153.61.208.0/20]"},
	} {
		got := expect.Value(ParsePool(tt.text))(t)
		expect.Same(t, tt.text, tt.want, fmt.Sprint(got.Name, " ", got.Prefixes))
	}
	for _, text := range []string{"mistral", "mistral=10.0.0.0/8", "openai=", "openai=openai", "openai=10.0.0.0/33", "OpenAI", "10.0.0.0/8/8", "off", "#", ""} {
		if got, err := ParsePool(text); err == nil {
			t.Errorf("ParsePool(%q) = %v, want an error", text, got)
		}
	}
}

// No range is given twice, and no assistant has a large part of all addresses.
func TestPresets(t *testing.T) {
	t.Parallel()
	expect.Same(t, "names", []string{"anthropic", "openai"}, PresetPools())
	for _, name := range PresetPools() {
		pool := expect.Value(ParsePool(name))(t)
		for i, prefix := range pool.Prefixes {
			if prefix.Addr().Is4() && prefix.Bits() < 16 || !prefix.Addr().IsGlobalUnicast() || prefix.Addr().IsPrivate() {
				t.Errorf("%s: %v", name, prefix)
			}
			for _, other := range pool.Prefixes[:i] {
				if other.Overlaps(prefix) {
					t.Errorf("%s: %v and %v", name, other, prefix)
				}
			}
		}
	}
}

func FuzzParsePool(f *testing.F) {
	for _, seed := range []string{"openai", "openai=10.0.0.0/8", "::ffff:1.2.3.4/95", "fe80::1%eth0", "fe80::%x/10", "=", "1.2.3.4/-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pool, err := ParsePool(text)
		if err != nil {
			return
		}
		pools := NewPools([]Pool{pool}, nil, nil)
		for _, prefix := range pool.Prefixes {
			if client := pools.ClientOf(prefix.Addr()); !prefix.Addr().Is4In6() && client.pool == nil {
				t.Errorf("%q: %v is not in its pool", text, prefix.Addr())
			}
		}
	})
}

func TestPoolOfAddress(t *testing.T) {
	t.Parallel()
	pools := testPools()
	for _, tt := range []struct{ addr, want string }{
		{"203.0.113.9", "openai openai"},
		{"203.0.113.199", "openai openai"}, // the ranges of a name are one pool
		{"::ffff:203.0.113.9", "openai openai"},
		{"203.0.112.255", "203.0.112.0/24 203.0.112.255"},
		{"::ffff:192.0.2.7", "192.0.2.0/24 192.0.2.7"},
		{"203.0.114.0", "203.0.114.0/24 203.0.114.0"},
		{"160.79.111.255", "anthropic anthropic"},
		{"160.79.112.0", "160.79.112.0/24 160.79.112.0"},
		{"2001:db8:5::9", "2001:db8:5::/48 2001:db8:5::/48"},
		{"2001:db8:5::9%eth0", "2001:db8:5::/48 2001:db8:5::/48"},
		{"2001:db8:6::", "2001:db8:6::/48 2001:db8:6::"},
		{"198.51.100.7", "198.51.100.0/24 198.51.100.7 no limit"},
		{"203.0.113.200", "203.0.113.0/24 203.0.113.200 no limit"}, // the narrower range holds
		{"203.0.113.201", "openai openai"},
		{"2001:db8:5:1::1", "2001:db8:5::/48 2001:db8:5:1:: no limit"},
		{"2001:db8:5:2::1", "2001:db8:5::/48 2001:db8:5::/48"},
		{"0.0.0.0", "0.0.0.0/24 0.0.0.0"},
		{"ffff:ffff:ffff:1::1", "ffff:ffff:ffff::/48 ffff:ffff:ffff:1::"},
	} {
		client := pools.ClientOf(netip.MustParseAddr(tt.addr))
		got := client.Network() + " " + client.Account()
		if client.exempt {
			got += " no limit"
		}
		expect.Same(t, tt.addr, tt.want, got)
	}
	var none *Pools
	if got := pools.ClientOf(netip.Addr{}); got != (Client{}) || got.Network() != "unknown" || none.ClientOf(netip.MustParseAddr("10.0.0.1")) != client(1) {
		t.Errorf("no address: %+v, or a client without pools is another one", got)
	}
}

// A name counts only from the assistant that names its people.
func TestNames(t *testing.T) {
	t.Parallel()
	pools := testPools()
	key := func(addr, name string) string { return ClientFrom(named(t, pools, addr, name)).Key() }
	ada := key(inOpenAI, "ada")
	if strings.Contains(ada, "ada") || ada == key(inOpenAI, "") {
		t.Errorf("the key of a named person: %q", ada)
	}
	expect.Same(t, "one name at two addresses", ada, key("203.0.113.130", "ada"))
	if ada == key(inOpenAI, "grace") {
		t.Error("two names are one person")
	}
	for _, addr := range []string{"192.0.2.1", inNetwork, inExempt, "160.79.104.1", "203.0.113.200"} {
		expect.Same(t, "a name from "+addr, key(addr, ""), key(addr, "ada"))
	}
	expect.Same(t, "a name that is too long", key(inOpenAI, ""), key(inOpenAI, strings.Repeat("a", contract.MaxSubject+1)))
	if key(inOpenAI, strings.Repeat("a", contract.MaxSubject)) == key(inOpenAI, "") {
		t.Error("a name of the greatest length does not count")
	}
	other := NewPools([]Pool{{Name: "openai", Prefixes: []netip.Prefix{netip.MustParsePrefix(inOpenAI + "/32")}}}, nil, []byte("other"))
	if ClientFrom(named(t, other, inOpenAI, "ada")).Key() == ada {
		t.Error("the key of a person does not depend on the secret")
	}
}

// Each person of an assistant has its own requests, all together have those of the pool, and a refusal takes neither.
func TestPool(t *testing.T) {
	t.Parallel()
	for _, policy := range []contract.Policy{contract.AskPolicy, contract.ContactPolicy, contract.TrialPolicy} {
		expect.Bubble(t, policy.Name, func(t *testing.T) {
			limiter, pools, ofPool := New(policy, nil), testPools(), policy.OfPool()
			take := func(name string) Decision {
				return limiter.Take(named(t, pools, inOpenAI, name)).Decision
			}
			people := policy.Pool / policy.Quota
			for person := range people {
				for i := range policy.Quota {
					expect.Same(t, fmt.Sprint("request ", i, " of person ", person),
						allowed(policy, policy.Quota-1-i), take(fmt.Sprint(person)))
				}
				if person == 0 {
					expect.Same(t, "one past a person's own", refusedFor(policy, policy.Window), take("0"))
				}
				time.Sleep(time.Second)
			}
			passed := time.Duration(people) * time.Second
			full := refusedFor(ofPool, policy.Window-passed)
			expect.Same(t, "a new person when the pool is used up", full, take("new"))
			expect.Same(t, "a request that names no person", full, take(""))
			expect.Same(t, "both used up", refusedFor(policy, policy.Window-time.Second), take(fmt.Sprint(people-1)))
			time.Sleep(policy.Window - passed - time.Nanosecond)
			expect.Same(t, "a nanosecond early", refusedFor(ofPool, time.Second), take("new"))
			time.Sleep(time.Nanosecond)
			// As many places are free as person 0 had taken; neither refusal took one.
			expect.Same(t, "after waiting for RetryAfter", allowed(policy, policy.Quota-1), take("new"))
			expect.Same(t, "one that names no person, after that", allowed(ofPool, policy.Quota-2), take(""))
		})
	}
}

func TestExempt(t *testing.T) {
	t.Parallel()
	keyReuse, monitor := New(contract.KeyReusePolicy, nil), testPools().ClientOf(netip.MustParseAddr(inExempt))
	for i := range contract.KeyReusePolicy.Quota + 1 {
		got := keyReuse.Take(WithClient(t.Context(), monitor)).Allowed
		expect.Same(t, fmt.Sprint("try ", i, " of a used key"), i < contract.KeyReusePolicy.Quota, got)
	}
	ask := New(contract.AskPolicy, nil)
	for range contract.AskPolicy.Quota + 1 {
		expect.Same(t, "of the questions", Decision{Allowed: true}, ask.Take(WithClient(t.Context(), monitor)).Decision)
	}
}

// What is left of a person and of the pool is what the store knows, or else the instance.
func TestPeek(t *testing.T) {
	t.Parallel()
	policy, store, pools := contract.AskPolicy, &memory{}, testPools()
	policy.Pool = policy.Quota + 1
	one, two := New(policy, store), New(policy, store)
	person := func(name string) Client { return ClientFrom(named(t, pools, inOpenAI, name)) }
	for range policy.Quota {
		one.Take(WithClient(t.Context(), person("ada")))
	}
	expect.Same(t, "of another person", allowed(policy.OfPool(), 1), two.Peek(WithClient(t.Context(), person("grace"))))
	store.set(true)
	expect.Same(t, "as the instance knows", allowed(policy, 0), one.Peek(WithClient(t.Context(), person("ada"))))
	expect.Same(t, "as the other instance knows", allowed(policy, policy.Quota), two.Peek(WithClient(t.Context(), person("ada"))))
}
