package contract

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
