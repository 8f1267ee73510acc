package contract

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"frontdesk/internal/expect"
)

func FuzzValidAddress(f *testing.F) {
	for _, seed := range []string{"ada@example.com", "a@b.c\r\n", `"a"@b.co`, "a@b.co(c)", "a@[1.1.1.1]",
		"ü@b.co", "a.b_c+d-e@f-g.h1.co", "a@b.co-", "a@b..co", "a.@b.co", "a@b.1o"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		byBoth := isPlainAddress(address) && validate.Var(address, "email") == nil
		if isCommonAddress(address) && !byBoth {
			t.Fatalf("isCommonAddress accepts %q, which the rule does not", address)
		}
		if !ValidAddress(address) {
			return
		}
		if len(address) > MaxEmail || strings.Count(address, "@") != 1 || strings.ContainsFunc(address, func(r rune) bool {
			return r > unicode.MaxASCII || unicode.IsControl(r) || strings.ContainsRune("<>()[],;:\\\" ", r)
		}) {
			t.Fatalf("ValidAddress takes %q", address)
		}
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			t.Fatalf("ValidAddress takes %q, net/mail reads %v, %v", address, parsed, err)
		}
	})
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for want, hosts := range map[bool][]string{
		true:  {"127.0.0.1", "::1", "localhost", "desk.localhost"},
		false: {"192.0.2.1", "desk.example", "localhost.example", ""},
	} {
		for _, host := range hosts {
			expect.Same(t, host, want, IsLoopback(host))
		}
	}
}
