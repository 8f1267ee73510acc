package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// reading are the hints of a tool that changes nothing and calls no other service.
var reading = hints{readOnly: true, idempotent: true}

func listServices(catalog contract.Catalog) *tool {
	result := encode(catalog)
	return &tool{
		name:  contract.ToolListServices,
		title: "List services and prices",
		description: "Read the whole catalog: what the business offers, the pricing bands, how to get in touch, " +
			"and what the service does not do. Call it first: it has the ids that " + contract.ToolGetService + " takes. " +
			"It has no limit.",
		input:  inputSchema[struct{}](),
		output: outputSchema[contract.Catalog](),
		hints:  reading,
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			return result, arguments.Err()
		},
	}
}

func getService(catalog contract.Catalog) *tool {
	ids := catalog.ServiceIDs()
	results := make(map[string]json.RawMessage, len(ids))
	for _, detail := range catalog.Details() {
		results[detail.ID] = encode(detail)
	}
	input := inputSchema[contract.ServiceArguments]()
	input.Properties[contract.FieldID].Enum = values(ids)
	return &tool{
		name:  contract.ToolGetService,
		title: "Get one service with its price",
		description: "Read one service of the catalog together with its pricing band. " +
			"Use it when the id is known and the rest of the catalog is not needed. It has no limit.",
		input:  input,
		output: outputSchema[contract.ServiceDetail](),
		hints:  reading,
		fields: []string{contract.FieldID},
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			id, err := payload.ServiceID(arguments, ids)
			return results[id], err
		},
	}
}

func (c *Core) askFAQ() *tool {
	return &tool{
		name:  contract.ToolAskFAQ,
		title: "Ask a question",
		description: "Ask a question about the business in a natural sentence and get the approved answer, word for word. " +
			"Use it for anything that the catalog does not say: terms, refunds, data protection, how things work. " +
			"Quote the answer as it is. Only reason \"matched\" answers the question; else the text is a fallback, and " +
			"candidates has up to five approved entries that come close: if one answers what your user asked, give its answer unchanged; " +
			"if none does, say so. " + contract.ToolRequestPilot + " reaches a person. " +
			"At most " + perMinute(contract.AskPolicy) + ", shared with the HTTP endpoint.",
		input:  inputSchema[contract.Question](),
		output: answerSchema(),
		hints:  reading,
		fields: payload.QuestionFields,
		limit:  c.AskLimit,
		run: func(ctx context.Context, call *call, arguments *payload.Object) (json.RawMessage, error) {
			question, err := payload.Question(arguments)
			if err != nil {
				return nil, err
			}
			answer := c.Answers.Ask(ctx, question.Q)
			if answer.Encoded != nil {
				return answer.Encoded, nil
			}
			call.readable = readableCandidates(answer.Candidates)
			return encode(answer), nil
		},
	}
}

// readableCandidates is the text for models that do not look into the JSON: the approved
// answers that may fit, as published. It is empty without candidates.
func readableCandidates(candidates []contract.Candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Not answered for certain. Approved answers that may fit:")
	for i, c := range candidates {
		fmt.Fprintf(&b, "\n\n%d. %s\n%s", i+1, c.Question, c.Answer)
	}
	return b.String()
}
