package mailer

import (
	"errors"
	"io/fs"
	"net/mail"
	"os"
	"path/filepath"

	"frontdesk/contract"
)

// FolderOf is the folder in which a service with a data folder keeps its mails, if it has
// no mail server. The folder need not exist.
func FolderOf(dataDir string) *Folder { return &Folder{dir: filepath.Join(dataDir, "mail")} }

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
		answersTo, err := message.Header.AddressList("Reply-To")
		if err != nil || len(answersTo) == 0 {
			return false, nil // likewise
		}
		return contract.FoldAddress(answersTo[0].Address) == contract.FoldAddress(address), nil
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
