package curation

import (
	"context"
	"time"

	"frontdesk/internal/records"
	"frontdesk/mailer"
)

// Erasure is what Erase has removed.
type Erasure struct {
	records.Erased
	Mails []string `json:"mails"` // names of the .eml files
}

// Erase removes everything that is kept of the person with an e-mail address, whatever the
// case of its letters: rows of every table, and mails that are kept as files. It
// fails with records.ErrLeased, and removes nothing, while a mail of that person is under way.
func Erase(ctx context.Context, store *records.Store, mails *mailer.Folder, email string) (Erasure, error) {
	erased, err := store.Erase(ctx, email, time.Now())
	if err != nil {
		return Erasure{}, err
	}
	removed, err := mails.DeleteOf(email)
	return Erasure{Erased: erased, Mails: removed}, err
}

// DeleteInquiry deletes an inquiry and its mails that are kept as files. It returns the
// deleted inquiry and the number of these files. It fails with records.ErrNotFound, with
// records.ErrLeased while the mail is under way, and with errors of the database and the disk.
func DeleteInquiry(ctx context.Context, store *records.Store, mails *mailer.Folder, id string) (deleted records.Inquiry,
	files int, err error) {
	deleted, err = store.DeleteInquiry(ctx, id, time.Now())
	if err != nil {
		return records.Inquiry{}, 0, err
	}
	files, err = mails.Delete(deleted.MessageID)
	return deleted, files, err
}

// Detail is an inquiry with every attempt to send its mail.
type Detail struct {
	records.Inquiry
	Tries []records.Attempt `json:"tries"` // oldest first
}

// Inquiry returns an inquiry with these attempts, or records.ErrNotFound.
func Inquiry(ctx context.Context, store *records.Store, id string) (Detail, error) {
	inquiry, err := store.Inquiry(ctx, id)
	if err != nil { // a database that hangs is not waited for twice
		return Detail{}, err
	}
	tries, err := store.Tries(ctx, id)
	return Detail{Inquiry: inquiry, Tries: tries}, err
}
