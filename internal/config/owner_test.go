package config

import "testing"

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
			service, err := Settings{OwnerURL: tt.ownerURL, AdminAddr: tt.admin}.Service(8080)
			if err != nil || service.OwnerURL != tt.want {
				t.Errorf("owner URL = %q, %v; want %q", service.OwnerURL, err, tt.want)
			}
		})
	}
}
