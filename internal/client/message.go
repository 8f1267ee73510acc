package client

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"frontdesk/contract"
)

// readMessage reads the message from standard input. It returns when ctx ends (Ctrl-C)
// or when the message is too long for any request.
func readMessage(ctx context.Context, in io.Reader) (string, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(in, contract.CapContact+1))
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", usage("interrupted while reading the message from standard input")
	case r := <-done:
		if r.err != nil {
			return "", usage(fmt.Sprintf("cannot read the message from standard input: %v", r.err))
		}
		if len(r.text) > contract.CapContact {
			return "", usage(fmt.Sprintf("the message is over %d bytes, more than a request may hold", contract.CapContact))
		}
		return string(r.text), nil
	}
}

// checkUTF8 refuses text in another encoding, which JSON would silently turn into
// replacement characters. Text with that character is refused too, because kong has
// already replaced such bytes in an argument.
func checkUTF8(values ...string) error {
	if slices.ContainsFunc(values, func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }) {
		return usage("the text is not valid UTF-8, or holds its replacement character")
	}
	return nil
}

func usage(summary string) error { return &failure{code: ExitUsage, summary: summary} }
