package live

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/faq/evaluation"
	"frontdesk/internal/config"
	"frontdesk/internal/i18n"
)

// Checks are what a content folder is checked with.
type Checks struct {
	Selection config.Selection
	Cache     string // file into which the vectors of the texts are written; none if empty
	Service   string // data folder of a service, whose vectors are read; none if empty
}

// builder returns what builds a folder only to check it. report is called when a file of vectors cannot be read or
// written.
func (c Checks) builder(dir string, report func(error)) (b Builder, err error) {
	files := config.Vectors(c.Cache, dir)
	if c.Service != "" {
		files.Kept, files.Foreign = filepath.Join(c.Service, content.VectorsFile), true
	}
	b.BuildAnswerer, b.Embedder, err = c.Selection.BuildAnswerer(files, report)
	return b, err
}

// Checked is what a check found in a content folder.
type Checked struct {
	Summary  string // what the content holds
	Expected string // how well new wordings are answered; empty for too few alternates
	Warnings []string
}

// leastAsked is how many alternates are needed to estimate how well new wordings are answered.
const leastAsked = 20

// Expected estimates how well new wordings are answered, from alternates that were asked as if they were not in the
// content. It is nil for too few of them.
func Expected(asked []evaluation.Result) *evaluation.Report {
	if len(asked) < leastAsked {
		return nil
	}
	return evaluation.New(asked)
}

// Check finds what would stop a start with a content folder (the embedded sample when dir is empty), and what its
// owner should look at.
func Check(ctx context.Context, dir string, checks Checks) (found Checked, err error) {
	loaded, err := LoadFolder(dir)
	if err != nil {
		return found, err
	}
	warn := func(warnings []content.Diagnostic) {
		for _, warning := range warnings {
			found.Warnings = append(found.Warnings, warning.String())
		}
	}
	warn(loaded.Warnings(time.Now()))
	for _, language := range loaded.Languages() {
		if !i18n.Speaks(language) {
			found.Warnings = append(found.Warnings, fmt.Sprintf("the selector does not support the language %q: most "+
				"questions in it get candidates instead of an answer (docs/answers.md)", language))
		}
	}
	if checks.Selection.Check() != nil {
		checks.Selection = config.Selection{} // the check of the settings reports the fault
	}
	var unusable error
	checker, err := checks.builder(dir, func(err error) { unusable = errors.Join(unusable, err) })
	if err != nil {
		return found, err
	}
	if checks.Cache != "" && checker.Embedder == nil {
		return found, errors.New("--cache needs the encoder, which is off")
	}
	warn(faq.SizeWarnings(loaded.FAQ, checker.Embedder != nil))
	type comparison struct {
		overlaps []content.Diagnostic
		asked    [][]evaluation.Result
	}
	compared, err := awaitOrAbandon(ctx, zerolog.Nop(), func() (c comparison, err error) {
		defer checker.Embedder.Hold()()
		if _, err := checker.build(ctx, loaded, content.Digest{}); err != nil {
			return c, err
		}
		c.overlaps, c.asked = faq.CrossValidate(ctx, loaded.FAQ, checker.Trial(loaded))
		return c, ctx.Err()
	})
	if unusable != nil {
		found.Warnings = append(found.Warnings, unusable.Error())
	}
	if err != nil {
		return found, err
	}
	warn(compared.overlaps)
	if report := Expected(compared.asked[0]); report != nil {
		found.Expected = fmt.Sprintf("%d alternates, each asked as if it were not in the content: %s",
			len(compared.asked[0]), report.Summary())
	}
	found.Summary = fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), loaded.FAQ.Count(),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages))
	return found, nil
}

// Try builds what a start would build of loaded content, and everything that it publishes. It fails when a golden
// question fails.
func Try(ctx context.Context, loaded *content.Content, dir string, selection config.Selection) error {
	checker, err := Checks{Selection: selection}.builder(dir, func(error) {})
	if err != nil {
		return err
	}
	_, err = checker.build(ctx, loaded, content.Digest{})
	return err
}
