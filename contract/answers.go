package contract

// Health is the answer of the liveness check (section 4).
type Health struct {
	Status string `json:"status"`
}

// HealthOK is the only status that a running service reports.
const HealthOK = "ok"

// Reason says why a question got its answer (decisions).
type Reason string

// The reasons of an answer. ReasonRateLimitedGlobal means that the shared daily cap of
// model-assisted answers is reached (section 8.2).
const (
	ReasonMatched           Reason = "matched"
	ReasonNoMatch           Reason = "no_match"
	ReasonRateLimitedGlobal Reason = "rate_limited_global"
	ReasonModelUnavailable  Reason = "model_unavailable"
)

// Reasons lists all reasons.
var Reasons = []Reason{ReasonMatched, ReasonNoMatch, ReasonRateLimitedGlobal, ReasonModelUnavailable}

// Match says how the answering entry was found (decisions).
type Match string

// How an entry is found.
const (
	MatchExact     Match = "exact"
	MatchAlternate Match = "alternate"
	MatchSelector  Match = "selector"
	MatchModel     Match = "model"
	MatchNone      Match = "none"
)

// Matches lists all values of Match.
var Matches = []Match{MatchExact, MatchAlternate, MatchSelector, MatchModel, MatchNone}

// Answer is the body of a successful ask (decisions). Its text is approved, byte for
// byte: an entry's answer, or the fallback when no entry answers. In a fallback the
// members of an entry are null; only a fallback has suggestions and candidates.
type Answer struct {
	OK     bool   `json:"ok"`
	Answer string `json:"answer"` // the approved text, word for word. Quote it; do not change it.
	// why the answer is what it is. Only matched answers the question; with any other reason the text is the approved
	// fallback.
	Reason   Reason  `json:"reason"`
	Match    Match   `json:"match"`
	EntryID  *string `json:"entry_id"` // the id of the entry that answers
	Question *string `json:"question"` // the approved question of that entry
	URL      *string `json:"url"`      // where to read more
	Revision *string `json:"revision"` // changes when the text of the entry does
	// approved questions that come close, best first, when nothing matched: those of candidates
	Suggestions []string `json:"suggestions"`
	// the entries of suggestions with their approved answers, when nothing matched. If one answers what the user asked,
	// give its answer unchanged.
	Candidates []Candidate `json:"candidates"`
	// Encoded is the whole body if it was prepared, else nil. It is shared and must not
	// be modified.
	Encoded []byte `json:"-"`
	// Confidence is the selector's estimate, from 0 to 1, that its entry, or else the first
	// candidate, answers the question; 0 where no selector chose. It is never published.
	Confidence float64 `json:"-"`
}

// Candidate is an approved entry that may answer a question (decisions, Answers). Its
// texts are as published, byte for byte.
type Candidate struct {
	EntryID  string  `json:"entry_id"`
	Question string  `json:"question"` // its approved question
	Answer   string  `json:"answer"`   // its approved text, word for word
	URL      *string `json:"url"`      // where to read more
	Revision string  `json:"revision"` // changes when the text does
}

// FeedbackTaken is the body of a successful feedback request.
type FeedbackTaken struct {
	OK bool `json:"ok"`
}

// StatusAccepted is the status of an inquiry whose mail was accepted.
const StatusAccepted = "accepted"

// Accepted is the body of a successful real send (decisions): the mail server has
// accepted the mail.
type Accepted struct {
	OK      bool   `json:"ok"`
	ID      string `json:"id"`
	Status  string `json:"status"`  // the mail server has taken the e-mail
	Message string `json:"message"` // what happens next
}

// Preview is the body of a dry run (section 4).
type Preview struct {
	OK        bool      `json:"ok"`
	DryRun    bool      `json:"dry_run"` // true: nothing was sent or stored
	WouldSend WouldSend `json:"would_send"`
	Digest    string    `json:"digest"` // identifies this very mail; pass it as preview of the real send
}

// WouldSend is exactly what a real send would mail: the normalized fields and the mail
// made from them.
type WouldSend struct {
	Name     string `json:"name"`
	Business string `json:"business"`
	Email    string `json:"email"`
	Message  string `json:"message"`
	Phone    string `json:"phone,omitempty"`
	Segment  string `json:"segment,omitempty"`
	Subject  string `json:"subject"`
	ReplyTo  string `json:"reply_to"` // the address that the answer would go to
	Text     string `json:"text"`     // the whole text of the e-mail
}
