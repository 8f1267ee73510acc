package discovery

import (
	"encoding/json"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
)

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

// examples are the examples of the description, as JSON.
type examples struct {
	OK, StatusAccepted                            string
	Health, Catalog, Question, Answered, Fallback string
	Feedback, FeedbackTaken                       string
	DryRun, Send, Preview, Accepted               string
	Initialize, ToolsList, ToolsCall, Ping, Pong  string
}

func newExamples(p *Publication) examples {
	text := func(v any) string { return string(compact(v)) }
	requests := p.Examples.Requests
	send := requests.Pilot
	send.DryRun = false // without preview: the digest depends on the owner's addresses
	return examples{
		OK: contract.HealthOK, StatusAccepted: contract.StatusAccepted,
		Health:        text(contract.Health{Status: contract.HealthOK}),
		Catalog:       text(shortened(p.Catalog)),
		Question:      text(contract.Question{Q: requests.Answered}),
		Answered:      text(p.Examples.Answered),
		Fallback:      text(p.Examples.Fallback),
		Feedback:      text(sampleFeedback(p.Examples.Answered)),
		FeedbackTaken: text(contract.FeedbackTaken{OK: true}),
		DryRun:        text(requests.Pilot),
		Send:          text(send),
		Preview:       text(p.Examples.Preview),
		Accepted: text(contract.Accepted{
			OK: true, ID: "inq_01kaj1vz3e8h5d9r2m7c4x6t0b", Status: contract.StatusAccepted,
			Message: "The request is accepted: a person reads it and answers by e-mail to " + send.Email + ".",
		}),
		Initialize: text(call(1, "initialize", map[string]any{
			"protocolVersion": contract.MCPVersions[0], "capabilities": map[string]any{},
			"clientInfo": map[string]string{"name": "example", "version": "1.0.0"},
		})),
		ToolsList: text(call(2, "tools/list", nil)),
		ToolsCall: text(call(3, "tools/call", map[string]any{"name": "list_services", "arguments": map[string]any{}})),
		Ping:      text(call(4, "ping", nil)),
		Pong:      `{"jsonrpc":"2.0","id":4,"result":{}}`,
	}
}

// call is a JSON-RPC request.
func call(id int, method string, params map[string]any) any {
	return struct {
		Version string         `json:"jsonrpc"`
		ID      int            `json:"id"`
		Method  string         `json:"method"`
		Params  map[string]any `json:"params,omitempty"`
	}{"2.0", id, method, params}
}

// shortened returns a catalog with only the first service and its pricing band.
func shortened(catalog contract.Catalog) contract.Catalog {
	service, _ := catalog.Service(catalog.Services[0].ID)
	catalog.Services = catalog.Services[:1]
	catalog.PricingBands = []contract.PricingBand{service.Pricing}
	return catalog
}

func sampleFeedback(answer contract.Answer) contract.Feedback {
	helpful := true
	feedback := contract.Feedback{Helpful: &helpful}
	if answer.EntryID == nil {
		feedback.Q = nothing
	} else {
		feedback.EntryID = *answer.EntryID
	}
	return feedback
}

// problemExample is a problem record as a caller receives it.
func (d *description) problemExample(code contract.Code) string {
	refusals := map[contract.Code]*contract.Error{
		contract.InvalidRequest:  contract.Invalid(contract.FieldBusiness, contract.FieldBusiness+" is required"),
		contract.Forbidden:       contract.ForeignOrigin(d.base()),
		contract.PayloadTooLarge: contract.TooLarge(contract.CapAsk),
		contract.RateLimited:     contract.AskPolicy.Exceeded(0),
		contract.InternalError:   contract.Internal(nil),
	}
	refusal := refusals[code]
	if refusal == nil {
		refusal = &contract.Error{Code: code, Detail: code.Info().Condition}
	}
	encoded, err := json.Marshal(refusal.Problem(d.base()))
	if err != nil {
		panic(err) // a problem record is plain data
	}
	return string(encoded)
}
