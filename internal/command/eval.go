package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"frontdesk/content"
	"frontdesk/contract"
	"frontdesk/faq"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/live"
)

// evalCmd measures the answers without a model.
type evalCmd struct {
	File string `arg:"" optional:""`
	contentFolder
	Explain string `placeholder:"ID"`
	JSON    bool
	config.Selection
}

func (c *evalCmd) Validate() error {
	if (c.File == "") == (c.Explain == "") {
		return errors.New("give a file of questions, or --explain ID")
	}
	return nil
}

func (c *evalCmd) Run(ctx context.Context, std Streams) error {
	loaded, answerer, load, err := openAnswerer(ctx, c.Content, c.Selection, "")
	if err != nil {
		return err
	}
	if c.Explain != "" {
		return c.explain(ctx, std, answerer, loaded.Golden.Answered)
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	questions, err := evaluation.Read(file, c.File, answerer.Has)
	if err != nil {
		return err
	}
	began := time.Now()
	results := make([]evaluation.Result, len(questions))
	for i, question := range questions {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		results[i] = answerer.Try(question.Q)
		results[i].Want = question.ID
	}
	report := evaluation.New(results)
	report.LoadSeconds = load.Seconds()
	report.MicrosecondsPerQuestion = float64(time.Since(began).Microseconds()) / float64(len(questions))
	if !c.JSON {
		return report.Print(std.Out)
	}
	return std.printJSON(report)
}

// explained is how many entries an explanation shows.
const explained = 5

// offline answers a question from a content folder, for client.Terminal.
func offline(ctx context.Context, dir, question string, explain bool) (contract.Answer, fmt.Stringer, error) {
	given, err := environment()
	if err != nil {
		return contract.Answer{}, nil, err
	}
	service, _ := given.Service(0) // the base address is set even if another setting is invalid
	_, answerer, _, err := openAnswerer(ctx, dir, given.Selection, service.BaseURL)
	if err != nil {
		return contract.Answer{}, nil, err
	}
	answer := answerer.Ask(ctx, question)
	if !explain {
		return answer, nil, nil
	}
	return answer, explanation(answerer.Explain(ctx, question, explained)), nil
}

// openAnswerer loads a content folder and builds its answerer, which takes load. base is the base address.
func openAnswerer(ctx context.Context, dir string, selection config.Selection, base string) (
	loaded *content.Content, answerer *faq.Answerer, load time.Duration, err error,
) {
	loaded, loadErr := live.LoadFolder(dir)
	builder, embedder, err := selection.BuildAnswerer(config.Vectors("", dir), func(error) {})
	if err := cmp.Or(err, loadErr); err != nil {
		return nil, nil, 0, err
	}
	began := time.Now()
	release, err := faq.Prepare(ctx, embedder, loaded.FAQ, loaded.Golden)
	defer release()
	if err != nil {
		return nil, nil, 0, err
	}
	answerer = builder(loaded.FAQ, loaded.Golden.Unanswered, discovery.Addresses{Base: base}.Resolve)
	return loaded, answerer, time.Since(began), nil
}

// explanation is printed for a person.
type explanation faq.Explanation

// String is the explanation as text: the step that answers, then a table of entries.
func (e explanation) String() string {
	var b strings.Builder
	step := "No entry answers"
	if e.EntryID != "" {
		step = fmt.Sprintf("%s answers (%s)", e.EntryID, e.Match)
	}
	fmt.Fprintf(&b, "%s, by %s: confidence %.3f; %.3f is needed.\n", step, e.By, e.Confidence, e.Threshold)
	if len(e.Entries) == 0 {
		b.WriteString("No entry has a word of the question.\n")
		return b.String()
	}
	table := newTable(&b)
	fmt.Fprintln(table, "ENTRY\tWORDS\tNEAREST\tWORDING\tANSWER\tQUESTION")
	for _, r := range e.Entries {
		fmt.Fprintf(table, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\n", r.EntryID, r.Coverage, r.Nearest, r.Wording, r.Answer,
			r.Question)
	}
	_ = table.Flush() // into memory
	b.WriteString("WORDS: share of the question's words that the entry has. " +
		"NEAREST: similarity of its nearest wording by words.\n" +
		"WORDING, ANSWER: similarity by the encoder to its nearest wording, and to its question and answer.\n")
	return b.String()
}

// explain explains the golden questions of an entry.
func (c *evalCmd) explain(ctx context.Context, std Streams, answerer *faq.Answerer,
	questions []content.GoldenQuestion) error {
	type explainedQuestion struct {
		Q           string      `json:"q"`
		Explanation explanation `json:"explanation"`
	}
	all := []explainedQuestion{}
	for _, golden := range questions {
		if golden.ID == c.Explain {
			all = append(all, explainedQuestion{golden.Q, explanation(answerer.Explain(ctx, golden.Q, explained))})
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("golden.yaml has no question of an entry %q", c.Explain)
	}
	if c.JSON {
		return std.printJSON(all)
	}
	for _, one := range all {
		if err := std.printf("%s\n%s\n", one.Q, one.Explanation); err != nil {
			return err
		}
	}
	return nil
}
