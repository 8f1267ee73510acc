package payload

import (
	"slices"
	"strings"

	"frontdesk/contract"
)

// Field names of the bodies, for ParseJSON and ParseForm.
var (
	PilotFields    = slices.Concat(contract.ContactRequired, contract.ContactOptional)
	QuestionFields = []string{contract.FieldQuestion}
	TrialFields    = slices.Concat(contract.TrialRequired, contract.TrialOptional)
	FeedbackFields = []string{contract.FieldHelpful, contract.FieldEntryID, contract.FieldQuestion, contract.FieldComment}
)

// Pilot reads a pilot request from a body, normalizes it and validates it.
func Pilot(o *Object) (contract.PilotRequest, error) {
	request := contract.PilotRequest{
		Name:     o.Text(contract.FieldName),
		Business: o.Text(contract.FieldBusiness),
		Email:    o.Text(contract.FieldEmail),
		Message:  o.Text(contract.FieldMessage),
		Phone:    o.Text(contract.FieldPhone),
		Segment:  o.Text(contract.FieldSegment),
		Preview:  o.Text(contract.FieldPreview),
		DryRun:   o.isTrue(contract.FieldDryRun),
	}
	request.Normalize()
	err := o.check(request, PilotFields)
	if err != nil && request.Business == "" {
		_ = contract.AsError(err).ForPrivatePerson()
	}
	return request, err
}

// Trial reads a request for a trial from a body, normalizes it and validates it.
func Trial(o *Object) (contract.TrialRequest, error) {
	request := contract.TrialRequest{
		Business: o.Text(contract.FieldBusiness),
		Email:    o.Text(contract.FieldEmail),
		Name:     o.Text(contract.FieldName),
		Segment:  o.Text(contract.FieldSegment),
		DryRun:   o.isTrue(contract.FieldDryRun),
	}
	request.Normalize()
	return request, o.check(request, TrialFields)
}

// isTrue reads a flag; an absent one is false.
func (o *Object) isTrue(name string) bool {
	flag := o.Bool(name)
	return flag != nil && *flag
}

// Question reads a question from a body, normalizes it and validates it.
func Question(o *Object) (contract.Question, error) {
	request := contract.Question{Q: o.Text(contract.FieldQuestion)}
	request.Normalize()
	return request, o.namesQuestion(o.check(request, QuestionFields))
}

// namesQuestion adds to the error of a missing q in which field the question seems to be.
func (o *Object) namesQuestion(err error) error {
	if _, given := o.Raw(contract.FieldQuestion); err == nil || given {
		return err
	}
	for _, name := range []string{"question", "query", "text"} {
		if o.others[name] {
			contract.AsError(err).Hint = "Send the question as " + contract.FieldQuestion + ", not as " + name + "."
			break
		}
	}
	return err
}

// ServiceID reads the id of one of the known services from tool arguments. The error about
// an unknown id lists the known ones.
func ServiceID(o *Object, known []string) (string, error) {
	id := contract.CleanLine(o.Text(contract.FieldID))
	unknown := false
	switch {
	case o.failed(contract.FieldID):
	case id == "":
		o.fail(contract.FieldID, "is required")
	case !slices.Contains(known, id):
		unknown = true
		o.fail(contract.FieldID, Shown(id)+" is not the id of a service")
	}
	err := o.Err()
	if unknown {
		refusal := contract.AsError(err)
		refusal.KnownIDs = known
		refusal.Hint = "The ids are " + strings.Join(known, ", ") + "; " + contract.ToolListServices +
			" describes each service."
	}
	return id, err
}

// Feedback reads feedback from a body, normalizes it and validates it.
func Feedback(o *Object) (contract.Feedback, error) {
	request := contract.Feedback{
		Helpful: o.Bool(contract.FieldHelpful),
		EntryID: o.Text(contract.FieldEntryID),
		Q:       o.Text(contract.FieldQuestion),
		Comment: o.Text(contract.FieldComment),
	}
	request.Normalize()
	err := o.check(request, FeedbackFields)
	if request.EntryID == "" {
		err = o.namesQuestion(err)
	}
	return request, err
}

// check joins the errors of names, types and bounds: names that are not known first, then
// in the order of the fields. A field of the wrong type reads as empty, so the validator's message about it is left
// out.
func (o *Object) check(request any, order []string) error {
	for _, failure := range contract.Validate(request) {
		if !o.failed(failure.Field) {
			o.errors = append(o.errors, failure)
		}
	}
	slices.SortStableFunc(o.errors, func(a, b contract.FieldError) int {
		return slices.Index(order, a.Field) - slices.Index(order, b.Field)
	})
	return o.Err()
}
