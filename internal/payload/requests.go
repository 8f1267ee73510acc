package payload

import (
	"slices"

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
	}
	request.DryRun = o.isTrue(contract.FieldDryRun)
	request.Normalize()
	return request, o.check(request, PilotFields)
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
	return request, o.check(request, QuestionFields)
}

// ServiceID reads the id of a service from tool arguments. It does not check whether
// the service exists.
func ServiceID(o *Object) (string, error) {
	id := contract.CleanLine(o.Text(contract.FieldID))
	if len(o.faults) > 0 {
		return "", contract.InvalidFields(o.faults)
	}
	if id == "" {
		return "", contract.Invalid(contract.FieldID, contract.FieldID+" is required")
	}
	return id, nil
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
	return request, o.check(request, FeedbackFields)
}

// check joins the faults of types and bounds, in the order of the fields. A field of
// the wrong type reads as empty, so the validator's message about it is left out.
func (o *Object) check(request any, order []string) error {
	faults := o.faults
	for _, failure := range contract.Validate(request) {
		if !slices.ContainsFunc(o.faults, func(f contract.FieldError) bool { return f.Field == failure.Field }) {
			faults = append(faults, failure)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b contract.FieldError) int {
		return slices.Index(order, a.Field) - slices.Index(order, b.Field)
	})
	return contract.InvalidFields(faults)
}
