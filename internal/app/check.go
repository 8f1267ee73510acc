package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/faq/meaning"
	"frontdesk/internal/config"
)

// Checks are what a content folder is checked with.
type Checks struct {
	Selection config.Selection
	Cache     string // file into which the vectors of the texts are written; none if empty
}

// CheckContent finds what would stop a start with a content folder (the embedded
// sample when dir is empty), and what its owner should look at.
func CheckContent(ctx context.Context, dir string, checks Checks) (summary string, warnings []string, err error) {
	loaded, err := LoadContent(dir)
	if err != nil {
		return "", nil, err
	}
	for _, warning := range loaded.Warnings(time.Now()) {
		warnings = append(warnings, warning.String())
	}
	if _, err := checks.Selection.Precision(); err != nil {
		checks.Selection = config.Selection{} // the check of the settings reports the fault
	}
	var unusable error
	checker, err := newChecker(checks.Selection, config.Vectors(checks.Cache, dir), func(err error) { unusable = errors.Join(unusable, err) })
	if err != nil {
		return "", warnings, err
	}
	if checks.Cache != "" && checker.reader == nil {
		return "", warnings, errors.New("--cache needs the encoder, which is off")
	}
	warnings = append(warnings, faq.SizeWarnings(loaded.FAQ, checker.reader != nil)...)
	overlaps, err := attempt(ctx, zerolog.Nop(), func() ([]content.Fault, error) {
		defer checker.reader.Hold()()
		if err := checker.try(ctx, loaded); err != nil {
			return nil, err
		}
		return faq.Compete(ctx, loaded.FAQ, checker.trial(loaded)), ctx.Err()
	})
	if unusable != nil {
		warnings = append(warnings, unusable.Error())
	}
	if err != nil {
		return "", warnings, err
	}
	for _, warning := range overlaps {
		warnings = append(warnings, fmt.Sprint(warning))
	}
	return fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), len(loaded.FAQ.Entries),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages)), warnings, nil
}

// TryContent builds what a start would build of the content of a folder. It fails when a
// golden question does not hold.
func TryContent(ctx context.Context, loaded *content.Content, dir string, selection config.Selection) error {
	checker, err := newChecker(selection, config.Vectors("", dir), func(error) {})
	if err != nil {
		return err
	}
	return checker.try(ctx, loaded)
}

// newChecker returns a builder that only checks content.
func newChecker(selection config.Selection, files meaning.Files, report func(error)) (b builder, err error) {
	b.newBook, b.reader, err = selection.Maker(files, report)
	b.precision, _ = selection.Precision() // Maker has checked it
	return b, err
}

// try builds what a start would build of loaded content, and publishes it nowhere. What it publishes is built too: a
// fault of ours that the content brings to light shows there.
func (b builder) try(ctx context.Context, loaded *content.Content) error {
	checker := builder{newBook: b.newBook, reader: b.reader, precision: b.precision}
	book, err := checker.train(ctx, loaded)
	if err != nil {
		return err
	}
	_, err = checker.complete(loaded, content.State{}, book)
	return err
}
