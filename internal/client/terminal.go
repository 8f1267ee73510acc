package client

import (
	"io"
	"os"
	"strconv"

	"github.com/mattn/go-isatty"
)

// Terminal is where a command reads and prints. The command line binds it for kong.
type Terminal struct {
	In    io.Reader // read only by `contact --message -`; standard input unless replaced
	Out   io.Writer // the answer
	Err   io.Writer // what went wrong; never coloured
	Color bool
	Width int // columns that text is wrapped to

	Offline Offline // answers `ask --content`
}

// Bounds of the width, in columns: longer lines are tiring to read, and shorter ones
// break the tables.
const (
	minWidth     = 40
	defaultWidth = 80
	maxWidth     = 100
)

// NewTerminal makes a Terminal from the streams and the environment of the process.
// It uses colour when out is a terminal that can show it and NO_COLOR (no-color.org) is
// not set. The width comes from COLUMNS if that is exported.
func NewTerminal(out, err io.Writer, env func(string) string) *Terminal {
	width := defaultWidth
	if columns, err := strconv.Atoi(env("COLUMNS")); err == nil {
		width = min(max(columns, minWidth), maxWidth)
	}
	return &Terminal{
		In:    os.Stdin,
		Out:   out,
		Err:   err,
		Color: IsTerminal(out) && env("NO_COLOR") == "" && env("TERM") != "dumb",
		Width: width,
	}
}

// IsTerminal reports whether a person reads what is written to w.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
