package content

import (
	"strings"
	"testing"

	"frontdesk/internal/expect"
)

func TestNewID(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, tt := range []struct{ text, want string }{
		{"Habt ihr Öffnungszeiten?", "habt-ihr-offnungszeiten"},
		{"Habt ihr Öffnungszeiten!", "habt-ihr-offnungszeiten-2"},
		{"What’s the price?", "whats-the-price"},
		{"Über uns & Straße", "uber-uns-strasse"},
		{"ŁÓDŹ, Ærø", "lodz-aero"},
		{"営業時間は？", "entry-437fe0"},
		{"О нас", "entry-c09b92"},
		{"", "entry"},
		{strings.Repeat("a", 80), strings.Repeat("a", longestNewID)},
	} {
		id := NewID(tt.text, "entry", func(id string) bool { return taken[id] })
		expect.Same(t, tt.text, tt.want, id)
		taken[id] = true
	}
}
