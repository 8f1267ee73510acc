package app

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"frontdesk/internal/config"
)

// NewLog makes the log: for people on a terminal, one JSON object a line else. Its
// last lines may be held back until flush is called.
func NewLog(settings config.Settings, w io.Writer) (log zerolog.Logger, flush func(), err error) {
	file, isFile := w.(*os.File)
	console, formatErr := settings.Console(isFile && isatty.IsTerminal(file.Fd()))
	level, levelErr := settings.Level()
	if err := errors.Join(formatErr, levelErr); err != nil {
		return zerolog.Nop(), nil, err
	}
	flush = func() {}
	if console { // a person watches
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
	} else {
		held := holdLines(w)
		w, flush = held, held.Flush
	}
	return zerolog.New(w).Level(level).Hook(new(logTime)), flush, nil
}
