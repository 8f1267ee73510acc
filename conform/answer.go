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
	// head is the status line and the header lines as received, for the report.
	head string
}

// MaxBody is the largest body of an answer that is read, in bytes. A service has no reason
// to send more.
const MaxBody = 4 << 20

// More bounds of what is read.
const (
	maxHead    = 256 << 10 // bytes of a status line and header lines
	maxAnswers = 64        // answers of one connection, interim ones included
)

// Errors of answers that no check can use.
var (
	errTooLarge = fmt.Errorf("the body of the answer is larger than %d MiB", MaxBody>>20)
	errLongHead = fmt.Errorf("the head of the answer is longer than %d KiB", maxHead>>10)
	errTooMany  = fmt.Errorf("more than %d answers on one connection", maxAnswers)
)

// recorder reads answers and keeps the head of the last one as received.
type recorder struct {
	*bufio.Reader
	head    bytes.Buffer
	inHead  bool
	answers int // that were read
}

func record(r io.Reader) *recorder {
	recorded := &recorder{}
	recorded.Reader = bufio.NewReader(io.TeeReader(io.LimitReader(r, 2*MaxBody), recorded))
	return recorded
}

// Write keeps what is read while it may belong to a head. It fails with errLongHead.
func (r *recorder) Write(p []byte) (int, error) {
	if !r.inHead {
		return len(p), nil
	}
	if r.head.Len() > maxHead {
		return 0, errLongHead
	}
	return r.head.Write(p)
}

// answer reads the next response, past interim ones. At the end of the connection the error
// is io.EOF.
func (r *recorder) answer(method string) (*Answer, error) {
	for ; r.answers < maxAnswers; r.answers++ {
		if _, err := r.Peek(1); err != nil {
			return nil, err
		}
		r.head.Reset()
		read, _ := r.Peek(r.Buffered()) // the length is that of the buffer
		r.head.Write(read)
		r.inHead = true
		response, err := http.ReadResponse(r.Reader, &http.Request{Method: method})
		r.inHead = false
		head, _, _ := strings.Cut(r.head.String(), "\r\n\r\n")
		if err != nil {
			return nil, fmt.Errorf("%w: %.200q", err, head)
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, MaxBody+1))
		if err != nil {
			return nil, fmt.Errorf("the body of the answer is cut off: %w", err)
		}
		if len(body) > MaxBody {
			return nil, errTooLarge
		}
		if response.StatusCode >= http.StatusOK {
			r.answers++
			return &Answer{Status: response.StatusCode, Header: response.Header, Body: body, head: head}, nil
		}
	}
	return nil, errTooMany
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
	lines := strings.Split(a.head, "\r\n")
	if len(lines) > shownHeaders {
		lines = append(lines[:shownHeaders:shownHeaders], "…")
	}
	text := strings.Join(lines, "\n")
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
