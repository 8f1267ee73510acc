package contract

import (
	"frontdesk/internal/expect"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	uuid := "8e03978e-40d5-43dd-bc93-6894a57f9324"
	tests := []struct {
		name  string
		given []string
		key   string
		ok    bool
	}{
		{"none", nil, "", true},
		{"bare", []string{uuid}, uuid, true},
		{"quoted", []string{`"` + uuid + `"`}, uuid, true},
		{"quoted, with a parameter", []string{`"k";a=1`}, "k", true},
		{"white space around", []string{" \tk "}, "k", true},
		{"escapes", []string{`"a\"b\\c"`}, `a"b\c`, true},
		{"quoted, with spaces", []string{`"a, b"`}, "a, b", true},
		{"longest", []string{strings.Repeat("k", 255)}, strings.Repeat("k", 255), true},
		{"longest, quoted", []string{`"` + strings.Repeat(`\"`, 255) + `"`}, strings.Repeat(`"`, 255), true},
		{"too long", []string{strings.Repeat("k", 256)}, "", false},
		{"empty", []string{""}, "", false},
		{"twice", []string{"k", "k"}, "", false},
		{"two in one", []string{"k, k"}, "", false},
		{"a space", []string{"a b"}, "", false},
		{"a quote left open", []string{`"k`}, "", false},
		{"a control", []string{"a\x01"}, "", false},
		{"outside ASCII", []string{"schlüssel"}, "", false},
	}
	for _, tt := range tests {
		key, err := ParseKey("Idempotency-Key", tt.given)
		if key.Value != tt.key || (err == nil) != tt.ok {
			t.Fatalf("%s: key %q, %v; want %q", tt.name, key, err, tt.key)
		}
		if err != nil && !strings.HasPrefix(AsError(err).Detail, "Idempotency-Key must be ") {
			t.Errorf("%s: refusal = %v, want one that names the header", tt.name, err)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"k", `"a b"`, `"a\"b\\c";p=1`, `"`, `""`, "a,b", strings.Repeat("k", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseKey("Idempotency-Key", []string{text})
		if err != nil {
			return
		}
		if key.Value == "" || len(key.Value) > 255 || strings.ContainsFunc(key.Value, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("%q is the key %q", text, key)
		}
		quoted := expect.Value(httpsfv.Marshal(httpsfv.NewItem(key.Value)))(t)
		if again, err := ParseKey("Idempotency-Key", []string{quoted}); err != nil || again != key {
			t.Errorf("%q is %q, and quoted %q (%v)", text, key, again, err)
		}
	})
}
