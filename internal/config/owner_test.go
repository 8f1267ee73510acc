package config

import "testing"

const adminToken = "0123456789abcdef"

// TestAdminToken: only loopback addresses need no token.
func TestAdminToken(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"", "127.0.0.1:9090", "127.9.9.9:0", "[::1]:9090", "localhost:9090"} {
		if _, err := (Settings{AdminAddr: addr}).Service(8080); err != nil {
			t.Errorf("%q: %v", addr, err)
		}
	}
	for _, addr := range []string{":9090", "0.0.0.0:9090", "[::]:9090", "10.0.0.1:9090", "desk.internal:9090"} {
		service, err := Settings{AdminAddr: addr, AdminToken: adminToken}.Service(8080)
		if err != nil || service.AdminToken != adminToken {
			t.Errorf("%q: token %q, %v", addr, service.AdminToken, err)
		}
	}
}

func TestOwnerURL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		ownerURL, admin string
		want            string
	}{
		{"neither", "", "", ""},
		{"admin address on every interface", "", ":9090", "http://localhost:9090/owner/"},
		{"unspecified IPv4 address", "", "0.0.0.0:9090", "http://localhost:9090/owner/"},
		{"unspecified IPv6 address", "", "[::]:9090", "http://localhost:9090/owner/"},
		{"loopback", "", "127.0.0.1:9090", "http://127.0.0.1:9090/owner/"},
		{"IPv6", "", "[fd00::1]:9090", "http://[fd00::1]:9090/owner/"},
		{"host", "", "desk.internal:9090", "http://desk.internal:9090/owner/"},
		{"given with a slash", "https://desk.example/owner/", ":9090", "https://desk.example/owner/"},
		{"given without a slash", "https://Desk.example:443/owner", "", "https://desk.example/owner/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service, err := Settings{OwnerURL: tt.ownerURL, AdminAddr: tt.admin, AdminToken: adminToken}.Service(8080)
			if err != nil || service.OwnerURL != tt.want {
				t.Errorf("owner URL = %q, %v; want %q", service.OwnerURL, err, tt.want)
			}
		})
	}
}
