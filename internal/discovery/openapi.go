package discovery

import (
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

// Examples are requests with the service's real answers, so that the examples of the
// description cannot be wrong.
type Examples struct {
	Requests           SampleRequests
	Answered, Fallback contract.Answer
	Preview            contract.Preview
}

// SampleRequests are the requests of the description's examples. The service answers
// them itself (Examples).
type SampleRequests struct {
	Answered   string // a question with an approved answer
	Unanswered string // one without
	Pilot      contract.PilotRequest
}

// nothing is a question without words, which no entry answers.
const nothing = "?"

// NewSampleRequests chooses the requests from content that is live at now.
func NewSampleRequests(c *content.Content, now time.Time) SampleRequests {
	sample := SampleRequests{
		Answered:   nothing,
		Unanswered: nothing,
		Pilot: contract.PilotRequest{
			Name: "Ada Lovelace", Business: "Analytical Engines Ltd", Email: "ada@example.com",
			Message: "We would like to try it for four weeks.", DryRun: true,
		},
	}
	for i := range c.FAQ.Entries {
		if entry := &c.FAQ.Entries[i]; entry.Live(now) {
			sample.Answered = entry.Question
			break
		}
	}
	if len(c.Golden.Unanswered) > 0 {
		sample.Unanswered = c.Golden.Unanswered[0].Q
	}
	return sample
}

// openAPI is the description of the API (sections 1 and 9.6).
func (p *Publication) openAPI() []byte {
	data := p.data()
	send := p.Examples.Requests.Pilot
	send.DryRun = false // without preview: the digest depends on the owner's addresses
	data["Example"] = map[string]any{
		"Question": contract.Question{Q: p.Examples.Requests.Answered},
		"Answered": p.Examples.Answered, "Fallback": p.Examples.Fallback, "Feedback": sampleFeedback(p.Examples.Answered),
		"DryRun": p.Examples.Requests.Pilot, "Send": send, "Preview": p.Examples.Preview,
	}
	return renderYAML("openapi.yaml", data)
}

func sampleFeedback(answer contract.Answer) contract.Feedback {
	feedback := contract.Feedback{Helpful: new(true)}
	if answer.EntryID == nil {
		feedback.Q = nothing
	} else {
		feedback.EntryID = *answer.EntryID
	}
	return feedback
}

// problemExample is a problem record as a caller of the service at base receives it.
func problemExample(base string, code contract.Code) contract.Problem {
	refusals := map[contract.Code]*contract.Error{
		contract.InvalidRequest: contract.Invalid(contract.FieldBusiness, contract.FieldBusiness+
			" is required").ForPrivatePerson(),
		contract.RateLimited: contract.AskPolicy.Exceeded(0),
	}
	problem := refusals[code].Problem(base)
	problem.RequestID = "0123456789abcdef"
	return problem
}
