package main

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"frontdesk/config"
)

// newLog makes the log: for people on a terminal, one JSON object a line else.
func newLog(settings config.Settings, w io.Writer) (zerolog.Logger, error) {
	file, isFile := w.(*os.File)
	console, formatErr := settings.Console(isFile && isatty.IsTerminal(file.Fd()))
	level, levelErr := settings.Level()
	if err := errors.Join(formatErr, levelErr); err != nil {
		return zerolog.Nop(), err
	}
	if console {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger(), nil
}
