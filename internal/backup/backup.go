// Package backup writes everything that a service keeps into one file, restores such a file,
// and makes one every day. It holds records, signing key, mails kept as files, images and
// content.
//
// The file is a tar archive, compressed by gzip. Records of SQLite are in it as the
// database, as of one moment; those of PostgreSQL as an export.
package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"frontdesk/internal/disk"
	"frontdesk/internal/images"
	"frontdesk/internal/records"
	"frontdesk/internal/signing"
	"frontdesk/mailer"
)

// Names in the archive. Those of the data folder are as they are there.
const (
	exportName  = "records.jsonl"
	contentName = "content"
)

// kept are the files and folders of the data folder that are in a backup beside the records.
var kept = []string{signing.KeyFile, mailer.AccountFile, mailer.MailsFolder, images.Folder, records.ReplacedFolder}

// Service is a service that is backed up, or to which a backup is restored.
type Service struct {
	Records records.Options // with the data folder
	Content string          // content folder; empty for the embedded sample
}

const workFolders = ".backup-*"

// workFolder makes a temporary folder in the data folder, which remove deletes.
func (s Service) workFolder() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(s.Records.Dir, workFolders)
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

// Create writes a backup into a new file that only its owner can read, and verifies it by a
// restore to a temporary folder. The file appears when it is complete. If it exists already,
// the error is fs.ErrExist.
func Create(ctx context.Context, s Service, file string) error {
	return disk.Create(file, func(part *os.File) error {
		if err := Write(ctx, part, s); err != nil {
			return err
		}
		if _, err := part.Seek(0, io.SeekStart); err != nil {
			return err
		}
		dir, remove, err := s.workFolder()
		if err != nil {
			return err
		}
		defer remove()
		scratch := Service{Records: records.Options{Dir: dir}, Content: filepath.Join(dir, contentName)}
		if _, err := Restore(ctx, part, scratch, false); err != nil {
			return fmt.Errorf("the backup cannot be restored: %w", err)
		}
		return nil
	})
}

// Write writes a backup. The service may be running: everything that was confirmed before the
// call is in the backup.
func Write(ctx context.Context, w io.Writer, s Service) error {
	work, remove, err := s.workFolder()
	if err != nil {
		return err
	}
	defer remove()
	stored := filepath.Join(work, records.FileName)
	if s.Records.URL == "" {
		err = records.Backup(ctx, s.Records.Dir, stored)
	} else {
		stored = filepath.Join(work, exportName)
		err = export(ctx, s.Records, stored)
	}
	if err != nil {
		return err
	}
	compressed := gzip.NewWriter(w)
	archive := tar.NewWriter(compressed)
	err = add(archive, filepath.Base(stored), stored, 0, nil)
	for _, name := range kept {
		if err == nil {
			err = add(archive, name, filepath.Join(s.Records.Dir, name), 0, nil)
		}
	}
	if err == nil && s.Content != "" {
		data, _ := os.Stat(s.Records.Dir) // it is there: work is in it
		err = add(archive, contentName, s.Content, 0, data)
	}
	if err != nil {
		return err
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// export writes the records of a database to a file.
func export(ctx context.Context, at records.Options, path string) error {
	at.MustExist, at.KeepSchema = true, true
	store, err := records.Open(ctx, at)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return errors.Join(store.Export(ctx, file), file.Close(), store.Close())
}

// maxDepth is how deep folders may be nested. A link may lead back to a folder above it.
const maxDepth = 16

// add adds a file, or the files of a folder, under a name. It follows links, by which content
// may be put in place. It leaves out hidden files such as .git, and missing ones, because a
// mail or an image may be deleted at the same time; only the content itself must be there.
// Daily backups are not backed up again, nor is data, a folder that content may hold: a program
// that closes a file of its SQLite database loses the locks that it has there.
func add(archive *tar.Writer, name, file string, depth int, data fs.FileInfo) error {
	info, err := os.Stat(file)
	switch {
	case depth > maxDepth:
		return fmt.Errorf("%s: more than %d nested folders: a link may lead back to a folder above it", file, maxDepth)
	case errors.Is(err, fs.ErrNotExist) && (data == nil || depth > 0):
		return nil
	case err != nil:
		return err
	case os.SameFile(info, data) && depth == 0:
		return fmt.Errorf("%s is the data folder: put the content into a folder of its own", file)
	case os.SameFile(info, data) || isDaily(info.Name()):
		return nil
	case info.Mode().IsRegular():
		return addFile(archive, name, file)
	case !info.IsDir():
		return nil
	}
	entries, err := os.ReadDir(file)
	for _, entry := range entries {
		if err == nil && !strings.HasPrefix(entry.Name(), ".") {
			err = add(archive, path.Join(name, entry.Name()), filepath.Join(file, entry.Name()), depth+1, data)
		}
	}
	return err
}

// addFile adds a file with the size that it has when it is opened.
func addFile(archive *tar.Writer, name, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(&tar.Header{Name: name, Size: info.Size(), Mode: 0o600,
		ModTime: info.ModTime()}); err != nil {
		return err
	}
	if _, err := io.CopyN(archive, file, info.Size()); err != nil {
		return fmt.Errorf("%s changed while it was copied: %w", path, err)
	}
	return nil
}
