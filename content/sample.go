package content

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

//go:embed samples
var embedded embed.FS

// firmSample is the sample of an invented firm, served until the owner sets a content folder.
const firmSample = "firm"

// Sample returns the content of that firm.
func Sample() fs.FS { return SampleNamed(firmSample) }

// SampleNames lists the samples, one for each kind of business.
func SampleNames() (names []string) {
	entries, err := embedded.ReadDir("samples")
	if err != nil {
		panic(err) // embedded
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// SampleNamed returns a sample by its name; the empty name means Sample.
func SampleNamed(name string) fs.FS {
	sample, err := fs.Sub(embedded, "samples/"+cmp.Or(name, firmSample))
	if err != nil {
		panic(err) // one of SampleNames
	}
	return sample
}

// Init writes a sample into dir, which it creates if needed, and returns the paths
// of the written files. If any of them exists, nothing is written and the error names
// all of these. The empty name means Sample; the error for an unknown one lists
// SampleNames.
func Init(dir, sample string) ([]string, error) {
	if sample != "" && !slices.Contains(SampleNames(), sample) {
		return nil, fmt.Errorf("there is no sample %q (%s)", sample, suggest(sample, SampleNames()))
	}
	source := SampleNamed(sample)
	var written []string
	var existing error
	if err := fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		written = append(written, path)
		switch _, err := os.Lstat(path); { // a dangling link counts as an existing file
		case err == nil:
			existing = errors.Join(existing, fmt.Errorf("%s: %w", path, fs.ErrExist))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if existing != nil {
		return nil, errors.Join(existing, errors.New("nothing was written: name another folder, or remove these files first"))
	}
	return written, os.CopyFS(dir, source) // overwrites no file, not even one created meanwhile
}
