package app

import (
	"io"
	"os"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"frontdesk/internal/config"
)

// TimeFormat is RFC 3339 with milliseconds: zerolog's default, whole seconds, would not
// distinguish the requests of one second.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// reportMessage comes after lines that were dropped.
const reportMessage = "log lines were dropped because they were not read fast enough"

// Log is the log of the process. Logging never waits for its reader.
type Log struct {
	zerolog.Logger
	lines *lineBuffer
}

// NewLog makes a log that writes to w: for people on a terminal, else one JSON object
// per line. Close must be called at the end.
func NewLog(settings config.Settings, w io.Writer) *Log {
	file, isFile := w.(*os.File)
	terminal := isFile && isatty.IsTerminal(file.Fd())
	console := settings.Console(terminal)
	logger := func(out io.Writer) zerolog.Logger {
		if console {
			out = zerolog.ConsoleWriter{Out: out, TimeFormat: time.TimeOnly, NoColor: !terminal}
		}
		return zerolog.New(out).Level(settings.Level()).With().Timestamp().Logger()
	}
	var prefixes map[zerolog.Level]string
	// without a verdict lines go without a priority
	if inJournal, _ := journal.StderrIsJournalStream(); inJournal && file == os.Stderr && !console {
		prefixes = priorities
	}
	lines := newLineBuffer(w, prefixes, func(dropped int64) {
		_, _ = io.WriteString(w, prefixes[zerolog.WarnLevel])
		log := logger(w)
		log.Warn().Int64("lines", dropped).Msg(reportMessage)
	})
	return &Log{logger(lines), lines}
}

// Dropped is how many lines were dropped since the start.
func (l *Log) Dropped() int64 {
	l.lines.mu.Lock()
	defer l.lines.mu.Unlock()
	return l.lines.dropped
}

// Close writes what is left, for as long as the reader accepts it within a second.
func (l *Log) Close() { l.lines.close() }

// priorities are the prefixes by which journald takes the priority of a line
// (sd-daemon(3)).
var priorities = map[zerolog.Level]string{
	zerolog.DebugLevel: "<7>", zerolog.InfoLevel: "<6>", zerolog.WarnLevel: "<4>", zerolog.ErrorLevel: "<3>",
}
