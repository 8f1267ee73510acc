package client

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"frontdesk/contract"
	"frontdesk/internal/payload"
)

// AskCmd asks one question: a service (POST /v1/ask), or a content folder without one.
type AskCmd struct {
	Connection
	Content  string `placeholder:"DIR"`
	Explain  bool
	Verify   bool
	Question []string `arg:""`
}

// Validate reports a combination of flags without a meaning.
func (c *AskCmd) Validate() error {
	switch {
	case c.Explain && c.Content == "":
		return errors.New("--explain needs --content")
	case c.Verify && c.Content != "":
		return errors.New("--verify asks a service: it cannot go with --content")
	}
	return nil
}

// Offline answers a question from a content folder. With explain, it also returns why, as
// text for a person and as a value for JSON.
type Offline func(ctx context.Context, dir, question string, explain bool) (answer contract.Answer, why fmt.Stringer,
	err error)

func (c *AskCmd) askOffline(ctx context.Context, question string) error {
	answer, why, err := c.Offline(ctx, c.Content, contract.CleanQuestion(question), c.Explain)
	if err != nil {
		return err
	}
	var document any = answer
	if why != nil {
		document = map[string]any{"answer": answer, "explanation": why}
	}
	err = c.show(payload.JSON(document), func(p *page) { p.answer(answer) })
	if err == nil && why != nil && !c.JSON {
		_, err = fmt.Fprintf(c.Out, "\n%s", why)
	}
	return err
}

func (c *AskCmd) Run(ctx context.Context, v Verifier) error {
	question := strings.Join(c.Question, " ")
	if failed := checkUTF8(question); failed != nil {
		return c.fail(failed)
	}
	if c.Content != "" {
		return c.askOffline(ctx, question)
	}
	outgoing := request{path: contract.PathAsk, body: contract.Question{Q: question}, timeout: readTimeout}
	if c.Verify {
		return c.proven(ctx, outgoing, v)
	}
	return printAnswer(ctx, c.Connection, outgoing, isAnswer, (*page).answer)
}

func isAnswer(a contract.Answer) bool { return a.OK && a.Answer != "" && a.Reason != "" }

func (p *page) answer(a contract.Answer) {
	p.block("", "", a.Answer)
	if len(a.Candidates) > 0 {
		p.heading("Approved answers that may fit")
		for _, candidate := range a.Candidates {
			p.gap()
			p.item(candidate.Question)
			p.block("    ", "    ", candidate.Answer)
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
