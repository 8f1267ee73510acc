package contract

// Bounds of fields, in Unicode characters after trimming (sections 2 and 8.4;
// feedback: decisions).
const (
	MaxQuestion = 300
	MaxName     = 200
	MaxBusiness = 200
	MaxMessage  = 5000
	MaxComment  = 400
)

// MaxEmail is the longest address accepted, in bytes (decisions; RFC 5321
// 4.5.3.1.3 as corrected by erratum 1690).
const MaxEmail = 254

// Caps of request bodies, in bytes (section 8.3; feedback: decisions). A body
// of exactly the cap is accepted.
const (
	CapAsk      = 2048
	CapFeedback = 2048
	CapContact  = 8192
	CapMCP      = 8192
)

// Caps of posted forms, in bytes (decisions). A browser writes a byte outside ASCII as
// three (%C3), so a form needs a larger cap than the same request as JSON, and a character
// of the message takes up to twelve.
const (
	CapAskPage     = 3 * CapAsk
	CapContactPage = 64 << 10
)

// MaxHeaderBytes is the setting of the same name of net/http's server. net/http accepts
// about 4 KiB more, so headers past 32 KiB are always refused with 431 (decisions).
const MaxHeaderBytes = 28 << 10

// MaxSuggestions is how many suggestions, and how many candidates, a fallback answer has.
const MaxSuggestions = 5
