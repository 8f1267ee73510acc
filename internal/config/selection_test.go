package config

import (
	"strings"
	"testing"
)

func TestPrecision(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"": 0.95, "0.95": 0.95, "0.9": 0.9, "0.5": 0.5, ".995": 0.995} {
		if service, err := (Settings{Selection: Selection{AnswerPrecision: text}}).Service(8080); err != nil || service.Precision != want {
			t.Errorf("%q: %v, %v; want %v", text, service.Precision, err, want)
		}
	}
	for _, text := range []string{"95", "0.4", "1", "NaN", "-0.9", "0.95x", "95%"} {
		if _, err := (Settings{Selection: Selection{AnswerPrecision: text}}).Service(8080); err == nil || !strings.Contains(err.Error(), "FRONTDESK_ANSWER_PRECISION") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
