package contract

import (
	"fmt"
	"net/mail"
	"net/netip"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/dunglas/httpsfv"
	"github.com/go-playground/validator/v10"
	"golang.org/x/net/idna"
)

// Field names of the request bodies (section 2; feedback and preview: decisions).
const (
	FieldName     = "name"
	FieldBusiness = "business"
	FieldEmail    = "email"
	FieldMessage  = "message"
	FieldPhone    = "phone"
	FieldSegment  = "segment"
	FieldDryRun   = "dry_run"
	FieldPreview  = "preview"
	FieldQuestion = "q"
	FieldHelpful  = "helpful"
	FieldEntryID  = "entry_id"
	FieldComment  = "comment"
)

// PilotRequest is the contact payload (section 2). Business is required: the stricter of
// the two rules that the contract mentions.
type PilotRequest struct {
	Name     string `json:"name" validate:"required,line,MaxName"`
	Business string `json:"business" validate:"required,line,MaxBusiness"`
	Email    string `json:"email" validate:"required,address"`
	Message  string `json:"message" validate:"required,text,MaxMessage"`
	Phone    string `json:"phone,omitempty" validate:"line"`
	Segment  string `json:"segment,omitempty" validate:"line"`
	// DryRun asks for validation and a preview only: nothing is sent or stored.
	DryRun bool `json:"dry_run,omitempty" validate:"-"`
	// Preview is the digest of a dry run. A real send with it is refused unless its mail
	// would be exactly the previewed mail.
	Preview string `json:"preview,omitempty" validate:"line"`
	// Question is what the person had asked before, and carried over into the message of the
	// form. It is no field of the payload: only the owner's record has it.
	Question string `json:"-" validate:"-"`
}

// PrivatePerson is the advice about the business of a person who has none.
const PrivatePerson = "A private person gives their own name as the business."

// NoBusiness is the business that a form sends which does not ask for one.
const NoBusiness = "-"

// IsPrivate reports whether the business of a request says that a person has none.
func IsPrivate(business string) bool { return business == "" || business == NoBusiness }

// Sender names who sends a request: the business, or a person who has none.
func Sender(name, business string) string {
	if IsPrivate(business) {
		return name
	}
	return business
}

// The required and the optional contact fields, as the catalog publishes them.
var (
	ContactRequired = []string{FieldName, FieldBusiness, FieldEmail, FieldMessage}
	ContactOptional = []string{FieldPhone, FieldSegment, FieldDryRun, FieldPreview}
)

// About describes to agents each field that both the forms (WebMCP) and the MCP tools have.
var About = map[string]string{
	FieldName:     "The name of the person to answer.",
	FieldBusiness: "The business that they ask for. A private person gives their own name.",
	FieldEmail:    "Where the answer goes. One plain address.",
	FieldMessage:  "What they want, in their own words.",
	FieldPhone:    "A telephone number.",
	FieldSegment:  "The line of business.",
	FieldQuestion: "One question on one topic.",
}

// Question is the ask payload (section 2).
type Question struct {
	Q string `json:"q" validate:"required,text,MaxQuestion"`
}

// Feedback is a caller's rating of an answer (decisions). At least one of EntryID and Q
// says which answer is meant.
type Feedback struct {
	Helpful *bool  `json:"helpful" validate:"required"`
	EntryID string `json:"entry_id,omitempty" validate:"required_without=Q,line"`
	Q       string `json:"q,omitempty" validate:"text,MaxQuestion"`
	Comment string `json:"comment,omitempty" validate:"text,MaxComment"`
}

// Normalize prepares the fields for checking and sending: it trims them and writes the
// line breaks of the message as single line feeds.
func (p *PilotRequest) Normalize() {
	cleanLines(&p.Name, &p.Business, &p.Email, &p.Phone, &p.Segment, &p.Preview)
	p.Message = cleanText(p.Message)
}

// Normalize trims the question and replaces every run of white space with one space.
func (q *Question) Normalize() { q.Q = CleanQuestion(q.Q) }

// Normalize treats q as a question, entry_id as a line and comment as text.
func (f *Feedback) Normalize() {
	f.EntryID, f.Q, f.Comment = CleanLine(f.EntryID), CleanQuestion(f.Q), cleanText(f.Comment)
}

