package contract

// Health is the answer of the liveness check (section 4).
type Health struct {
	Status string `json:"status"`
}

// HealthOK is the only status that a running service reports.
const HealthOK = "ok"

// Reason says why an answer is what it is (decisions).
type Reason string

// The reasons of an answer. RateLimitedGlobal is the contract's own (section
// 8.2): the shared daily cap of model-assisted answers is reached.
const (
	ReasonMatched           Reason = "matched"
	ReasonNoMatch           Reason = "no_match"
	ReasonRateLimitedGlobal Reason = "rate_limited_global"
	ReasonModelUnavailable  Reason = "model_unavailable"
)

// Reasons are all of them.
var Reasons = []Reason{ReasonMatched, ReasonNoMatch, ReasonRateLimitedGlobal, ReasonModelUnavailable}

// Match says how the answering entry was found (decisions).
type Match string

// The ways an entry is found.
const (
	MatchExact     Match = "exact"
	MatchAlternate Match = "alternate"
	MatchSelector  Match = "selector"
	MatchModel     Match = "model"
	MatchNone      Match = "none"
)

// Matches are all of them.
var Matches = []Match{MatchExact, MatchAlternate, MatchSelector, MatchModel, MatchNone}

// Answer is the body of a successful ask (decisions). Answer is approved text,
// byte for byte: an entry's, or the fallback when no entry answers. What belongs
// to an entry is null in the fallback, and only the fallback makes suggestions.
type Answer struct {
	OK          bool     `json:"ok"`
	Answer      string   `json:"answer"`
	Reason      Reason   `json:"reason"`
	Match       Match    `json:"match"`
	EntryID     *string  `json:"entry_id"`
	Question    *string  `json:"question"`
	URL         *string  `json:"url"`
	Revision    *string  `json:"revision"`
	Suggestions []string `json:"suggestions"`
	// Encoded is the whole body where it has been made before, else nil. It is
	// shared and must not be written to.
	Encoded []byte `json:"-"`
}

// FeedbackTaken is the body of a successful feedback request.
type FeedbackTaken struct {
	OK bool `json:"ok"`
}

// StatusAccepted is the status of an inquiry whose mail has left.
const StatusAccepted = "accepted"

// Accepted is the body of a successful real send (decisions): the mail server
// has taken the mail.
type Accepted struct {
	OK      bool   `json:"ok"`
	ID      string `json:"id"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// Preview is the body of a dry run (section 4).
type Preview struct {
	OK        bool      `json:"ok"`
	DryRun    bool      `json:"dry_run"`
	WouldSend WouldSend `json:"would_send"`
	Digest    string    `json:"digest"`
}

// WouldSend is exactly what a real send would mail: the normalized fields and
// the mail made of them.
type WouldSend struct {
	Name     string `json:"name"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Message  string `json:"message"`
	Phone    string `json:"phone,omitempty"`
	Segment  string `json:"segment,omitempty"`
	Subject  string `json:"subject"`
	ReplyTo  string `json:"reply_to"`
	Text     string `json:"text"`
}
