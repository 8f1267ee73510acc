package content

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// Edit is a prepared change of one file of a content folder. As a file system it is the
// changed folder, so that the change can be checked before Apply makes it.
type Edit struct {
	Name   string // of the file
	text   []byte
	folder fs.FS
}

// Open implements fs.FS.
func (e *Edit) Open(name string) (fs.File, error) {
	file, err := e.folder.Open(name)
	if err != nil || name != e.Name {
		return file, err
	}
	return editedFile{File: file, text: bytes.NewReader(e.text)}, nil
}

// editedFile is a file with another text.
type editedFile struct {
	fs.File
	text *bytes.Reader
}

func (f editedFile) Read(p []byte) (int, error) { return f.text.Read(p) }

// Apply makes the change in dir atomically: a concurrent reader sees the old or the new
// text. A link stays a link.
func (e *Edit) Apply(dir string) error {
	path, err := filepath.EvalSymlinks(filepath.Join(dir, e.Name))
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+e.Name+"-*") // hidden: not read as content
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // after the renaming it does not exist
	_, err = temporary.Write(e.text)
	for _, step := range []func() error{
		func() error { return temporary.Chmod(info.Mode().Perm()) },
		temporary.Sync,
		temporary.Close,
		func() error { return os.Rename(temporary.Name(), path) },
	} {
		if err == nil {
			err = step()
		}
	}
	return err
}
