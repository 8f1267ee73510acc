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

// answer is a response read to its end, with the request that it answers.
type answer struct {
	probe   *probe
	request request
	status  int
	// lines are the status line and the header lines as they came: names are
	// compared as they are spelled on the wire.
	lines  []string
	header http.Header
	body   []byte
}

// The most of an answer that is read: a service has no business sending more.
const (
	maxHead = 64 << 10
	maxBody = 8 << 20
)

// readAnswer reads the next response, past interim ones. At the end of the
// connection the error is io.EOF.
func readAnswer(r *bufio.Reader, method string) (*answer, error) {
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
		_ = response.Body.Close() // it was made of the head alone: the body is still in r
		body, err := readBody(r, response)
		if err != nil {
			return nil, fmt.Errorf("the body of the answer is cut off: %w", err)
		}
		if response.StatusCode >= http.StatusOK {
			return &answer{status: response.StatusCode, lines: lines, header: response.Header, body: body}, nil
		}
	}
}

// readBody reads what follows a head, to its own end and no further: another answer
// may come behind it.
func readBody(r *bufio.Reader, response *http.Response) ([]byte, error) {
	switch {
	case response.Body == http.NoBody:
		return nil, nil
	case len(response.TransferEncoding) > 0:
		body, err := io.ReadAll(io.LimitReader(httputil.NewChunkedReader(r), maxBody))
		if err != nil {
			return nil, err
		}
		_, err = readHead(r) // the trailer, which ends with an empty line
		return body, err
	case response.ContentLength >= 0:
		body := make([]byte, min(response.ContentLength, maxBody))
		_, err := io.ReadFull(r, body)
		return body, err
	}
	return io.ReadAll(io.LimitReader(r, maxBody))
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

// value is a header's value, that of repeated ones as a list (RFC 9110 5.3); empty
// when the answer has none.
func (a *answer) value(name string) string { return strings.Join(a.header.Values(name), ", ") }

// object is the body as a JSON object; nil when it is none.
func (a *answer) object() map[string]any {
	var object map[string]any
	if json.Unmarshal(a.body, &object) != nil {
		return nil
	}
	return object
}

// mediaType is the answer's media type without parameters.
func (a *answer) mediaType() string {
	kind, _, _ := strings.Cut(a.value("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// Bounds of what a report shows of an answer.
const (
	shownHeaders = 24
	shownBody    = 600
)

// shown is the answer as a report shows it: its head and the first of its body.
func (a *answer) shown() string {
	lines := a.lines
	if len(lines) > shownHeaders {
		lines = append(lines[:shownHeaders:shownHeaders], "…")
	}
	text := strings.Join(lines, "\n")
	if !utf8.Valid(a.body) {
		return fmt.Sprintf("%s\n\n(%d bytes that are no text)", text, len(a.body))
	}
	if body := bytes.TrimSpace(a.body); len(body) > 0 {
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

// printable writes control characters and broken UTF-8 so that a terminal shows
// them and obeys none.
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
