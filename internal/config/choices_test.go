package config

import (
	"reflect"
	"strings"
	"testing"
)

// TestChoices checks that a setting accepts every value that shell completion offers.
func TestChoices(t *testing.T) {
	t.Parallel()
	settings := reflect.TypeFor[Settings]()
	offered := 0
	for field := range settings.Fields() {
		choices, ok := field.Tag.Lookup("choices")
		if !ok {
			continue
		}
		for choice := range strings.SplitSeq(choices, ",") {
			offered++
			var s Settings
			reflect.ValueOf(&s).Elem().FieldByIndex(field.Index).SetString(choice)
			_, err := s.Service(8080)
			if _, levelErr := s.Level(); err == nil {
				err = levelErr
			}
			if _, formatErr := s.Console(false); err == nil {
				err = formatErr
			}
			if err != nil {
				t.Errorf("%s is offered as %s: %v", choice, field.Name, err)
			}
		}
	}
	if offered == 0 {
		t.Error("no setting offers a choice")
	}
}
