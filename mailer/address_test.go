package mailer

import "testing"

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given, address string // an empty address: refused
	}{
		{"desk@example.org", "desk@example.org"},
		{"owner@localhost", "owner@localhost"},
		{"Front desk <desk@example.org>", "desk@example.org"},
		{`"Desk, Front" <desk@example.org>`, "desk@example.org"},
		{"Café <desk@example.org>", "desk@example.org"},
		{"", ""},
		{"desk", ""},
		{"desk@", ""},
		{"a@example.org, b@example.org", ""},
		{`"a b"@example.org`, ""},
		{"josé@example.com", "josé@example.com"},
		{"用户@münchen.example", "用户@xn--mnchen-3ya.example"},
		{"jo\u00a0sé@example.com", ""},
		{"jo\u202esé@example.com", ""},
		{"jo\u0085sé@example.com", ""},
		{"desk@exämple.org", "desk@xn--exmple-cua.org"},
		{"Café <desk@München.example>", "desk@xn--mnchen-3ya.example"},
		{"desk@mün_chen.example", ""},
		{`"a@b"@münchen.example`, ""},
		{`"Front \\ desk" <desk@example.org>`, "desk@example.org"},
		{`"Café \\r" <desk@example.org>`, ""},
		{"desk@[127.0.0.1]", ""},
		{"desk@example.org\r\nBcc: eve@example.net", ""},
	} {
		got, err := ParseAddress(tt.given)
		if (err == nil) != (tt.address != "") || (err == nil && got.Address != tt.address) {
			t.Errorf("ParseAddress(%q) = %v, %v; want %q", tt.given, got, err, tt.address)
		}
	}
}
