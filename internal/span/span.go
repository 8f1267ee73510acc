// Package span follows one request through the service: the trace that it belongs to,
// and where its time goes. It keeps no history and exports nothing; the log line of a
// request shows what a span holds.
package span

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// Part is what a request can wait for.
type Part int

// The parts. Model includes the wait for a call that another request has begun, and
// Encoder the wait for a free processor.
const (
	Database Part = iota
	Redis
	Mail
	Model
	Encoder
	SameKey // the answer to another request with the same Idempotency-Key
	parts
)

var names = [parts]string{"database", "redis", "mail", "model", "encoder", "same_key"}

// String is the name of the part in the log.
func (p Part) String() string { return names[p] }

// Span is one request. Its zero value belongs to no trace and has spent no time. Its
// methods may be called concurrently.
type Span struct {
	// Parent is the traceparent of the caller, or the zero value. It is set before the
	// span is shared.
	Parent Parent
	// Request is the id of the request. It is set before the span is shared.
	Request        string
	inquiry        atomic.Pointer[string] // the id of the inquiry that the request made or found
	spent          [parts]atomic.Int64    // nanoseconds
	encoderSkipped atomic.Bool
}

// Key is the key under which a context holds its *Span.
type Key struct{}

// From returns the span of the request that ctx belongs to. Without a request it is one
// that no one reads.
func From(ctx context.Context) *Span {
	if s, ok := ctx.Value(Key{}).(*Span); ok {
		return s
	}
	return &Span{}
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string { return From(ctx).Request }

// NoteInquiry notes the id of the inquiry that the request of ctx made or found.
func NoteInquiry(ctx context.Context, id string) { From(ctx).inquiry.Store(&id) }

// Inquiry returns the id of NoteInquiry, or "".
func (s *Span) Inquiry() string {
	if id := s.inquiry.Load(); id != nil {
		return *id
	}
	return ""
}

// Since adds the time since began to a part of the request that ctx belongs to. It is
// meant to be deferred:
//
//	defer span.Since(ctx, span.Mail, time.Now())
func Since(ctx context.Context, part Part, began time.Time) {
	From(ctx).spent[part].Add(int64(time.Since(began)))
}

// SkipEncoder records that no processor became free for the encoder.
func SkipEncoder(ctx context.Context) { From(ctx).encoderSkipped.Store(true) }

// EncoderSkipped reports whether no processor became free for the encoder, so that the caller got only candidates.
func (s *Span) EncoderSkipped() bool { return s.encoderSkipped.Load() }

// Spent returns how long the request has waited for a part. Parts of concurrent work
// may add up to more than the request took.
func (s *Span) Spent(part Part) time.Duration { return time.Duration(s.spent[part].Load()) }

// Parts yields the parts that took time.
func (s *Span) Parts(yield func(Part, time.Duration) bool) {
	for part := range parts {
		if spent := s.Spent(part); spent > 0 && !yield(part, spent) {
			return
		}
	}
}

// Header is the name of the header of W3C Trace Context, as net/http spells it
// (https://www.w3.org/TR/trace-context/).
const Header = "Traceparent"

// format is a traceparent: version-traceid-parentid-flags. A version later than 00, the
// only one that is defined, begins with the same fields.
var format = regexp.MustCompile(`(?s)^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

// version is the defined version, and length how long a traceparent of it is.
const (
	version = "00"
	length  = 55
)

// Parent is a valid traceparent in version 00; the zero value is none.
type Parent struct{ text, trace, span string }

// ParentOf returns the traceparent of a request. It is the zero value unless there is
// exactly one and it is valid.
func ParentOf(header http.Header) Parent {
	if given := header[Header]; len(given) == 1 {
		return parse(given[0])
	}
	return Parent{}
}

// parse reads a traceparent of version 00, or the fields that a later version has in
// common with it.
func parse(text string) Parent {
	fields := format.FindStringSubmatch(text)
	if fields == nil || fields[1] == "ff" || fields[1] == version && len(text) != length || isZero(fields[2]) ||
		isZero(fields[3]) {
		return Parent{}
	}
	return Parent{version + text[len(version):length], fields[2], fields[3]}
}

func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// IsSet reports whether there is a traceparent.
func (p Parent) IsSet() bool { return p.text != "" }

// String is the traceparent as it is sent on, or "".
func (p Parent) String() string { return p.text }

// Trace is the id of the trace: 32 hexadecimal digits, or "".
func (p Parent) Trace() string { return p.trace }

// Span is the id of the caller's span: 16 hexadecimal digits, or "".
func (p Parent) Span() string { return p.span }
