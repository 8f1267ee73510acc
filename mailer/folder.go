package mailer

import (
	"context"
	"errors"
	"io/fs"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"frontdesk/contract"
	"frontdesk/internal/disk"
)

// Folder keeps each mail as an .eml file, which any mail program opens. It is meant for
// a machine without a mail server. Only the user of the service can read the files.
type Folder struct{ dir string }

// String is the folder's path.
func (f *Folder) String() string { return "file: " + f.dir }

// Send writes m into the folder, which it makes if it is missing. It returns nil once
// the file would survive a power failure, which corresponds to the 250 of a mail server.
func (f *Folder) Send(_ context.Context, m Message) error {
	content, err := m.Bytes()
	if err != nil {
		return failed(stageMessage, err)
	}
	// Names sort by time and hold the Message-ID, which messageIDForm has
	// confined to characters that are allowed in a file name.
	name := m.Date.UTC().Format(nameDate) + "-" + m.ID + extension
	if err := disk.WriteFile(filepath.Join(f.dir, name), content); err != nil {
		return failed(stageFile, err)
	}
	return nil
}

// Check writes a file into the folder and deletes it. A missing folder is not an error:
// the first mail makes it.
func (f *Folder) Check(context.Context, Message) error {
	if err := disk.TryWriting(f.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(stageFile, err)
	}
	return nil
}

// Prune deletes the mails whose names have a date before a point in time, and returns how
// many. It leaves files with other names.
func (f *Folder) Prune(before time.Time) (deleted int, err error) {
	return f.deleteNamed(func(date time.Time, _ string) bool { return date.Before(before) })
}

// Delete deletes the mails with the given Message-IDs and returns how many files that
// were. An unknown one is no error.
func (f *Folder) Delete(messageIDs ...string) (deleted int, err error) {
	return f.deleteNamed(func(_ time.Time, messageID string) bool { return slices.Contains(messageIDs, messageID) })
}

// deleteNamed deletes the mails that are chosen by what their names hold. Files with
// other names are not ours.
func (f *Folder) deleteNamed(chosen func(date time.Time, messageID string) bool) (deleted int, err error) {
	names, err := f.deleteWhere(func(name string) (bool, error) {
		stamp, rest, _ := strings.Cut(name, "-")
		date, err := time.Parse(nameDate, stamp)
		return err == nil && chosen(date, strings.TrimSuffix(rest, extension)), nil
	})
	return len(names), err
}

// nameDate is the format of the date at the start of a file name.
const nameDate = "20060102T150405Z"

// MailsFolder is the subfolder of the data folder that keeps mails as files.
const MailsFolder = "mail"

// FolderOf is the folder in which a service with a data folder keeps its mails, if it has
// no mail server. The folder need not exist.
func FolderOf(dataDir string) *Folder { return &Folder{dir: filepath.Join(dataDir, MailsFolder)} }

// DeleteOf deletes the mails that an address would get the answer to, whatever the case of
// its letters, and returns the names of their files.
func (f *Folder) DeleteOf(address string) (names []string, err error) {
	return f.deleteWhere(func(name string) (bool, error) {
		file, err := os.Open(filepath.Join(f.dir, name))
		if err != nil {
			return false, err
		}
		defer file.Close()
		message, err := mail.ReadMessage(file)
		if err != nil {
			return false, nil // not a mail of ours
		}
		replyTo := message.Header.Get("Reply-To") // a notice has none
		if answersTo, err := mail.ParseAddress(replyTo); err == nil {
			replyTo = "<" + answersTo.Address + ">"
		}
		return strings.Contains(contract.FoldAddress(replyTo), "<"+contract.FoldAddress(address)+">"), nil
	})
}

const extension = ".eml"

// deleteWhere deletes the mails that are chosen by the names of their files.
func (f *Folder) deleteWhere(chosen func(name string) (bool, error)) (deleted []string, err error) {
	deleted = []string{}
	entries, readErr := os.ReadDir(f.dir)
	if readErr != nil && !errors.Is(readErr, fs.ErrNotExist) {
		return deleted, readErr
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != extension {
			continue
		}
		yes, failed := chosen(entry.Name())
		if yes && failed == nil {
			if failed = os.Remove(filepath.Join(f.dir, entry.Name())); failed == nil {
				deleted = append(deleted, entry.Name())
			}
		}
		err = errors.Join(err, failed)
	}
	return deleted, err
}
