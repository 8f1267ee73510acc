package client

import (
	"context"
	"fmt"
	"strings"

	"frontdesk/contract"
)

// AskCmd asks one question (POST /v1/ask).
type AskCmd struct {
	Connection
	Verify   bool     `help:"Ask for a signed answer, and show it only when its signature holds."`
	Question []string `arg:"" name:"question" help:"The question, quoted or not."`
}

// Help is kong's text below the usage.
func (AskCmd) Help() string {
	return "The answer is approved text, word for word. Quote the question: a shell reads ? and ' itself.\n\n" +
		"Example:\n\n\tfrontdesk ask --verify \"Do you offer refunds?\""
}

// Run asks the question and prints the answer.
func (c *AskCmd) Run(ctx context.Context, t *Terminal, v Verifier) error {
	question := strings.Join(c.Question, " ")
	if err := checkUTF8(question); err != nil {
		return c.fail(t, err)
	}
	outgoing := request{path: contract.PathAsk, body: contract.Question{Q: question}, timeout: readTimeout}
	if c.Verify {
		return c.proven(ctx, t, outgoing, v)
	}
	answer, served, err := fetch(ctx, c.Connection, outgoing, isAnswer)
	if err != nil {
		return c.fail(t, err)
	}
	return c.show(t, served, func(p *page) { p.answer(answer) })
}

// proven prints a verified answer with its proof. With --json the proof goes to the
// other stream, so that the answer is printed exactly as it was signed.
func (c *AskCmd) proven(ctx context.Context, t *Terminal, r request, v Verifier) error {
	answer, served, proof, err := fetchProven(ctx, c.Connection, r, isAnswer, v)
	if err != nil {
		return c.fail(t, err)
	}
	if c.JSON {
		if _, err := fmt.Fprintln(t.Err, proof); err != nil {
			return err
		}
	}
	return c.show(t, served, func(p *page) {
		p.answer(answer)
		p.line(dim(proof.String()))
	})
}

func isAnswer(a contract.Answer) bool { return a.OK && a.Answer != "" && a.Reason != "" }

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

// origin says where an answer comes from: the entry, how it was found and its page. For
// a fallback it says why the model was not used.
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
