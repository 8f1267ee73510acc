package contract

import "net/http"

// Code is the machine code of an error, the `code` member of a problem record
// (section 7).
type Code string

// The codes of section 7. There are no others.
const (
	InvalidRequest   Code = "invalid_request"
	Forbidden        Code = "forbidden"
	NotFound         Code = "not_found"
	MethodNotAllowed Code = "method_not_allowed"
	PayloadTooLarge  Code = "payload_too_large"
	RateLimited      Code = "rate_limited"
	InternalError    Code = "internal_error"
	BadGateway       Code = "bad_gateway"
)

// CodeInfo is one row of the error table: the meaning of a code, its HTTP status, and the
// hint of errors without their own.
type CodeInfo struct {
	Code      Code
	Status    int
	Title     string
	Condition string
	Hint      string
}

// codes is the table of section 7, in its order.
var codes = []CodeInfo{
	{InvalidRequest, http.StatusBadRequest, "Invalid request",
		"The body failed validation; detail names the field.",
		"Correct the field that detail names and send the request again."},
	{Forbidden, http.StatusForbidden, "Forbidden",
		"The request is not allowed, such as one with a browser Origin that this service does not serve; detail says why.",
		"The same request is refused again: see detail."},
	{NotFound, http.StatusNotFound, "Not found",
		"There is no endpoint at the path.",
		"Check the path: it is case-sensitive and has no trailing slash. /llms.txt lists the endpoints and pages."},
	{MethodNotAllowed, http.StatusMethodNotAllowed, "Method not allowed",
		"The path exists, but not for this method; the Allow header lists the methods that work.",
		"Use one of the methods in the Allow header."},
	{PayloadTooLarge, http.StatusRequestEntityTooLarge, "Payload too large",
		"The body is over the byte cap of its endpoint.",
		"Send a smaller body. The cap counts bytes, not characters."},
	{RateLimited, http.StatusTooManyRequests, "Too many requests",
		"Too many ask or contact requests from one client; see Retry-After and RateLimit.",
		"Wait for the number of seconds in Retry-After, then send the request again."},
	{InternalError, http.StatusInternalServerError, "Internal error",
		"A fault on the service's side.",
		"Nothing is wrong with the request: retry after a minute."},
	{BadGateway, http.StatusBadGateway, "Bad gateway",
		"The e-mail delivery service for contact requests failed.",
		"Nothing is wrong with the request: retry after a minute. Use an Idempotency-Key, the same one if the request had " +
			"one, so that it stays one request."},
}

// Codes returns the error table in the contract's order. The slice is a copy.
func Codes() []CodeInfo { return append([]CodeInfo(nil), codes...) }

// Info returns the row of c. An unknown code gets the row of internal_error, so that no
// mistake in the code can publish another code.
func (c Code) Info() CodeInfo {
	for _, info := range codes {
		if info.Code == c {
			return info
		}
	}
	return InternalError.Info()
}

// Status returns the HTTP status of the code.
func (c Code) Status() int { return c.Info().Status }
