package app

import (
	"io"

	"github.com/rs/zerolog"
)

// priorities are the prefixes by which journald takes the priority of a line
// (sd-daemon(3)).
var priorities = map[zerolog.Level]string{
	zerolog.TraceLevel: "<7>", zerolog.DebugLevel: "<7>", zerolog.InfoLevel: "<6>", zerolog.WarnLevel: "<4>",
	zerolog.ErrorLevel: "<3>", zerolog.FatalLevel: "<2>", zerolog.PanicLevel: "<2>",
}

// journalWriter writes lines with the prefix of their level. out may be a
// zerolog.LevelWriter.
type journalWriter struct{ out io.Writer }

// Write implements io.Writer for lines without a level.
func (w journalWriter) Write(line []byte) (int, error) { return w.out.Write(line) }

// WriteLevel implements zerolog.LevelWriter.
func (w journalWriter) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	prefix := priorities[level]
	prefixed := append(append(make([]byte, 0, len(prefix)+len(line)), prefix...), line...)
	var err error
	if out, ok := w.out.(zerolog.LevelWriter); ok {
		_, err = out.WriteLevel(level, prefixed)
	} else {
		_, err = w.out.Write(prefixed)
	}
	if err != nil {
		return 0, err
	}
	return len(line), nil // zerolog reports a shorter count as a fault
}
