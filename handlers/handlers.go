// Package handlers is the HTTP face of the core: each handler decodes a request,
// makes one call and encodes the answer. A handler returns its error; the
// middleware turns it into a problem record.
package handlers

import (
	"context"
	"net/http"
	"strconv"

	"frontdesk/contract"
	"frontdesk/internal/discovery"
	"frontdesk/internal/limits"
	"frontdesk/internal/payload"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/internal/site"
)

// Answers answers questions from approved text.
type Answers interface {
	Ask(ctx context.Context, q string) contract.Answer
	Has(entryID string) bool
}

// Documents are the documents and pages of the content that is live, by path.
type Documents interface {
	Document(path string) *discovery.Document
	Page(path string) *discovery.Page
}

// Forms are the pages that answer the two forms.
type Forms interface {
	// Answered asks, and shows the answer as one content has it.
	Answered(ctx context.Context, q string) site.Page
	Asked(asked site.Asked) site.Page
	Contacted(contacted site.Contacted) site.Page
}

// Pilots takes pilot requests.
type Pilots interface {
	Preview(request contract.PilotRequest) contract.Preview
	CheckPreview(request contract.PilotRequest) error
	// Send takes the Idempotency-Key of the request, or nothing.
	Send(ctx context.Context, request contract.PilotRequest, key string) (contract.Accepted, limits.Decision, error)
}

// Feedbacks keeps what callers think of the answers.
type Feedbacks interface {
	AddFeedback(ctx context.Context, feedback records.Feedback) error
}

// API holds what the handlers call.
type API struct {
	Documents    Documents
	Forms        Forms
	Answers      Answers
	Pilots       Pilots
	Feedbacks    Feedbacks
	Keys         func() *signing.Directory // of the keys that are at work
	AskLimit     *limits.Limiter           // for the form of a question, which takes its slot itself
	ContactLimit *limits.Limiter           // for the headers of contact answers; Pilots takes the slots
}

var (
	typeJSON = []string{contract.TypeJSON}
	noStore  = []string{"no-store"}
)

// writeJSON answers 200 with a value that is made for this request alone.
func writeJSON(w http.ResponseWriter, value any) { writeBody(w, payload.JSON(value)) }

// smallBody is the length, in bytes, up to which net/http is left to add the
// Content-Length, which it promises for "a few KB": the ninth header of an answer makes
// its map twice as large.
const smallBody = 1 << 10

// writeBody is writeJSON for a value that is encoded.
func writeBody(w http.ResponseWriter, body []byte) {
	header := w.Header()
	header["Content-Type"] = typeJSON
	header["Cache-Control"] = noStore
	if len(body) > smallBody {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	_, _ = w.Write(body) // the client has gone; nothing is left to tell it
}
