package contract

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/go-playground/validator/v10"
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
	Name     string `json:"name" validate:"required,line,MaxName" jsonschema:"The name of the person to answer."`
	Business string `json:"business" validate:"required,line,MaxBusiness" jsonschema:"The business that they ask for. A private person gives their own name."`
	Email    string `json:"email" validate:"required,address" jsonschema:"Where the answer goes. One plain address."`
	Message  string `json:"message" validate:"required,text,MaxMessage" jsonschema:"What they want, in their own words."`
	Phone    string `json:"phone,omitempty" validate:"line" jsonschema:"A telephone number."`
	Segment  string `json:"segment,omitempty" validate:"line" jsonschema:"The line of business."`
	// DryRun asks for validation and a preview only: nothing is sent or stored.
	DryRun bool `json:"dry_run,omitempty" validate:"-" jsonschema:"True validates and previews only: nothing is sent or stored."`
	// Preview is the digest of a dry run. A real send with it is refused unless its mail
	// would be exactly the previewed mail.
	Preview string `json:"preview,omitempty" validate:"line" jsonschema:"The digest of the approved dry run: the call is refused if its mail would differ."`
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

// Question is the ask payload (section 2).
type Question struct {
	Q string `json:"q" validate:"required,text,MaxQuestion" jsonschema:"One question on one topic."`
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
	for _, field := range []*string{&p.Name, &p.Business, &p.Email, &p.Phone, &p.Segment, &p.Preview} {
		*field = CleanLine(*field)
	}
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

// Bounds are the rules of a text field that a schema can express.
type Bounds struct {
	Required  bool // and not empty
	MaxLength int  // in characters; zero means that only the body's cap bounds it
	Address   bool // one plain e-mail address
}

// FieldBounds returns the bounds of a field by its validate tag.
func FieldBounds(tag string) Bounds {
	var bounds Bounds
	for rule := range strings.SplitSeq(tag, ",") {
		switch rule {
		case "required":
			bounds.Required = true
		case ruleAddress:
			bounds.Address, bounds.MaxLength = true, MaxEmail
		default:
			if most, isBound := values[rule].(int); isBound {
				bounds.MaxLength = most
			}
		}
	}
	return bounds
}

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
	failures, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		panic(err) // not a struct: every test would find it
	}
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
	case "max":
		if field == FieldQuestion {
			return fmt.Sprintf("%s is too long: keep it under %d characters", field, MaxQuestion)
		}
		return fmt.Sprintf("%s must be at most %s characters", field, failure.Param())
	default:
		return field + " is not valid"
	}
}

// Characters that join letters in some scripts and emoji: the only format
// characters allowed in a one-line field (decisions).
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// CleanLine trims white space around a one-line field.
func CleanLine(s string) string { return strings.TrimSpace(s) }

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
		isPrintableASCII := ' ' <= r && r <= '~' // most characters, and quickly known
		return !isPrintableASCII && r != zeroWidthNonJoiner && r != zeroWidthJoiner &&
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}

// isText reports whether s has no control characters except tab and line feed. Format
// characters are allowed: free text may be in any script.
func isText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' })
}
