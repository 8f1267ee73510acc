package client

import (
	"bytes"
	"errors"

	"frontdesk/contract"
)

// fail prints what went wrong and returns the exit code as an error.
func (c Connection) fail(t *Terminal, err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return err
	}
	if c.JSON && f.record != nil {
		if err := t.writeJSON(f.record); err != nil {
			return err
		}
	}
	p := page{width: t.Width}
	p.block("", "  ", oneLine(contract.Product+": "+f.summary))
	for _, note := range f.notes {
		p.block("  ", "  ", oneLine(note))
	}
	if _, err := p.text.WriteTo(t.Err); err != nil {
		return err
	}
	return &ExitError{Code: f.code}
}

// show prints an answer: with --json as it was served, otherwise as fill formats it.
func (c Connection) show(t *Terminal, served []byte, fill func(*page)) error {
	if c.JSON {
		return t.writeJSON(served)
	}
	p := page{width: t.Width, color: t.Color}
	fill(&p)
	_, err := p.text.WriteTo(t.Out)
	return err
}

// writeJSON writes a document as it is, ending with one newline.
func (t *Terminal) writeJSON(document []byte) error {
	_, err := t.Out.Write(append(bytes.TrimRight(document, "\r\n"), '\n'))
	return err
}
