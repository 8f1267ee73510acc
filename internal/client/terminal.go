package client

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"frontdesk/contract"
)

// Terminal is where a command reads and prints. The command line binds it for kong.
type Terminal struct {
	In    io.Reader // read only by `contact --message -`; standard input unless replaced
	Out   io.Writer // the answer
	Err   io.Writer // what went wrong; never coloured
	Color bool
	Width int // columns that text is wrapped to

	Offline Offline // answers `ask --content`
	Locate  Locate  // finds the service without --url; nil for http://localhost:8080
}

// NewTerminal makes a Terminal from the streams and the environment of the process.
// It uses colour when out is a terminal that can show it and NO_COLOR (no-color.org) is
// not set.
func NewTerminal(out, err io.Writer, env func(string) string) *Terminal {
	return &Terminal{
		In:    os.Stdin,
		Out:   out,
		Err:   err,
		Color: IsTerminal(out) && env("NO_COLOR") == "" && env("TERM") != "dumb",
		Width: 80,
	}
}

// Interruptible returns a reader of in that fails when ctx ends (Ctrl-C), while in may still wait. Its Close does not
// close in.
func Interruptible(ctx context.Context, in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { _ = w.CloseWithError(context.Cause(ctx)) })
	go func() {
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err)
	}()
	return r
}

// IsTerminal reports whether a person reads what is written to w.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// fail prints what went wrong and returns the exit code as an error.
func (c Connection) fail(f *failure) error {
	if c.JSON && f.record != nil {
		if err := c.writeJSON(f.record); err != nil {
			return err
		}
	}
	p := page{width: c.Width}
	p.block("", "  ", oneLine(contract.Product+": "+f.summary))
	for _, note := range f.notes {
		p.block("  ", "  ", oneLine(note))
	}
	if _, err := p.text.WriteTo(c.Err); err != nil {
		return err
	}
	return &ExitError{Code: f.code}
}

// show prints an answer: with --json as it was served, otherwise as fill formats it.
func (c Connection) show(served []byte, fill func(*page)) error {
	if c.JSON {
		return c.writeJSON(served)
	}
	p := page{width: c.Width, color: c.Color}
	fill(&p)
	_, err := p.text.WriteTo(c.Out)
	return err
}

// writeJSON writes a document as it is, ending with one newline.
func (t *Terminal) writeJSON(document []byte) error {
	_, err := t.Out.Write(append(bytes.TrimRight(document, "\r\n"), '\n'))
	return err
}
