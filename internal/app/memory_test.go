package app

import "testing"

func TestBallast(t *testing.T) {
	for gogc, want := range map[string]int{"": ballastSize, "200": 0, "off": 0} {
		t.Run("GOGC="+gogc, func(t *testing.T) {
			t.Setenv("GOGC", gogc)
			if got := len(NewBallast()); got != want {
				t.Errorf("the ballast has %d bytes, want %d", got, want)
			}
		})
	}
}
