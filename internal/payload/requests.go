package payload

import (
	"slices"

	"frontdesk/contract"
)

// Field names of the bodies, as ParseJSON and ParseForm need them.
var (
	PilotFields    = slices.Concat(contract.ContactRequired, contract.ContactOptional)
	QuestionFields = []string{contract.FieldQuestion}
	TrialFields    = slices.Concat(contract.TrialRequired, contract.TrialOptional)
	FeedbackFields = []string{contract.FieldHelpful, contract.FieldEntryID, contract.FieldQuestion, contract.FieldComment}
)

// Pilot takes a pilot request out of a body, normalized and validated.
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

// Trial takes a request for a trial out of a body, normalized and validated.
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

// isTrue reads a flag that is off when it is absent.
func (o *Object) isTrue(name string) bool {
	flag := o.Bool(name)
	return flag != nil && *flag
}

// Question takes a question out of a body, normalized and validated.
func Question(o *Object) (contract.Question, error) {
	request := contract.Question{Q: o.Text(contract.FieldQuestion)}
	request.Normalize()
	return request, o.check(request, QuestionFields)
}

// ServiceID takes the id of a service out of tool arguments. Whether there is such
// a service is for the catalog to say.
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

// Feedback takes feedback out of a body, normalized and validated.
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

// check joins what is wrong with the types and with the bounds, in the order of
// the fields. A field of the wrong type reads as empty, so what the validator says
// of it is left out. The request comes by value: of one that it could change, the
// validator copies each field.
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
