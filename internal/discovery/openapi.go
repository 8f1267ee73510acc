package discovery

import (
	"cmp"

	"frontdesk/contract"
)

// nothing is a question without words, which no entry answers.
const nothing = "?"

// exampleQuestions returns a question with an approved answer and one without.
func (p *Publication) exampleQuestions() (answered, unanswered string) {
	answered, unanswered = cmp.Or(p.Content.FAQ.LiveQuestion(p.Now), nothing), nothing
	if len(p.Content.Golden.Unanswered) > 0 {
		unanswered = p.Content.Golden.Unanswered[0].Q
	}
	return answered, unanswered
}

// openAPI is the description of the API (sections 1 and 9.6).
func (p *Publication) openAPI() []byte {
	data := p.data()
	question, unanswered := p.exampleQuestions()
	answered := p.Ask(question)
	send := contract.PilotRequest{ // without preview: the digest depends on the owner's addresses
		Name: "Ada Lovelace", Business: "Analytical Engines Ltd", Email: "ada@example.com",
		Message: "We would like to try it for four weeks.",
	}
	dryRun := send
	dryRun.DryRun = true
	feedback := contract.Feedback{Helpful: new(true), Q: nothing}
	if answered.EntryID != nil {
		feedback.EntryID, feedback.Q = *answered.EntryID, ""
	}
	data["Example"] = map[string]any{
		"Question": contract.Question{Q: question},
		"Answered": answered, "Fallback": p.Ask(unanswered), "Feedback": feedback,
		"DryRun": dryRun, "Send": send, "Preview": p.Preview(dryRun),
	}
	return renderYAML("openapi.yaml", data)
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