// validate is the only validator. Struct tags name bounds in characters as Values does, so
// that no tag repeats a number.
var validate = newValidator()

func newValidator() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		return name
	})
	for name, value := range values {
		if most, isBound := value.(int); isBound && strings.HasPrefix(name, "Max") {
			v.RegisterAlias(name, fmt.Sprintf("max=%d", most))
		}
	}
	for tag, holds := range map[string]func(string) bool{
		"line":      isLine,
		"text":      isText,
		ruleAddress: addressRule(v),
	} {
		rule := func(field validator.FieldLevel) bool { return holds(field.Field().String()) }
		if err := v.RegisterValidation(tag, rule); err != nil {
			panic(err) // a malformed tag: every test would find it
		}
	}
	return v
}

// Validate checks a normalized request against its bounds. It returns the errors of its
// fields, in the order of the fields, or nil.
func Validate(request any) []FieldError {
	err := validate.Struct(request)
	if err == nil {
		return nil
	}
	failures := err.(validator.ValidationErrors) // any other is of a request that is no struct
	fields := make([]FieldError, len(failures))
	for i, failure := range failures {
		fields[i] = FieldError{Field: failure.Field(), Message: message(failure)}
	}
	return fields
}

// message describes a failed rule to the caller; it begins with the field's name.
func message(failure validator.FieldError) string {
	field := failure.Field()
	if failure.Tag() == ruleAddress {
		return fmt.Sprintf("%s must be one plain e-mail address of at most %d ASCII characters", field, MaxEmail)
	}
	switch failure.ActualTag() {
	case "required":
		return field + " is required"
	case "required_without":
		return field + " or " + FieldQuestion + " is required"
	case "line":
		return field + " must be one line without control or formatting characters"
	case "text":
		return field + " must not hold control characters"
	}
	if field == FieldQuestion { // its rule is max, like that of the others
		return fmt.Sprintf("%s is too long: keep it under %d characters", field, MaxQuestion)
	}
	return fmt.Sprintf("%s must be at most %s characters", field, failure.Param())
}

// Characters that join letters in some scripts and emoji: the only format
// characters allowed in a one-line field (decisions).
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// CleanLine trims white space around a one-line field.
func CleanLine(s string) string { return strings.TrimSpace(s) }

func cleanLines(fields ...*string) {
	for _, field := range fields {
		*field = CleanLine(*field)
	}
}

// cleanText trims white space around a text of several lines and writes its line breaks
// as single line feeds, so that JSON and a browser's form give the same text.
func cleanText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
}

// CleanQuestion trims a question and replaces runs of white space with one space.
func CleanQuestion(s string) string { return strings.Join(strings.Fields(s), " ") }

// isLine reports whether s has only characters that are allowed in a one-line field: no
// control characters, no line separators, and no format characters except joiners, so
// that no bidi override can disguise a name.
func isLine(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != zeroWidthNonJoiner && r != zeroWidthJoiner &&
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// isText reports whether s has no control characters except tab and line feed. Format
// characters are allowed: free text may be in any script.
func isText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' })
}

// MaxKey is the longest Idempotency-Key, in characters without its quotes, and
// KeyLifetime is how long its answer is kept (decisions, Idempotency-Key).
const (
	MaxKey      = 255
	KeyLifetime = 24 * time.Hour
)

// FieldIdempotencyKey is the tool argument that carries an Idempotency-Key.
const FieldIdempotencyKey = "idempotency_key"

// IdempotencyKey names one real request, however often it is sent. The zero value means
// no key.
type IdempotencyKey struct {
	Value string
	Field string // how the caller sent it: the header or the tool argument
}

