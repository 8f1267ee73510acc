package contract

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"
)

func FuzzValidAddress(f *testing.F) {
	for _, seed := range []string{"ada@example.com", "a@b.c\r\n", `"a"@b.co`, "a@b.co(c)", "a@[1.1.1.1]", "ü@b.co", "a.b_c+d-e@f-g.h1.co", "a@b.co-", "a@b..co", "a.@b.co", "a@b.1o"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		byBoth := isPlainAddress(address) && validate.Var(address, ruleEmail) == nil
		if isCommonAddress(address) && !byBoth {
			t.Fatalf("isCommonAddress accepts %q, which the rule does not", address)
		}
		if !ValidAddress(address) {
			return
		}
		if len(address) > MaxEmail || strings.Count(address, "@") != 1 || strings.ContainsAny(address, "<>()[],;:\\\" ") {
			t.Fatalf("ValidAddress takes %q", address)
		}
		for _, r := range address {
			if r > unicode.MaxASCII || unicode.IsControl(r) {
				t.Fatalf("ValidAddress takes %q", address)
			}
		}
		if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address {
			t.Fatalf("ValidAddress takes %q, net/mail reads %v, %v", address, parsed, err)
		}
	})
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "localhost": true, "desk.localhost": true, "192.0.2.1": false, "desk.example": false,
		"localhost.example": false, "": false,
	} {
		if got := IsLoopback(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
