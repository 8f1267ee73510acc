package command

import (
	"context"
	"errors"
	"fmt"

	"frontdesk/content"
	"frontdesk/internal/curation"
	"frontdesk/internal/records"
	"frontdesk/mailer"
)

type eraseCmd struct {
	recordsFolder
	Email string `arg:"" name:"e-mail"`
	JSON  bool
}

// Validate refuses what is not an address: "nothing found" would look like an erasure.
func (c *eraseCmd) Validate() error {
	if !content.IsMail(c.Email) {
		return fmt.Errorf("%q is not an e-mail address", c.Email)
	}
	return nil
}

func (c *eraseCmd) Run(ctx context.Context, std Streams, store *records.Store) error {
	erased, err := curation.Erase(ctx, store, mailer.FolderOf(c.Dir()), c.Email)
	if errors.Is(err, records.ErrLeased) {
		return errors.New("nothing was removed: a mail of this person is being sent; try again in a minute")
	}
	if erased.Mails == nil { // nothing was removed
		return err
	}
	if c.JSON {
		return errors.Join(err, std.printJSON(erased))
	}
	for _, row := range []struct {
		count int
		what  string
	}{
		{erased.Inquiries, "inquiries, with the tries to mail them"},
		{erased.Workspaces, "draft workspaces"},
		{erased.Feedback, "pieces of feedback"},
		{erased.Questions, "unanswered questions"},
		{erased.Answered, "answered questions"},
		{erased.Changes, "changes of the content"},
		{erased.Keys, "idempotency keys"},
		{erased.Notifications, "notifications"},
		{len(erased.Mails), "mails kept as files"},
	} {
		std.printf("%6d  %s\n", row.count, row.what)
	}
	for _, id := range erased.Mentions {
		std.printf("The inquiry %s of another person mentions the address and was kept: frontdesk inquiries "+
			"show %[1]s\n", id)
	}
	if erased.Changes > 0 {
		std.printf("The content may still hold the address: look for it in your files.\n")
	}
	return errors.Join(err, std.printf("Not reached: backups and exports (the data leaves them when they are "+
		"replaced), and mail that was delivered to you.\n"))
}
