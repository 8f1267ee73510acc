package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"frontdesk/faq"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/config"
)

// evalCmd measures the answers without a model.
type evalCmd struct {
	File    string `arg:"" optional:"" help:"Questions, one JSON object a line: {\"q\": \"…\", \"id\": \"…\"}, the id null when no entry answers."`
	Content string `env:"FRONTDESK_CONTENT" placeholder:"DIR" help:"Content folder. Default: the embedded sample."`
	Explain string `placeholder:"ID" help:"Explain instead the golden questions of this entry in golden.yaml: the first five entries, what speaks for each, and which step answers."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
	config.Selection
}

// Validate reports a command line that asks nothing.
func (c *evalCmd) Validate() error {
	if (c.File == "") == (c.Explain == "") {
		return errors.New("give a file of questions, or --explain ID")
	}
	return nil
}

// Run asks every question of the file and prints the report.
func (c *evalCmd) Run(ctx context.Context, std Streams) error {
	if c.Explain != "" {
		return c.explain(ctx, std)
	}
	_, book, load, err := openBook(ctx, c.Content, c.Selection)
	if err != nil {
		return err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	questions, err := evaluation.Read(file, c.File, book.Has)
	if err != nil {
		return err
	}
	began := time.Now()
	report := evaluation.New(ask(book, questions, std.Err))
	report.LoadSeconds = load.Seconds()
	report.MicrosecondsPerQuestion = float64(time.Since(began).Microseconds()) / float64(len(questions))
	if !c.JSON {
		return report.Print(std.Out)
	}
	return printJSON(std.Out, report)
}

// progressEvery is the interval of progress lines.
const progressEvery = 2 * time.Second

func ask(book *faq.Book, questions []evaluation.Question, progress io.Writer) []evaluation.Result {
	results := make([]evaluation.Result, len(questions))
	said := time.Now()
	for i, question := range questions {
		results[i] = book.Try(question.Q)
		results[i].Want = question.ID
		if time.Since(said) >= progressEvery {
			said = time.Now()
			fmt.Fprintf(progress, "%d of %d questions\n", i+1, len(questions))
		}
	}
	return results
}
