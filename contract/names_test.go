package contract

import "testing"

func TestTwinPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"/": "/index.md", "/pricing": "/pricing.md", "/auth": "/auth.md"} {
		if got := TwinPath(path); got != want {
			t.Errorf("TwinPath(%q) = %q, want %q", path, got, want)
		}
	}
}
