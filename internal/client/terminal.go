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
}

// Bounds of the width: text in longer lines is tiring to read, and in shorter
// ones the tables would fall apart.
const (
	minWidth     = 40
	defaultWidth = 80
	maxWidth     = 100
)

// NewTerminal makes a Terminal out of the streams and the environment of the
// process. There is colour when out is a terminal that can show it and NO_COLOR
// (no-color.org) is not set; the width comes from COLUMNS where that is exported.
func NewTerminal(out, err io.Writer, env func(string) string) *Terminal {
	width := defaultWidth
	if columns, err := strconv.Atoi(env("COLUMNS")); err == nil {
		width = min(max(columns, minWidth), maxWidth)
	}
	return &Terminal{
		In:    os.Stdin,
		Out:   out,
		Err:   err,
		Color: isTerminal(out) && env("NO_COLOR") == "" && env("TERM") != "dumb",
		Width: width,
	}
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
