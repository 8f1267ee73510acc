package app

import (
	"fmt"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
)

// CheckContent finds what would stop a start with a content folder (the embedded
// sample when dir is empty), and what its owner should look at.
func CheckContent(dir string, selection config.Selection) (summary string, warnings []string, err error) {
	loaded, err := LoadContent(dir)
	if err != nil {
		return "", nil, err
	}
	for _, warning := range loaded.Warnings(time.Now()) {
		warnings = append(warnings, warning.String())
	}
	if _, err := selection.Precision(); err != nil {
		selection = config.Selection{} // the check of the settings reports the fault
	}
	checker, err := newChecker(selection)
	if err != nil {
		return "", warnings, err
	}
	warnings = append(warnings, faq.SizeWarnings(loaded.FAQ, checker.reader != nil)...)
	if err := checker.try(loaded); err != nil {
		return "", warnings, err
	}
	for _, warning := range faq.Compete(loaded.FAQ, checker.trial(loaded)) {
		warnings = append(warnings, fmt.Sprint(warning))
	}
	return fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), len(loaded.FAQ.Entries),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages)), warnings, nil
}

// TryContent builds what a start would build of loaded content. It fails when a
// golden question does not hold.
func TryContent(loaded *content.Content, selection config.Selection) error {
	checker, err := newChecker(selection)
	if err != nil {
		return err
	}
	return checker.try(loaded)
}

// newChecker returns a builder that only checks content.
func newChecker(selection config.Selection) (b builder, err error) {
	b.newBook, b.reader, err = selection.Maker("", func(error) {})
	b.precision, _ = selection.Precision() // Maker has checked it
	return b, err
}

// try builds what a start would build of loaded content, and publishes it nowhere.
func (b builder) try(loaded *content.Content) error {
	checker := builder{newBook: b.newBook, precision: b.precision}
	made, err := checker.snapshot(loaded, content.State{}, checker.book(loaded))
	if err != nil {
		return err
	}
	made.published() // a fault of ours that the content brings to light shows here too
	return nil
}
