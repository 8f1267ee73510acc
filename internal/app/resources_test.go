package app

import "testing"

func TestGoMemory(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, tt := range []struct {
		name        string
		limit, want uint64
	}{
		{"none", 0, 0},
		{"a tiny one keeps two thirds", 60 * mib, 40 * mib},
		{"without the encoder", 128 * mib, 88 * mib},
		{"with the encoder", 256 * mib, 216 * mib},
		{"a tenth of a large one is left", 1000 * mib, 900 * mib},
	} {
		if got := goMemory(tt.limit); got != tt.want {
			t.Errorf("%s: goMemory(%d MiB) = %d, want %d", tt.name, tt.limit/mib, got, tt.want)
		}
	}
}
