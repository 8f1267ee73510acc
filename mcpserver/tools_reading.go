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

func listServices(catalog contract.Catalog, languages []string) *tool {
	result := encode(catalog)
	return &tool{
		name:  contract.ToolListServices,
		title: "List services and prices",
		description: "The whole catalog: services, prices, contact, and what the business does not do. " +
			"Long: for one service use " + contract.ToolGetService + ". " + contentIn(languages[:1]),
		input:  inputSchema[struct{}](),
		output: outputSchema[contract.Catalog](),
		hints:  reading,
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			return result, arguments.Err()
		},
	}
}

func getService(catalog contract.Catalog, languages []string) *tool {
	ids := catalog.ServiceIDs()
	results := make(map[string]json.RawMessage, len(ids))
	for _, detail := range catalog.Details() {
		results[detail.ID] = encode(detail)
	}
	input := inputSchema[contract.ServiceArguments]()
	input.Properties[contract.FieldID].Description = "One of: " + strings.Join(ids, ", ") + "."
	return &tool{
		name:        contract.ToolGetService,
		title:       "Get one service with its price",
		description: "One service with its price, by its id. " + contentIn(languages[:1]),
		input:       input,
		output:      outputSchema[contract.ServiceDetail](),
		hints:       reading,
		fields:      []string{contract.FieldID},
		run: func(_ context.Context, _ *call, arguments *payload.Object) (json.RawMessage, error) {
			id, err := payload.ServiceID(arguments, ids)
			return results[id], err
		},
	}
}

func (c *Core) askFAQ(languages []string) *tool {
	return &tool{
		name:  contract.ToolAskFAQ,
		title: "Ask a question",
		description: "Ask the business one question on one topic, for what the catalog does not say. Good: \"Can I cancel " +
			"at any time?\" Bad: \"refund\" (no question), \"Prices, refunds and hours?\" (three). If reason is \"matched\", " +
			"quote answer unchanged. Otherwise, if one of candidates answers what the user asked, give its answer unchanged, " +
			"as the business's own. If none does, say so and offer " + contract.ToolRequestPilot + ". Never fill the gap. " +
			contentIn(languages) + " At most " + perMinute(contract.AskPolicy) + ".",
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

// contentIn says in which languages the content is, as language tags.
func contentIn(languages []string) string {
	return "Content languages: " + strings.Join(languages, ", ") + "."
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
