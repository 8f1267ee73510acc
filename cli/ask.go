package cli

import (
	"context"
	"strings"

	"frontdesk/contract"
)

// AskCmd asks one question (POST /v1/ask).
type AskCmd struct {
	Connection
	Question []string `arg:"" name:"question" help:"The question, quoted or not."`
}

// Help is kong's text below the usage.
func (AskCmd) Help() string {
	return "The answer is approved text, word for word. Quote the question: a shell reads ? and ' itself.\n\n" +
		"Example:\n\n\tfrontdesk ask \"Do you offer refunds?\""
}

// Run asks the question and prints the answer.
func (c *AskCmd) Run(ctx context.Context, t *Terminal) error {
	question := strings.Join(c.Question, " ")
	if err := checkUTF8(question); err != nil {
		return c.fail(t, err)
	}
	answer, served, err := fetch(ctx, c.Connection,
		request{path: contract.PathAsk, body: contract.Question{Q: question}, timeout: readTimeout},
		func(a contract.Answer) bool { return a.OK && a.Answer != "" && a.Reason != "" })
	if err != nil {
		return c.fail(t, err)
	}
	return c.show(t, served, func(p *page) { p.answer(answer) })
}

func (p *page) answer(a contract.Answer) {
	p.block("", "", a.Answer)
	if len(a.Suggestions) > 0 {
		p.heading("Did you mean")
		for _, suggestion := range a.Suggestions {
			p.item(suggestion)
		}
	}
	if from := origin(a); len(from) > 0 {
		p.gap()
		p.line(dim(strings.Join(from, " · ")))
	}
}

// origin is where the answer comes from: the entry, how it was found and its
// page; of a fallback, why no better one could be looked for.
func origin(a contract.Answer) []string {
	var parts []string
	if a.EntryID != nil {
		parts = append(parts, *a.EntryID)
	}
	for _, words := range []string{matchWords[a.Match], reasonWords[a.Reason]} {
		if words != "" {
			parts = append(parts, words)
		}
	}
	if a.URL != nil {
		parts = append(parts, *a.URL)
	}
	return parts
}

var matchWords = map[contract.Match]string{
	contract.MatchExact:     "exact question",
	contract.MatchAlternate: "another wording of its question",
	contract.MatchSelector:  "matched by its words",
	contract.MatchModel:     "chosen by the model",
}

var reasonWords = map[contract.Reason]string{
	contract.ReasonRateLimitedGlobal: "model-assisted answers are used up for today",
	contract.ReasonModelUnavailable:  "the model could not be asked",
}
