// Package span follows one request through the service: the trace that it belongs to,
// and where its time goes. It keeps no history and exports nothing; the log line of a
// request shows what a span holds.
package span

import (
	"context"
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
// methods may be called concurrently, and on a nil Span, which records nothing.
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

// From returns the span of the request that ctx belongs to, or nil.
func From(ctx context.Context) *Span {
	s, _ := ctx.Value(Key{}).(*Span)
	return s
}

// ParentFrom returns the traceparent of the caller of the request that ctx belongs to.
func ParentFrom(ctx context.Context) Parent {
	if s := From(ctx); s != nil {
		return s.Parent
	}
	return Parent{}
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	if s := From(ctx); s != nil {
		return s.Request
	}
	return ""
}

// NoteInquiry notes the id of the inquiry that the request of ctx made or found.
func NoteInquiry(ctx context.Context, id string) {
	if s := From(ctx); s != nil {
		s.inquiry.Store(&id)
	}
}

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
	if s := From(ctx); s != nil {
		s.spent[part].Add(int64(time.Since(began)))
	}
}

// SkipEncoder records that no processor became free for the encoder.
func SkipEncoder(ctx context.Context) {
	if s := From(ctx); s != nil {
		s.encoderSkipped.Store(true)
	}
}

// EncoderSkipped reports whether no processor became free for the encoder, so that the caller got only candidates.
func (s *Span) EncoderSkipped() bool { return s != nil && s.encoderSkipped.Load() }

// Spent returns how long the request has waited for a part. Parts of concurrent work
// may add up to more than the request took.
func (s *Span) Spent(part Part) time.Duration {
	if s == nil {
		return 0
	}
	return time.Duration(s.spent[part].Load())
}

// Parts yields the parts that took time.
func (s *Span) Parts(yield func(Part, time.Duration) bool) {
	for part := range parts {
		if spent := s.Spent(part); spent > 0 && !yield(part, spent) {
			return
		}
	}
}
