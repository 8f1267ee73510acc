package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"

	"frontdesk/internal/expect"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	const uuid = "8e03978e-40d5-43dd-bc93-6894a57f9324"
	longest := strings.Repeat("k", 255)
	for given, want := range map[string]string{
		uuid: uuid, `"` + uuid + `"`: uuid, `"k";a=1`: "k", " \tk ": "k", `"a\"b\\c"`: `a"b\c`, `"a, b"`: "a, b",
		longest: longest, `"` + strings.Repeat(`\"`, 255) + `"`: strings.Repeat(`"`, 255),
	} {
		expect.Same(t, given, want, expect.Value(ParseKey("Idempotency-Key", []string{given}))(t).Value)
	}
	expect.Same(t, "none", "", expect.Value(ParseKey("Idempotency-Key", nil))(t).Value)
	for _, given := range [][]string{{longest + "k"}, {""}, {"k", "k"}, {"k, k"}, {"a b"}, {`"k`}, {"a\x01"}, {"ü"}} {
		key, err := ParseKey("Idempotency-Key", given)
		expect.Same(t, fmt.Sprint(given), "", key.Value)
		expect.Says(t, fmt.Sprint(given), err, "Idempotency-Key must be ")
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
		isUnprintable := func(r rune) bool { return r < ' ' || r > '~' }
		if key.Value == "" || len(key.Value) > 255 || strings.ContainsFunc(key.Value, isUnprintable) {
			t.Fatalf("%q is the key %q", text, key)
		}
		quoted := expect.Value(httpsfv.Marshal(httpsfv.NewItem(key.Value)))(t)
		if again, err := ParseKey("Idempotency-Key", []string{quoted}); err != nil || again != key {
			t.Errorf("%q is %q, and quoted %q (%v)", text, key, again, err)
		}
	})
}
