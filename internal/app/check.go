package app

import (
	"fmt"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/discovery"
)

// CheckContent finds what would stop a start with a content folder (the embedded
// sample when dir is empty), and what its owner should look at.
func CheckContent(dir string, precision float64) (summary string, warnings []string, err error) {
	loaded, err := LoadContent(dir)
	if err != nil {
		return "", nil, err
	}
	for _, warning := range loaded.Warnings(time.Now()) {
		warnings = append(warnings, warning.String())
	}
	if err := TryContent(loaded, precision); err != nil {
		return "", warnings, err
	}
	for _, warning := range faq.Compete(loaded.FAQ, bookOf(loaded, precision)) {
		warnings = append(warnings, fmt.Sprint(warning))
	}
	return fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), len(loaded.FAQ.Entries),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages)), warnings, nil
}

// TryContent builds what a start would build of loaded content. It fails when a
// golden question does not hold.
func TryContent(loaded *content.Content, precision float64) error {
	made, err := newSnapshot(loaded, bookOf(loaded, precision)(loaded.FAQ), discovery.Addresses{}, nil, "")
	if err != nil {
		return err
	}
	made.published() // a fault of ours that the content brings to light shows here too
	return nil
}

// bookOf makes books of changed entries of a content.
func bookOf(loaded *content.Content, precision float64) func(content.FAQ) *faq.Book {
	return func(entries content.FAQ) *faq.Book {
		return faq.New(entries, loaded.Golden.Unanswered, precision, discovery.Addresses{}.Resolve)
	}
}