// ParseKey reads an Idempotency-Key from the values of the header or of the tool
// argument; without any value it returns the zero key. The draft writes a key as a
// string of structured fields (RFC 9651 3.3.3), in quotes. Most clients send it bare:
// "k" and k are the same key. The error is an invalid_request that names field.
func ParseKey(field string, values []string) (IdempotencyKey, error) {
	if len(values) == 0 {
		return IdempotencyKey{}, nil
	}
	key := ""
	if len(values) == 1 { // several values may be different keys; values joined by a proxy contain a comma
		key = unquoteKey(strings.Trim(values[0], " \t"))
	}
	if key == "" || len(key) > MaxKey {
		refusal := Invalid(field, fmt.Sprintf("%s must be given once, as 1 to %d printable ASCII characters", field, MaxKey))
		refusal.Hint = "Send a random key such as a UUID, bare or in double quotes; one with spaces, commas or quotes must " +
			"be in quotes."
		return IdempotencyKey{}, refusal
	}
	return IdempotencyKey{Value: key, Field: field}, nil
}

// unquoteKey returns a key without its quotes, "" for one that is malformed.
func unquoteKey(text string) string {
	if strings.HasPrefix(text, `"`) {
		item, _ := httpsfv.UnmarshalItem([]string{text}) // without a value on an error
		key, _ := item.Value.(string)
		return key
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r == '"' }) {
		return ""
	}
	return text
}

// KeyReused refuses a request whose key, sent as field, was used for another request.
func KeyReused(field string) *Error {
	refusal := Invalid(field, field+" was sent with other fields before")
	refusal.Hint = "A key names one request: repeat that one with the very same fields, or send this one with a new " +
		"random key."
	return refusal
}

// FoldAddress returns an e-mail address in lower case, as the scope of a key: spellings
// that differ only by case are one sender.
func FoldAddress(address string) string { return strings.ToLower(address) }

// ASCIIHost returns a host in the form that the DNS and browsers have: münchen.example becomes
// xn--mnchen-3ya.example. A host of ASCII stays as it is.
func ASCIIHost(host string) (string, error) {
	if !strings.ContainsFunc(host, isNotASCII) {
		return host, nil
	}
	return idna.Lookup.ToASCII(host)
}

// defaultPorts are the ports that an address omits, by scheme.
var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// Authority returns a host in the form that signatures and browsers use (RFC 9421 2.2.3): in lower case, without the
// default port of the scheme.
func Authority(host, scheme string) string {
	return strings.TrimSuffix(strings.ToLower(host), defaultPorts[scheme])
}

// IsLoopback reports whether host is localhost, a name below it, or a loopback address.
func IsLoopback(host string) bool {
	if host = strings.ToLower(host); host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761 6.3
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func isNotASCII(r rune) bool { return r > unicode.MaxASCII }

// ValidAddress reports whether s is one plain e-mail address, by the rule for the email
// field of a pilot request.
func ValidAddress(s string) bool { return validate.Var(s, ruleAddress) == nil }

// The rule of an address (decisions): the validator's e-mail rule and net/mail must both
// accept the whole value, so that a display name, a comment, a list or a quoted local
// part is refused.
const ruleAddress = "address"

// addressRule implements ruleAddress. The two libraries take as long as the rest of a dry
// run, so common addresses, which both accept, skip them.
func addressRule(v *validator.Validate) func(string) bool {
	return func(s string) bool { return isCommonAddress(s) || (isPlainAddress(s) && v.Var(s, "email") == nil) }
}

// isCommonAddress reports whether s is an address of letters, digits and the usual signs
// between them. An address for which it is false may still be valid.
func isCommonAddress(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	top := domain[strings.LastIndexByte(domain, '.')+1:]
	return len(s) <= MaxEmail && len(top) < len(domain) &&
		isJoined(local, "._+-") && isJoined(domain, ".-") && !strings.ContainsAny(top, "-0123456789")
}

// isJoined reports whether s is ASCII letters and digits, joined by single signs.
func isJoined(s, signs string) bool {
	joint := true // no sign is allowed here
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			joint = false
		case joint || strings.IndexByte(signs, c) < 0:
			return false
		default:
			joint = true
		}
	}
	return !joint
}

// isPlainAddress is net/mail's part of the rule, with a bound that neither library has:
// ASCII of at most MaxEmail bytes.
func isPlainAddress(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && parsed.Name == "" && len(s) <= MaxEmail &&
		!strings.ContainsFunc(s, isNotASCII)
}
