package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strings"
	"unicode/utf8"
)

// Answer is a response read to its end, with the request that it answers.
type Answer struct {
	Probe   *Probe
	Request Request
	Status  int
	// lines are the status line and the header lines as received, for the report.
	lines  []string
	Header http.Header
	Body   []byte
}

// Bounds of an answer. A service has no reason to send more.
const (
	maxHead = 64 << 10
	// MaxBody is how much of a body is read at most, in bytes.
	MaxBody = 8 << 20
)

// readAnswer reads the next response, past interim ones. At the end of the
// connection the error is io.EOF.
func readAnswer(r *bufio.Reader, method string) (*Answer, error) {
	for {
		lines, err := readHead(r)
		if err != nil {
			return nil, err
		}
		head := strings.Join(lines, "\r\n") + "\r\n\r\n"
		response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(head)), &http.Request{Method: method})
		if err != nil {
			return nil, fmt.Errorf("%w: %.200q", err, head)
		}
		_ = response.Body.Close() // parsed from only the head: the body is still in r
		body, err := readBody(r, response)
		if err != nil {
			return nil, fmt.Errorf("the body of the answer is cut off: %w", err)
		}
		if response.StatusCode >= http.StatusOK {
			return &Answer{Status: response.StatusCode, lines: lines, Header: response.Header, Body: body}, nil
		}
	}
}

// readBody reads the body after a head and nothing behind it, which may be another
// answer.
func readBody(r *bufio.Reader, response *http.Response) ([]byte, error) {
	switch {
	case response.Body == http.NoBody:
		return nil, nil
	case len(response.TransferEncoding) > 0:
		body, err := io.ReadAll(io.LimitReader(httputil.NewChunkedReader(r), MaxBody))
		if err != nil {
			return nil, err
		}
		_, err = readHead(r) // the trailer, which ends with an empty line
		return body, err
	case response.ContentLength >= 0:
		body := make([]byte, min(response.ContentLength, MaxBody))
		_, err := io.ReadFull(r, body)
		return body, err
	}
	return io.ReadAll(io.LimitReader(r, MaxBody))
}

// readHead reads the lines up to the first empty one.
func readHead(r *bufio.Reader) ([]string, error) {
	var lines []string
	for size := 0; size < maxHead; {
		line, err := r.ReadString('\n')
		size += len(line)
		if err != nil {
			return nil, endOf(err, len(lines) > 0 || line != "")
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			return lines, nil
		}
		lines = append(lines, line)
	}
	return nil, fmt.Errorf("the head of the answer is longer than %d bytes", maxHead)
}

func endOf(err error, begun bool) error {
	if begun && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// HeaderValue returns a header's value, "" without the header. Repeated headers are
// joined to a list (RFC 9110 5.3).
func (a *Answer) HeaderValue(name string) string { return strings.Join(a.Header.Values(name), ", ") }

// Object returns the body as a JSON object, nil if it is none.
func (a *Answer) Object() map[string]any {
	var object map[string]any
	if json.Unmarshal(a.Body, &object) != nil {
		return nil
	}
	return object
}

// MediaType returns the answer's media type without parameters.
func (a *Answer) MediaType() string {
	kind, _, _ := strings.Cut(a.HeaderValue("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// Bounds of an answer in a report.
const (
	shownHeaders = 24
	shownBody    = 600
)

// Excerpt returns the answer as a report shows it: its head and the start of its body.
func (a *Answer) Excerpt() string {
	lines := a.lines
	if len(lines) > shownHeaders {
		lines = append(lines[:shownHeaders:shownHeaders], "…")
	}
	text := strings.Join(lines, "\n")
	if !utf8.Valid(a.Body) {
		return fmt.Sprintf("%s\n\n(%d bytes that are not text)", text, len(a.Body))
	}
	if body := bytes.TrimSpace(a.Body); len(body) > 0 {
		text += "\n\n" + cut(printable(string(body)), shownBody)
	}
	return text
}

// cut shortens a text to at most n bytes, at a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// printable escapes control characters and broken UTF-8, so that a terminal does not
// interpret them.
func printable(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r <= 0x9f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
