package content

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed sample
var embedded embed.FS

// Sample is the content that comes with frontdesk: that of a firm that does not
// exist, served until the owner has content of their own.
func Sample() fs.FS {
	sample, err := fs.Sub(embedded, "sample")
	if err != nil {
		panic(err) // the folder is embedded under that name
	}
	return sample
}

// Init writes the sample into dir, which is made when it is missing, and returns
// the paths of the files written. When any of them exists, nothing is written and
// the error names them all.
func Init(dir string) ([]string, error) {
	names, err := sampleNames()
	if err != nil {
		return nil, err
	}
	if err := refuseExisting(dir, names); err != nil {
		return nil, err
	}
	var written []string
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := writeSample(name, path); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

func sampleNames() (names []string, err error) {
	err = fs.WalkDir(Sample(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// refuseExisting looks at links themselves: a dangling one is something as well.
func refuseExisting(dir string, names []string) error {
	var existing []error
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		switch _, err := os.Lstat(path); {
		case err == nil:
			existing = append(existing, fmt.Errorf("%s: %w", path, fs.ErrExist))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if len(existing) > 0 {
		existing = append(existing, errors.New("nothing was written: name another folder, or take these files away first"))
	}
	return errors.Join(existing...)
}

// writeSample never overwrites, not even a file that has appeared since the check.
func writeSample(name, path string) error {
	data, err := fs.ReadFile(Sample(), name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
