package contract

import (
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"frontdesk/internal/expect"
)

func TestValidAddress(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("b", 63)
	at254 := "a@" + strings.Repeat(label+".", 3) + strings.Repeat("c", 254-2-3*64-4) + ".com"
	tests := []struct {
		address string
		want    bool
	}{
		{"ada@example.com", true},
		{at254, true},
		{strings.Replace(at254, "a@", "aa@", 1), false},
		{"ada@example.c0m", true},
		{"ada@example.com1", false},
		{"ada@1.2.3.4", false},
		{"ada_-l@example.com", true},
		{"", false},
		{`"ada"@example.com`, false},
		{"ada@exa mple.com", false},
	}
	for _, tt := range tests {
		expect.Same(t, fmt.Sprintf("ValidAddress(%q)", tt.address), tt.want, ValidAddress(tt.address))
	}
}

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
