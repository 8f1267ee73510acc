package app

import (
	"bytes"
	"testing"

	"github.com/rs/zerolog"
)

func TestJournalPriorities(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := zerolog.New(journalWriter{&out})
	log.Debug().Msg("a")
	log.Info().Msg("b")
	log.Warn().Msg("c")
	log.Error().Msg("d")
	log.Log().Msg("e")
	want := "<7>{\"level\":\"debug\",\"message\":\"a\"}\n<6>{\"level\":\"info\",\"message\":\"b\"}\n" +
		"<4>{\"level\":\"warn\",\"message\":\"c\"}\n<3>{\"level\":\"error\",\"message\":\"d\"}\n{\"message\":\"e\"}\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
