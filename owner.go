package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"frontdesk/content"
	"frontdesk/faq"
	"frontdesk/internal/config"
	"frontdesk/internal/discovery"
	"frontdesk/internal/records"
)

// initCmd writes the sample content.
type initCmd struct {
	Dir string `arg:"" help:"Folder to write to; it is made when it does not exist."`
}

// Help is kong's text below the usage.
func (initCmd) Help() string {
	return "The comments in the files explain every key. A folder that holds such files already is left as it is.\n\n" +
		"Example:\n\n\tfrontdesk init mydesk"
}

// Run writes the files and says what to do with them.
func (c *initCmd) Run(std streams) error {
	written, err := content.Init(c.Dir)
	if err != nil {
		return err
	}
	for _, path := range written {
		fmt.Fprintln(std.out, path)
	}
	fmt.Fprintf(std.out, "\nEdit these files, then:\n  frontdesk check %[1]s\n  frontdesk serve --content %[1]s\n", c.Dir)
	return nil
}

// checkCmd checks what serve would start with.
type checkCmd struct {
	Dir string `arg:"" optional:"" help:"Content folder. Default: the folder of the settings."`
	config.Settings
}

// Help is kong's text below the usage.
func (checkCmd) Help() string {
	return "Finds what would stop a start, without starting: faults of the files, golden questions that do not hold, settings that are wrong. " +
		"Warnings are for you to judge; the exit code is 1 when there is a fault.\n\n" + settingsHelp + "\n\n" +
		"Example:\n\n\tfrontdesk check mydesk"
}

// settingsHelp stands in the help of a command that takes all settings, where their
// list would be.
const settingsHelp = "It takes every flag and every variable of frontdesk serve, which frontdesk serve --help lists."

// defaultPort stands in for the port of a service that is not started.
const defaultPort = 8080

// Run reports every fault of the content and the settings, and warnings.
func (c *checkCmd) Run(std streams) error {
	_, settingsErr := c.Service(defaultPort)
	_, levelErr := c.Level()
	_, formatErr := c.Console(false)
	contentErr := c.checkContent(std)
	if err := errors.Join(settingsErr, levelErr, formatErr, contentErr); err != nil {
		return err
	}
	fmt.Fprintln(std.out, "ok")
	return nil
}

func (c *checkCmd) checkContent(std streams) error {
	precision, _ := c.Precision() // Run reports what is wrong with it
	summary, warnings, err := checkContent(cmp.Or(c.Dir, c.Content), precision)
	for _, warning := range warnings {
		fmt.Fprintln(std.err, "warning:", warning)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(std.out, summary)
	return nil
}

// checkContent finds what would stop a start with a content folder, and what its
// owner should look at.
func checkContent(dir string, precision float64) (summary string, warnings []string, err error) {
	loaded, err := loadContent(dir)
	if err != nil {
		return "", nil, err
	}
	for _, warning := range loaded.Warnings(time.Now()) {
		warnings = append(warnings, warning.String())
	}
	build := func(faqs content.FAQ) *faq.Book {
		return faq.New(faqs, loaded.Golden.Unanswered, precision, discovery.Addresses{}.Resolve)
	}
	made, err := newSnapshot(loaded, build(loaded.FAQ), discovery.Addresses{}, nil)
	if err != nil {
		return "", warnings, err
	}
	made.published() // a fault of ours that the content brings to light shows here too
	for _, warning := range faq.Compete(loaded.FAQ, build) {
		warnings = append(warnings, fmt.Sprint(warning))
	}
	return fmt.Sprintf("%d services, %d pricing bands, %d entries, %d golden questions, %d pages",
		len(loaded.Services), len(loaded.Bands), len(loaded.FAQ.Entries),
		len(loaded.Golden.Answered)+len(loaded.Golden.Unanswered), len(loaded.Pages)), warnings, nil
}

// inquiriesCmd lists what came in, or mails one again.
type inquiriesCmd struct {
	config.DataFolder
	config.MailServer
	Failed bool   `xor:"what" help:"List those alone whose mail failed, or may have arrived (unknown)."`
	Resend string `xor:"what" placeholder:"ID" help:"Mail this one again, under its Message-ID: one that failed, is unknown, or was interrupted. Needs the mail server of the service."`
	JSON   bool   `name:"json" help:"Print one JSON array."`
}

// Run prints the inquiries, newest first, or mails one again.
func (c *inquiriesCmd) Run(ctx context.Context, std streams) error {
	if c.Resend != "" {
		return c.resend(ctx, std)
	}
	none := "No inquiries yet."
	if c.Failed {
		none = "None: every mail was sent or is under way."
	}
	return listing[records.Inquiry]{
		folder: c.DataFolder,
		json:   c.JSON,
		none:   none,
		read: func(ctx context.Context, store *records.Store) ([]records.Inquiry, error) {
			return store.Inquiries(ctx, records.Filter{Undelivered: c.Failed})
		},
		head: []string{"WHEN", "STATE", "BUSINESS", "NAME", "E-MAIL", "ID"},
		row: func(i records.Inquiry) []string {
			return []string{shortTime(i.CreatedAt), string(i.State), i.Business, i.Name, i.Email, i.ID}
		},
	}.print(ctx, std.out)
}
