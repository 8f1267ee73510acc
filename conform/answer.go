package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Answer is a response read to its end, with the request that it answers.
type Answer struct {
	Probe   *Probe
	Request Request
	Status  int
	Header  http.Header
	Body    []byte
	line    string // the status line
}

// maxBody is the largest body of an answer that is read, in bytes. A service has no reason
// to send more.
const maxBody = 4 << 20

var errTooLarge = fmt.Errorf("the body of the answer is larger than %d MiB", maxBody>>20)

// readAnswer reads the next response, past interim ones. At the end of the connection the
// error is io.EOF.
func readAnswer(r *bufio.Reader, method string) (*Answer, error) {
	for {
		if _, err := r.Peek(1); err != nil {
			return nil, err
		}
		response, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
		if err != nil {
			return nil, fmt.Errorf("the body of the answer is cut off: %w", err)
		}
		if len(body) > maxBody {
			return nil, errTooLarge
		}
		if response.StatusCode >= http.StatusOK {
			return &Answer{Status: response.StatusCode, Header: response.Header, Body: body, line: response.Proto + " " +
				response.Status}, nil
		}
	}
}

// HeaderValue returns a header's value, "" without the header. Repeated headers are
// joined to a list (RFC 9110 5.3).
func (a *Answer) HeaderValue(name string) string { return strings.Join(a.Header.Values(name), ", ") }

// Object returns the body as a JSON object, nil if it is none.
func (a *Answer) Object() map[string]any {
	var object map[string]any
	_ = json.Unmarshal(a.Body, &object)
	return object
}

// MediaType returns the answer's media type without parameters.
func (a *Answer) MediaType() string {
	kind, _, _ := strings.Cut(a.HeaderValue("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// Bounds of an answer in a report, in bytes.
const (
	shownHeader = 2000
	shownBody   = 600
)

// excerpt returns the answer as a report shows it: status line, headers by name, and the
// start of the body.
func (a *Answer) excerpt() string {
	var header strings.Builder
	_ = a.Header.Write(&header) // into memory
	text := strings.TrimSpace(cut(a.line+"\n"+strings.ReplaceAll(header.String(), "\r\n", "\n"), shownHeader))
	if !utf8.Valid(a.Body) {
		return fmt.Sprintf("%s\n\n(%d bytes that are not text)", text, len(a.Body))
	}
	if body := bytes.TrimSpace(a.Body); len(body) > 0 {
		text += "\n\n" + cut(printable(string(body[:min(len(body), shownBody+1)])), shownBody)
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

// shown returns at most n bytes of what was sent, for a report.
func shown(sent []byte, n int) string {
	return cut(printable(strings.ReplaceAll(string(sent), "\r\n", "\n")), n)
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
