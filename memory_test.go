package main

import "testing"

func TestGarbagePercent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		alive uint64
		want  int
	}{
		{"a small service", 8 << 20, 200},
		{"as much alive as there is room", roomForGarbage, 100},
		{"a large one", 1 << 32, 100},
		{"nothing", 0, 100 * roomForGarbage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := garbagePercent(tt.alive); got != tt.want {
				t.Errorf("garbagePercent(%d) = %d, want %d", tt.alive, got, tt.want)
			}
		})
	}
}
