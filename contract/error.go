package contract

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Error is the error of the core. Everything but Cause is public; Cause goes only to the
// log and never reaches a caller.
type Error struct {
	Code   Code
	Detail string       // what happened, in one sentence; names the field of an invalid_request
	Hint   string       // advice on the fix; empty means the advice of the code
	Fields []FieldError // every failing field, when validation failed
	// RetryAfter is how long a rate-limited caller has to wait. It is a whole
	// number of seconds from 1 to 60 (section 8), and zero for other codes.
	RetryAfter time.Duration
	Policy     string   // the name of the policy that the client exceeds, if any; for the metrics
	KnownIDs   []string // the ids of the services, if the given one is unknown
	Cause      error
	// Status is the HTTP status if it differs from the code's: 406 has no code of its own
	// (decisions, MCP). Zero means the code's.
	Status int
	// RPC is set when the HTTP transport of MCP refuses: the answer is then also a
	// JSON-RPC error object.
	RPC *RPCRefusal
}

// FieldError says what is wrong with one field of a body, or with a header.
type FieldError struct {
	Field string `json:"field"`
	// Pointer is the JSON Pointer (RFC 6901) to the field in the body. Problem sets
	// it; it is empty for a header.
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Detail
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

func (e *Error) Unwrap() error { return e.Cause }

// Invalid refuses a request because of one field. The message is a sentence that
// begins with the field's name, without its full stop.
func Invalid(field, message string) *Error {
	return InvalidFields([]FieldError{{Field: field, Message: message}})
}

// InvalidFields refuses a request because of several fields: detail holds all their
// messages, in this order.
func InvalidFields(fields []FieldError) *Error {
	messages := make([]string, len(fields))
	for i, f := range fields {
		messages[i] = f.Message
	}
	return &Error{Code: InvalidRequest, Detail: strings.Join(messages, "; ") + ".", Fields: fields}
}

// ForPrivatePerson adds the advice for a person without a business to the hint.
func (e *Error) ForPrivatePerson() *Error {
	e.Hint = e.Code.Info().Hint + " " + PrivatePerson
	return e
}

// InvalidBody refuses a request whose body as a whole cannot be read, with advice
// on how to write it.
func InvalidBody(detail, hint string) *Error {
	return &Error{Code: InvalidRequest, Detail: detail, Hint: hint}
}

// NoEndpoint is the error of a path that does not exist. The hint may be empty.
func NoEndpoint(hint string) *Error {
	return &Error{Code: NotFound, Detail: "There is no endpoint at this path.", Hint: hint}
}

// ForeignOrigin refuses a browser origin, as it is shown to the caller, that the service at
// baseURL does not serve.
func ForeignOrigin(origin, baseURL string) *Error {
	return &Error{
		Code:   Forbidden,
		Detail: "This service does not serve the browser origin " + origin + ".",
		Hint:   "Call from a page of " + baseURL + ", or from a program that sends no Origin header.",
	}
}

// TooLarge refuses a body over its cap, which counts bytes.
func TooLarge(limit int64) *Error {
	return &Error{
		Code:   PayloadTooLarge,
		Detail: fmt.Sprintf("The body is larger than %d bytes.", limit),
		Hint: `Shorten the body, and write it in UTF-8 without \u escapes. The cap counts bytes: a character outside ASCII ` +
			"takes two to four of them, escaped six or twelve, so a long text in such a script meets the cap before its bound " +
			"in characters.",
	}
}

// Internal hides cause behind an internal_error.
func Internal(cause error) *Error {
	return &Error{Code: InternalError, Detail: "The service failed to handle the request.", Cause: cause}
}

// AsError returns err as an *Error. Any other error becomes an internal_error whose text
// goes only to the log.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Internal(err)
}

// Problem is the error body of every /v1 and /api path: RFC 9457 with the members of
// section 7, and the older ok and error for the service's pages.
type Problem struct {
	Type   string       `json:"type"`
	Title  string       `json:"title"`
	Status int          `json:"status"`
	Detail string       `json:"detail"`
	Code   Code         `json:"code"`
	Hint   string       `json:"hint"`
	OK     bool         `json:"ok"`
	Error  string       `json:"error"`
	Errors []FieldError `json:"errors,omitempty"`
	// RequestID is the X-Request-Id of the answer. It is the last member, and empty in a record
	// that the command line makes itself.
	RequestID string `json:"request_id,omitempty"`
}

// Problem returns the public record of e; baseURL begins the URL of its type.
func (e *Error) Problem(baseURL string) Problem {
	info := e.Code.Info()
	return Problem{
		Type:   baseURL + PathDevelopers + "#" + ErrorAnchor(info.Code),
		Title:  info.Title,
		Status: e.HTTPStatus(),
		Detail: e.Detail,
		Code:   info.Code,
		Hint:   cmp.Or(e.Hint, info.Hint),
		Error:  e.Detail,
		Errors: withPointers(e.Fields),
	}
}

// pointerEscapes escapes a reference token (RFC 6901, section 3).
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func withPointers(fields []FieldError) []FieldError {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if !slices.Contains([]string{HeaderIdempotencyKey, HeaderMCPVersion, HeaderAccept}, f.Field) {
			fields[i].Pointer = "/" + pointerEscapes.Replace(f.Field)
		}
	}
	return fields
}

// HTTPStatus returns the HTTP status of the answer to e.
func (e *Error) HTTPStatus() int { return cmp.Or(e.Status, e.Code.Status()) }

// SetRetryAfter sets the header Retry-After for a caller that has to wait.
func (e *Error) SetRetryAfter(header http.Header) {
	if e.RetryAfter > 0 {
		header.Set(HeaderRetryAfter, strconv.Itoa(e.waitSeconds()))
	}
}

func (e *Error) waitSeconds() int { return int(e.RetryAfter / time.Second) }

// ErrorAnchor returns the fragment of the developer page that explains a code.
func ErrorAnchor(c Code) string { return "errors-" + string(c) }
