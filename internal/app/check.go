package app

import (
	"fmt"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
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
	build, encodes, err := bookOf(loaded, selection)
	if err != nil {
		return "", warnings, err
	}
	warnings = append(warnings, faq.SizeWarnings(loaded.FAQ, encodes)...)
	if err := tryContent(loaded, build); err != nil {
		return "", warnings, err
	}
	for _, warning := range faq.Compete(loaded.FAQ, build) {
		warnings = append(warnings, fmt.Sprint(warning))
	}
	return fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), len(loaded.FAQ.Entries),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages)), warnings, nil
}

// TryContent builds what a start would build of loaded content. It fails when a
// golden question does not hold.
func TryContent(loaded *content.Content, selection config.Selection) error {
	build, _, err := bookOf(loaded, selection)
	if err != nil {
		return err
	}
	return tryContent(loaded, build)
}

func tryContent(loaded *content.Content, build func(content.FAQ) *faq.Book) error {
	made, err := newSnapshot(loaded, build(loaded.FAQ), discovery.Addresses{}, nil, "")
	if err != nil {
		return err
	}
	made.published() // a fault of ours that the content brings to light shows here too
	return nil
}

// bookOf returns what makes books of changed entries of a content, and whether these use
// the encoder.
func bookOf(loaded *content.Content, selection config.Selection) (build func(content.FAQ) *faq.Book, encodes bool, err error) {
	maker, reader, err := selection.Maker("", func(error) {})
	if err != nil {
		return nil, false, err
	}
	precision, _ := selection.Precision() // Maker has checked it
	return func(entries content.FAQ) *faq.Book {
		return maker(entries, loaded.Golden.Unanswered, precision, discovery.Addresses{}.Resolve)
	}, reader != nil, nil
}
